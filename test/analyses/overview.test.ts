import { describe, expect, test } from "vitest";
import { overview } from "../../analyses/overview.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { columnName } from "../../source/engine/figures/column-heads.ts";
import type { BarsFigure, TableFigure } from "../../source/engine/figure.ts";
import type { RunSpec, TaskUsage } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { madeRun, madeSpec, madeSuite, texts } from "./made-run.ts";

const suite = {
  ...madeSuite,
  options: [{ name: "prompting", title: "Prompting", values: ["hierarchical", "flat"], default: "hierarchical" }],
} as const;
const usage: TaskUsage = {
  calls: 3,
  toolCalls: 0,
  retries: 0,
  tokens: { input: 90, output: 10, estimated: false },
  cost: 0.03,
  seconds: 2.5,
};

/** `right` of four tasks right; each took three calls, one of them the judge's. */
function run(name: string, right: number, spec: Partial<RunSpec> = {}): RunRows {
  const rows = [1, 2, 3, 4].map((task) => ({ task: `t${task}`, right: task <= right ? 1 : 0 }));
  const made = madeRun(name, rows, { suite, spec: { ...madeSpec, ...spec } });
  const judging = { ...usage, calls: 1, tokens: { input: 30, output: 2, estimated: false }, cost: 0.01, seconds: 0.5 };
  return { ...made, rows: made.rows.map((row) => ({ ...row, counted: usage, judging })) };
}

function figures(runs: readonly RunRows[], chosen = {}, listed = {}): readonly [BarsFigure, TableFigure] {
  const choices = overview.choices(runs);
  const first = Object.fromEntries(Object.entries(choices).map(([name, values]) => [name, values[0]!]));
  return overview.compute(runs, { ...first, ...chosen }, listed) as unknown as readonly [BarsFigure, TableFigure];
}

describe("the overview analysis", () => {
  const flat = { options: { prompting: "flat" } };
  const large = { model: "lab/large" };
  const grid = [run("a", 1), run("b", 2, flat), run("c", 3, large), run("d", 4, { ...large, ...flat })];

  test("is the first analysis of every suite", () => {
    expect(suites.map(({ analyses }) => analyses[0])).toEqual(suites.map(() => "overview"));
  });

  test("shows the first measure of each run as a bar with its interval", () => {
    const [bars] = figures(grid);
    expect(bars).toMatchObject({ title: "Right by run", unit: "%", max: 1 });
    expect(bars.bars.map(({ label, cell }) => [label, cell.text, cell.n])).toEqual([
      ["a", "25.00", 4],
      ["b", "50.00", 4],
      ["c", "75.00", 4],
      ["d", "100.00", 4],
    ]);
    // Wilson's interval of 1 of 4.
    expect(bars.bars[0]!.low).toBeCloseTo(0.0456, 4);
    expect(bars.bars[0]!.high).toBeCloseTo(0.6994, 4);
  });

  test("shows a grid's axes as rows and columns, with each run's cost excluding the judge's", () => {
    const [, table] = figures(grid);
    expect(table.title).toBe("Right by model and prompting (strict)");
    expect(table.columns.map(columnName)).toEqual([
      "Model",
      ...["hierarchical", "flat"].flatMap((way) =>
        ["Right", "Calls", "Tokens", "Seconds", "Price"].map((title) => `${way} ${title}`),
      ),
      "n",
    ]);
    expect(texts(table.rows)).toEqual([
      ["lab/small", "25.00", "2", "68", "2", "0.0200", "50.00", "2", "68", "2", "0.0200", "4"],
      ["lab/large", "75.00", "2", "68", "2", "0.0200", "100.00", "2", "68", "2", "0.0200", "4"],
    ]);
    expect(table.rows[1]![1]).toMatchObject({ rank: 1 });
    expect(table.rows[1]![2]!.rank).toBeUndefined();
  });

  test("shows a single axis as rows, with a column for each main measure", () => {
    const [, table] = figures([grid[0]!, grid[2]!], { effort: "off" }, { measures: ["all"] });
    expect(table.columns.map(columnName)).toEqual(["Model", "Right", "Hits", "n"]);
  });

  test("never uses a setting that a run lacks as an axis, so that all numbers of that run are shown", () => {
    const tools = { name: "toolkits", title: "Toolkits", values: ["off", "on"], default: "off", strategies: ["b"] };
    const [, table] = figures(
      [{ strategy: "a" }, { strategy: "b" }, { strategy: "b", options: { toolkits: "on" } }].map((spec, index) => {
        const made = run(`r${index}`, index + 1, spec);
        const strategies = ["a", "b"].map((name) => ({
          ...madeSuite.strategies[0]!,
          name,
          options: name === "a" ? [] : [tools],
        }));
        return { ...made, suite: { ...suite, strategies } };
      }),
      { effort: "off" },
      { measures: ["main"] },
    );
    expect(table.columns.map(columnName)).toEqual(["Run", "Strategy", "Right", "n"]);
    expect(table.rows.map((row) => row[2]!.text)).toEqual(["25.00", "50.00", "75.00"]);
  });

  test("never uses a setting with the name of a facet as an axis", () => {
    const profiled = { ...suite, options: [{ ...suite.options[0], name: "level" }] };
    const runs = ["hierarchical", "flat"].map((level, index) => ({
      ...run(level, index + 1, { options: { level } }),
      suite: profiled,
    }));
    const [, table] = figures(runs, { effort: "off" }, { measures: ["main"] });
    expect(profiled.facets.map(({ name }) => name)).toContain("level");
    expect(table.columns.map(columnName)).toEqual(["Run", "Right", "n"]);
  });

  test("uses the chosen rows and columns", () => {
    const [, table] = figures(grid, { effort: "off" }, { rows: ["prompting"], columns: ["model"] });
    expect(texts(table.rows)).toEqual(
      [
        ["hierarchical", "25.00", "75.00", "4"],
        ["flat", "50.00", "100.00", "4"],
      ].map(([name, small, big]) => [name, small, big, "4"]),
    );
  });

  test("explains why a chosen paper's numbers are missing", () => {
    const of = (where: Readonly<Record<string, string>>) => ({
      values: [{ source: "Table 3", row: "GPT-4o", measure: "strict.right", value: 0.5, where }],
      tables: [],
    });
    const notesOf = (where: Readonly<Record<string, string>>, paper: readonly string[]) => {
      const [, table] = figures([{ ...run("a", 1), reported: of(where) }], { effort: "off" }, { paper });
      return table.notes.filter((note) => note.includes("paper"));
    };
    expect(notesOf({ level: "easy" }, ["GPT-4o"])).toEqual([
      "No selected number of the paper matches the tasks and measures of this table; its numbers are split by level",
    ]);
    expect(notesOf({}, ["GPT-4o"])).toEqual([]);
    expect(notesOf({ level: "easy" }, ["off"])).toEqual([]);
  });

  test("has a price only if there are prices", () => {
    const free = madeRun("free", [{ task: "t1", right: 1 }], { suite });
    const [, table] = figures([free]);
    expect(table.columns.map(columnName)).toEqual(["Run", "Right", "Calls", "Tokens", "Seconds", "n"]);
  });
});
