import { describe, expect, test } from "vitest";
import { paper } from "../../analyses/paper.ts";
import { shots } from "../../analyses/shots.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { drawFigure, figureNotes } from "../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../source/engine/figures/drawing/line.ts";
import { figureSvg } from "../../source/engine/figures/figure-svg.ts";
import { intervalOf } from "../../source/engine/statistics/mean-interval.ts";
import { appbench } from "../../suites/appbench/index.ts";
import { at, madeRun, madeSpec, type MadeRow } from "./made-run.ts";

const rows = (...right: readonly number[]): MadeRow[] =>
  right.map((value, index) => ({ task: String(index), right: value }));
const run = (name: string, count: number, right: readonly number[], more = {}) =>
  madeRun(name, rows(...right), { spec: { ...madeSpec, shots: count, ...more } });

describe("the demonstrations analysis", () => {
  test("draws a line over the numbers of demonstrations, in numeric order", () => {
    const five = run("five", 5, [1, 1, 1, 0]);
    const none = madeRun("none", [...rows(0, 1), { task: "x", failed: "model" as const }], { spec: madeSpec });
    const [figure] = shots.compute([five, none], { measures: "strict.right" });
    const all = at("five", "0", "1", "2", "3");
    expect(figure).toEqual({
      kind: "lines",
      title: "Right by number of demonstrations",
      x: "shots",
      y: "Right",
      series: [
        {
          label: "lab/small",
          points: [
            {
              x: 0,
              cell: {
                text: "50.00",
                value: 0.5,
                n: 2,
                tasks: at("none", "0", "1", "x"),
                rests: { scored: 2, unscored: 0, failed: 1 },
                faint: true,
              },
              ...intervalOf([0, 1]),
            },
            {
              x: 5,
              cell: { text: "75.00", value: 0.75, n: 4, tasks: all },
              ...intervalOf([1, 1, 1, 0]),
            },
          ],
        },
      ],
      notes: [
        "Demonstrations come from other tasks of the same split",
        "none: 1 failed; these tasks have no score and are left out",
      ],
    });
  });

  test("draws a line for each group of tasks on request", () => {
    const levels = (right: readonly number[]) =>
      right.map((value, index) => ({
        task: String(index),
        right: value,
        facets: { level: index < 1 ? "hard" : "easy" },
      }));
    const runs = [0, 3].map((count) =>
      madeRun(`${count} shots`, levels([0, count === 0 ? 0 : 1, 1]), { spec: { ...madeSpec, shots: count } }),
    );
    expect(shots.choices(runs)["by"]).toEqual(["nothing", "level"]);
    const [figure] = shots.compute(runs, { measures: "strict.right", by: "level" });
    if (figure?.kind !== "lines") throw new Error("Expected lines");
    expect(figure.title).toBe("Right by number of demonstrations and level");
    expect(figure.series.map(({ label, points }) => [label, points.map(({ x, cell }) => [x, cell.text])])).toEqual([
      [
        "lab/small · easy",
        [
          [0, "50.00"],
          [3, "100.00"],
        ],
      ],
      [
        "lab/small · hard",
        [
          [0, "0.00"],
          [3, "0.00"],
        ],
      ],
    ]);
  });

  test("separates runs that differ in other settings, so that no line has two points at the same number of demonstrations", () => {
    const runs = [0, 3].flatMap((count) => [
      run(`mm ${count}`, count, [1], { split: "mm" }),
      run(`ss ${count}`, count, [1], { split: "ss" }),
      run(`big ${count}`, count, [1], { split: "mm", model: "lab/big", options: { profile: "on" } }),
    ]);
    const [figure] = shots.compute(runs, { measures: "strict.right" });
    if (figure?.kind !== "lines") throw new Error("Expected lines");
    expect(figure.series.map(({ label, points }) => [label, points.map(({ x }) => x)])).toEqual([
      ["lab/small · mm · profile none", [0, 3]],
      ["lab/small · ss · profile none", [0, 3]],
      ["lab/big · mm · profile on", [0, 3]],
    ]);
  });

  describe("with a paper's values", () => {
    const shotsOf = async (categories: readonly string[], chosen: Readonly<Record<string, string>>) => {
      const reported = await appbench.reported!();
      const metrics = { "official.total_match": 1 };
      const made = categories.map((category, index) => ({
        task: `t${index}`,
        right: 1,
        metrics,
        facets: { category },
      }));
      const runs = [0, 3].map((count) =>
        madeRun(`${count}`, made, { suite: appbench, reported, spec: { ...madeSpec, shots: count } }),
      );
      const [figure] = shots.compute(runs, { measures: "official.success", by: "category", ...chosen });
      if (figure?.kind !== "lines") throw new Error("Expected lines");
      return figure;
    };

    test("shows the paper's lines for the same groups, whose numbers have a source but no tasks", async () => {
      const { series } = await shotsOf(["SS", "SM"], { paper: "on" });
      expect(series.map(({ label }) => label)).toEqual([
        "lab/small · SS",
        "lab/small · SM",
        "AppBench paper (EMNLP 2024), Table 5, SS",
        "AppBench paper (EMNLP 2024), Table 5, SM",
      ]);
      // Table 5: with three demonstrations 81.63 instead of 70.92, but 13.50 instead of 20.50.
      expect(series.slice(2).map(({ points }) => points.slice(0, 2).map(({ x, cell }) => [x, cell.text]))).toEqual([
        [
          [0, "70.92"],
          [3, "81.63"],
        ],
        [
          [0, "20.50"],
          [3, "13.50"],
        ],
      ]);
      expect(series[2]!.points.map(({ x }) => x)).toEqual([0, 3, 4, 5]);
      expect(series[2]!.points[1]!.cell).toEqual({
        text: "81.63",
        value: 0.8163,
        reported: true,
        note: "AppBench paper (EMNLP 2024), Table 5",
      });
    });

    test("omits the paper's lines unless requested, and reports if the paper has none for these tasks", async () => {
      expect((await shotsOf(["SS"], {})).series.map(({ label }) => label)).toEqual(["lab/small · SS"]);
      const whole = await shotsOf(["SS"], { paper: "on", by: "nothing" });
      expect(whole.series.map(({ label }) => label)).toEqual(["lab/small"]);
      expect(whole.notes).toContain(
        "No paper reports this measure for these tasks at several numbers of demonstrations",
      );
    });

    test("draws the paper's lines hollow (dashed in pictures) and marks their names", async () => {
      const figure = await shotsOf(["SS"], { paper: "on" });
      const { body, foot } = drawFigure(figure, { width: 100, ascii: false });
      expect(foot.map(lineText).join(" ")).toMatch(/● lab\/small · SS +△ AppBench paper \(EMNLP 2024\), Table 5, SS†/);
      const drawn = body.map(lineText).join("");
      expect([drawn.split("●"), drawn.split("△")].map(({ length }) => length - 1)).toEqual([2, 4]);
      expect(figureNotes(figure, 100, false).map(lineText).join("\n")).toContain(
        "† reported by the paper, not from these runs",
      );
      const svg = figureSvg(figure, []);
      expect(svg.split("stroke-dasharray")).toHaveLength(1 + 1);
      // Each of its four points, and its mark in the legend.
      expect(svg.match(/<polygon [^>]*fill="white"/g)).toHaveLength(4 + 1);
    });
  });

  test("explains which setting to vary if all runs have the same number of demonstrations", () => {
    expect(shots.missing?.([run("a", 3, [1]), run("b", 3, [0])])).toContain("make `shots` a list");
    expect(shots.missing?.([run("a", 0, [1]), run("b", 3, [0])])).toBeUndefined();
    expect(shots.choices([run("a", 0, [1])])).toMatchObject({
      measures: ["strict.right", "strict.argument-em", "loose.waste"],
    });
  });
});

describe("the analysis of the paper's tables", () => {
  const table = (title: string): TableFigure => ({ kind: "table", title, notes: [], columns: [], rows: [] });
  const reported = { values: [], tables: [table("Table 1"), table("Table 2")] };

  test("shows the tables only once, for any number of runs", () => {
    const runs = [madeRun("a", [], { reported }), madeRun("b", [], { reported })];
    expect(paper.choices(runs)).toEqual({ table: ["all", "Table 1", "Table 2"], floor: ["off", "on"] });
    expect(paper.compute(runs, {})).toEqual([table("Table 1"), table("Table 2")]);
    expect(paper.compute(runs, { table: "Table 2" })).toEqual([table("Table 2")]);
    expect(paper.missing?.(runs)).toBeUndefined();
    expect(paper.missing?.([madeRun("a", [])])).toBe("This suite has no tables from a paper");
  });
});
