import { describe, expect, test } from "vitest";
import { scale } from "../../analyses/scale.ts";
import type { GridFigure } from "../../source/engine/figure.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { at, madeRun, type MadeRow, madeSuite } from "./made-run.ts";

const size = (parallel: number, sequential: number) => ({ parallel, sequential });
const wide: MadeRow[] = Array.from({ length: 12 }, (_, index) => ({
  task: `w${index}`,
  facets: size(2, 1),
  ...(index < 2
    ? { failed: "timeout" as const }
    : { right: index % 2, metrics: { hits: index % 2 === 0 ? 3 : 0, tries: 3 } }),
}));
const rows: MadeRow[] = [
  ...wide,
  { task: "l1", facets: size(1, 10), right: 1, metrics: { hits: 1, tries: 2 } },
  { task: "f1", facets: size(1, 2), failed: "model" },
  { task: "n1", facets: size(1, 2), running: true },
  { task: "nothing", right: 1 },
];

describe("the scale analysis", () => {
  test("shows a heat map with the number of tasks in every cell, and mutes cells with few tasks", () => {
    const [figure] = scale.compute([madeRun("a", rows)], { measures: "strict.argument-em" });
    const few = { faint: true, note: "fewer than 10 tasks" };
    expect(figure).toEqual({
      kind: "grid",
      title: "Hits by scale: a",
      x: { label: "sequential", ticks: ["1", "2", "10"] },
      y: { label: "parallel", ticks: ["1", "2"] },
      cells: [
        [
          undefined,
          // It failed, so it has no score, which is not a score of 0.
          { text: "-", n: 0, tasks: at("a", "f1"), rests: { scored: 0, unscored: 0, failed: 1 }, ...few },
          { text: "50.00", value: 0.5, n: 1, tasks: at("a", "l1"), ...few },
        ],
        [
          // Ten of twelve have a score, five of them 3 of 3 hits: n counts tasks, not the 30 tries.
          {
            text: "50.00",
            value: 0.5,
            n: 10,
            tasks: at("a", ...wide.map(({ task }) => task)),
            rests: { scored: 10, unscored: 0, failed: 2 },
            faint: true,
          },
          undefined,
          undefined,
        ],
      ],
      range: [0, 1],
      notes: [
        "~ marks values of fewer than 10 tasks",
        "a: 3 failed, 1 still running; these tasks have no score and are left out",
      ],
    });
  });

  test("omits cells with few tasks on request and notes the omission, unless no cell would remain", () => {
    const [figure] = scale.compute([madeRun("a", rows)], { measures: "strict.argument-em", few: "left out" });
    const { cells, notes, x, y } = figure as GridFigure;
    // Widths and lengths without any other cell are omitted with them.
    expect(cells.map((row) => row.map((cell) => cell?.n))).toEqual([[10]]);
    expect([x.ticks, y.ticks]).toEqual([["1"], ["2"]]);
    expect(notes).toEqual([
      "2 combinations of scales with fewer than 10 tasks left out (1 task)",
      "a: 3 failed, 1 still running; these tasks have no score and are left out",
    ]);
    const [small] = scale.compute([madeRun("a", rows.slice(10))], {
      measures: "strict.argument-em",
      few: "left out",
    });
    expect((small as GridFigure).cells.flat().filter((cell) => cell !== undefined)).toHaveLength(3);
    expect(small!.notes.slice(0, 2)).toEqual([
      "No combination of scales has 10 tasks, so none is left out",
      "~ marks values of fewer than 10 tasks",
    ]);
  });

  test("shows argument EM by default, and draws one map per run", () => {
    const runs = [madeRun("a", rows), madeRun("b", rows.slice(0, 9))];
    expect(scale.choices(runs)).toEqual({
      measures: ["strict.argument-em", "strict.right", "loose.waste"],
      by: expect.arrayContaining(["nothing"]),
      few: ["marked", "left out"],
    });
    const figures = scale.compute(runs, { measures: "strict.right" });
    expect(figures.map(({ title }) => title)).toEqual(["Right by scale: a", "Right by scale: b"]);
    expect(figures[1]!.notes).toContain("All or nothing.");
    expect(figures[1]!.kind === "grid" && figures[1]!.cells[0]![0]).toMatchObject({ n: 7, faint: true });
  });

  test("draws one map for each group of tasks on request", () => {
    const levels = ["easy", "hard"].map((level) => ({
      task: level,
      right: 1,
      facets: { level, parallel: 1, sequential: 1 },
    }));
    const run = madeRun("a", levels);
    expect(scale.choices([run])["by"]).toEqual(["nothing", "level"]);
    const figures = scale.compute([run], { measures: "strict.right", by: "level" });
    expect(figures.map(({ title }) => title)).toEqual(["Right by scale: a, easy", "Right by scale: a, hard"]);
  });

  test("shows the highest possible score in cells with a ceiling, and prefers a measure without a ceiling", () => {
    const [right, hits, ...others] = madeSuite.measures;
    const suite: Suite = {
      ...madeSuite,
      measures: [
        { ...hits!, name: "official.argument-em", ceiling: (group) => 1 / Number(group[0]!.facets["sequential"]) },
        { ...hits!, name: "paper.argument-em", ceiling: () => 1 },
        right!,
        ...others,
      ],
      ceilings: [{ measure: "official.argument-em", sample: 0.5, why: "Repeats count once" }],
    };
    const half = (task: string, sequential: number): MadeRow => ({
      task,
      facets: size(1, sequential),
      right: 0,
      metrics: { hits: 1, tries: 4 },
    });
    const run = madeRun("a", [half("s1", 1), half("s2", 2)], { suite });
    expect(scale.choices([run])["measures"]!.slice(0, 2)).toEqual(["paper.argument-em", "official.argument-em"]);
    const [capped] = scale.compute([run], { measures: "official.argument-em" }) as [GridFigure];
    expect(capped.cells[0]!.map((cell) => [cell!.text, cell!.value, cell!.ceiling])).toEqual([
      ["25/100 25%", 0.25, 1],
      ["25/50 50%", 0.25, 0.5],
    ]);
    expect(capped.cells[0]![1]!.note).toBe("fewer than 10 tasks; 25.00, 50.00 % of a perfect plan's value");
    expect(capped.notes).toContain("a/b c%: the value, a perfect plan's value, and their ratio");
    const [free] = scale.compute([run], { measures: "paper.argument-em" }) as [GridFigure];
    expect(free.cells[0]!.map((cell) => cell!.text)).toEqual(["25.00", "25.00"]);
    expect(free.notes).toContain("A perfect plan gets 100 in every cell");
  });

  test("does not mention the highest possible score if no task of a run has a score", () => {
    const [hits, ...others] = madeSuite.measures;
    const suite: Suite = { ...madeSuite, measures: [{ ...hits!, ceiling: () => undefined }, ...others] };
    const failed: MadeRow[] = [{ task: "f1", facets: size(1, 2), failed: "model" }];
    const [figure] = scale.compute([madeRun("a", failed, { suite })], { measures: hits!.name });
    expect(figure!.notes.filter((note) => note.includes("perfect plan"))).toEqual([]);
  });

  test("draws no map for a run whose tasks have no scale", () => {
    const other = madeRun("other", [{ task: "x", facets: { level: "easy" }, right: 1 }]);
    const figures = scale.compute([other, madeRun("a", rows)], { measures: "strict.right" });
    expect(figures.map(({ title }) => title)).toEqual(["Right by scale: a"]);
  });

  test("reports that tasks have no scale", () => {
    expect(scale.missing?.([madeRun("a", [{ task: "x", facets: { parallel: 1 }, right: 1 }])])).toContain(
      "no parallel",
    );
    expect(scale.missing?.([madeRun("a", rows)])).toBeUndefined();
  });
});
