import { describe, expect, test } from "vitest";
import { difficulty } from "../../analyses/difficulty.ts";
import type { Cell, TableFigure } from "../../source/engine/figure.ts";
import type { Reported } from "../../source/engine/suite.ts";
import { at, madeRun, madeSuite, texts } from "./made-run.ts";
import { tripRow, tripRun } from "./trip-rows.ts";

const easy = { level: "easy" };
const hard = { level: "hard" };
const rows = [
  { task: "h1", facets: hard, right: 0, metrics: { hits: 1, tries: 4 } },
  { task: "e1", facets: easy, right: 1, metrics: { hits: 3, tries: 3 } },
  { task: "e2", facets: easy, right: 0, metrics: { hits: 0, tries: 1 } },
  { task: "e3", facets: easy, failed: "model" as const },
  { task: "h2", facets: hard, right: null },
  { task: "h3", facets: hard, running: true },
];

describe("the difficulty analysis", () => {
  test("shows a row per group in the suite's order and a row for all, with denominators and tasks", () => {
    const run = madeRun("a", rows);
    const [figure] = difficulty.compute([run], { by: "level", mode: "strict", intervals: "off" });
    const line = (
      name: string,
      tasks: string[],
      right: [string, number, number],
      hits: [string, number, number],
      rests: Cell["rests"],
    ) => [
      { text: "a" },
      { text: name, tasks: at("a", ...tasks) },
      { text: right[0], value: right[1], n: right[2], tasks: at("a", ...tasks), faint: true, rests },
      { text: hits[0], value: hits[1], n: hits[2], tasks: at("a", ...tasks), faint: true, rests },
      { text: String(tasks.length), value: tasks.length, tasks: at("a", ...tasks) },
    ];
    expect(figure).toEqual({
      kind: "table",
      title: "Scores by level (strict)",
      columns: [
        { title: "Run", align: "left" },
        { title: "Level", align: "left" },
        { title: "Right", align: "right" },
        { title: "Hits", align: "right" },
        { title: "n", align: "right" },
      ],
      rows: [
        // e3 failed: one right of two scored, not of three.
        line("easy", ["e1", "e2", "e3"], ["50.00", 0.5, 2], ["75.00", 0.75, 4], { scored: 2, unscored: 0, failed: 1 }),
        // h2 could not be scored, h3 is still running.
        line("hard", ["h1", "h2"], ["0.00", 0, 1], ["25.00", 0.25, 4], { scored: 1, unscored: 1, failed: 0 }),
        line("all", ["h1", "e1", "e2", "e3", "h2"], ["33.33", 1 / 3, 3], ["50.00", 0.5, 8], {
          scored: 3,
          unscored: 1,
          failed: 1,
        }),
      ],
      notes: [
        "Right: All or nothing.",
        "a: 1 failed, 1 still running, 1 could not be scored; these tasks have no score and are left out",
      ],
    });
  });

  test("prints a remark that applies to several measures once", () => {
    const metrics = {
      finalPass: 1,
      delivered: 1,
      commonsense: 8,
      commonsenseOf: 8,
      commonsensePass: 1,
      hard: 1,
      hardOf: 1,
    };
    const run = tripRun("trips", [tripRow("t1", easy, { value: 1, metrics: { ...metrics, hardPass: 1 } })]);
    const [figure] = difficulty.compute([run], { by: "level", mode: "official" });
    const { columns, notes } = figure as TableFigure;
    expect(columns).toHaveLength(9);
    expect(notes.filter((note) => note.includes("published constant"))).toEqual([
      expect.stringMatching(
        /^Final, Delivery, CS micro, CS macro, Hard micro, Hard macro: The divisor is the published/,
      ),
    ]);
  });

  test("shows measures with a value, unless all are requested", () => {
    const run = madeRun("a", [{ task: "e1", facets: easy, metrics: { hits: 3, tries: 3 }, right: null }]);
    const titles = (measures: string) => {
      const [figure] = difficulty.compute([run], { by: "level", mode: "strict" }, { measures: [measures] });
      return (figure as TableFigure).columns.map(({ title }) => title);
    };
    expect(titles("main")).toEqual(["Run", "Level", "Hits", "n"]);
    expect(titles("all")).toEqual(["Run", "Level", "Right", "Hits", "n"]);
    expect(titles("strict.right")).toEqual(["Run", "Level", "Right", "n"]);
  });

  test("offers facets, modes, and the models a paper reports", () => {
    const run = madeRun("a", rows, { reported: { values: [reported("GPT-4", "easy", 0.5)], tables: [] } });
    expect(difficulty.choices([run])).toEqual({
      by: ["level", "nothing"],
      mode: ["strict", "loose"],
      intervals: ["on", "off"],
      average: ["off", "on"],
      floor: ["off", "on"],
    });
    const { measures, rows: lines, columns, paper } = difficulty.lists!([run]);
    expect(measures!.values).toEqual([
      "main",
      "all",
      "strict.right",
      "strict.argument-em",
      "loose.waste",
      "unwrapped",
      "calls",
      "tokens",
      "seconds",
    ]);
    expect(lines!.values.slice(0, 4)).toEqual(["level", "model", "strategy", "shots"]);
    expect(columns).toMatchObject({ standard: [], most: 2 });
    expect(paper).toEqual({ values: ["off", "all", "GPT-4", "Table 1"], standard: ["off"], alone: ["off", "all"] });
    expect(difficulty.missing?.([madeRun("a", [], { suite: { ...madeSuite, facets: [] } })])).toBe(
      "This suite's tasks have no facets to group by",
    );
    expect(difficulty.missing?.([run])).toBeUndefined();
  });

  test("shows the paper's numbers for the same measures and groups, one row for each setting of the paper", () => {
    const flat = { ...reported("GPT-4", "hard", 0.2), setting: { prompting: "flat" } };
    const values = [
      reported("GPT-4", "hard", 0.25),
      flat,
      { ...reported("Mistral", "easy", 0.125), caveat: "smudged" },
      { ...reported("Other", "easy", 1), measure: "loose.waste" },
      { ...reported("Elsewhere", "easy", 1), where: { level: "easy", scene: "home" } },
    ];
    const run = madeRun("a", rows, { reported: { values, tables: [] } });
    const chosen = { by: "level", mode: "strict" };
    const [figure] = difficulty.compute([run], chosen, { paper: ["all"] });
    if (figure?.kind !== "table") throw new Error("Expected a table");
    const below = figure.rows.slice(3);
    expect(texts(below)).toEqual([
      ["GPT-4 (plain)", "hard", "25.00", "-", ""],
      ["GPT-4 (prompting flat)", "hard", "20.00", "-", ""],
      ["Mistral", "easy", "12.50", "-", ""],
    ]);
    expect(below.flat().every((cell) => cell.reported === true)).toBe(true);
    expect(below[2]![2]).toMatchObject({ value: 0.125, note: "The paper, Table 1; smudged" });
    const [one] = difficulty.compute([run], chosen, { paper: ["Mistral"] });
    expect(one?.kind === "table" && one.rows).toHaveLength(4);
  });

  test("shows two suites together, with a dash for a measure that a suite lacks", () => {
    const other = madeRun("b", [{ task: "x", facets: easy, right: 1 }], {
      suite: { ...madeSuite, measures: madeSuite.measures.slice(1) },
    });
    const [figure] = difficulty.compute(
      [madeRun("a", rows), other],
      { by: "level", mode: "strict" },
      { measures: ["all"] },
    );
    if (figure?.kind !== "table") throw new Error("Expected a table");
    // A single group needs no line for all groups.
    expect(texts(figure.rows).at(-1)).toEqual(["b", "easy", "-", "-", "1"]);
    expect(texts(figure.rows)).toHaveLength(4);
  });
});

function reported(row: string, level: string, value: number): Reported {
  return { source: "The paper, Table 1", row, measure: "strict.right", value, where: { level } };
}
