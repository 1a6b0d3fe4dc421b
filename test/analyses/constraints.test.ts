import { describe, expect, test } from "vitest";
import type { TableFigure } from "../../source/engine/figure.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import type { Json } from "../../source/engine/types.ts";
import { constraints } from "../../analyses/constraints.ts";
import { travelplanner } from "../../suites/travelplanner/index.ts";
import { describePublished, shared, sharedJson } from "../shared.ts";
import { tripRow, tripRun } from "./trip-rows.ts";

const kept = (...names: string[]) => Object.fromEntries(names.map((name) => [`kept:${name}`, 1]));
const asked = (...names: string[]) => Object.fromEntries(names.map((name) => [`asked:${name}`, 1]));
const rows = [
  tripRow("a", { level: "easy" }, { metrics: { delivered: 1, finalPass: 1, ...asked("Budget"), ...kept("Budget") } }),
  tripRow("b", { level: "easy" }, { metrics: { delivered: 1, finalPass: 0, ...asked("Budget") } }),
  tripRow("c", { level: "hard" }, { metrics: { delivered: 0, finalPass: 0, ...asked("Budget", "Cuisine") } }),
  tripRow("d", { level: "hard" }, undefined),
];
const texts = ({ rows: lines }: TableFigure) => lines.map((line) => line.map(({ text }) => text));
const tablesOf = (...given: Parameters<typeof constraints.compute>): readonly TableFigure[] =>
  constraints.compute(...given).filter((figure) => figure.kind === "table");
const tables = (...runs: Parameters<typeof tripRun>[]) =>
  tablesOf(
    runs.map((run) => tripRun(...run)),
    { by: "level", paper: "same mode" },
  );

describe("the constraint analysis", () => {
  test("counts the requested constraints by level, and opens the plans that violate them", () => {
    const [rates, table] = tables(["mine", rows]);
    expect(texts(rates!)[0]!.slice(0, 3)).toEqual(["mine", "33.33", "66.67"]);
    const line = (title: string) => table!.rows.find(([, name]) => name!.text === title)!;
    expect(table!.columns.map(({ title }) => title)).toEqual(["Group", "Constraint", "easy", "hard"]);
    expect(line("Budget").map(({ text, n }) => [text, n])).toEqual([
      ["Hard", undefined],
      ["Budget", undefined],
      ["50.00", 2],
      ["0.00", 1],
    ]);
    expect(line("Budget")[2]!.tasks).toEqual([{ run: "r1", task: "b" }]);
    expect(
      line("Cuisine")
        .map(({ text }) => text)
        .slice(2),
    ).toEqual(["-", "0.00"]);
    expect(rates!.notes.at(-1)).toContain("mine: 1 failed");
  });

  test("shows confidence sequences while a run is unfinished and executes its tasks in seeded order", () => {
    const run = tripRun("mine", rows);
    const of = (unfinished?: RunRows["unfinished"]) => {
      const [, table] = tablesOf([{ ...run, ...(unfinished && { unfinished }) }], { by: "level", paper: "off" });
      return table!.rows.find(([, name]) => name!.text === "Budget")![2]!;
    };
    expect(of({ of: 9, order: "seeded" }).anytime).toBe(true);
    expect(of({ of: 9, order: "file" }).anytime).toBeUndefined();
    expect(of().anytime).toBeUndefined();
  });

  test("shows the paper's rows for the same mode, all rows of the paper, or no rows of the paper", async () => {
    const reported = await travelplanner.reported!();
    const validation = rows.map((row) => ({ ...row, facets: { ...row.facets, split: "validation" } }));
    const run = tripRun("mine", validation, reported, "two-stage");
    const lines = (paper: string) => texts(tablesOf([run], { by: "level", paper })[0]!);
    expect(lines("off")).toHaveLength(1);
    expect(lines("same mode").map(([name]) => name)).toContain("GPT-4-Turbo, two-stage");
    expect(lines("same mode").map(([name]) => name)).not.toContain("Direct [GPT-4-Turbo], sole-planning");
    expect(lines("all").find(([name]) => name === "Direct [GPT-4-Turbo], sole-planning")).toEqual([
      "Direct [GPT-4-Turbo], sole-planning",
      "4.4",
      "100",
      "80.4",
      "17.2",
      "47.1",
      "22.2",
      "validation",
    ]);
    const table = tablesOf([run], { by: "level", paper: "same mode" })[1]!;
    expect(table.columns.at(-1)).toMatchObject({ title: "hard", under: ["paper"] });
    expect(table.rows[0]!.map(({ text }) => text).slice(0, 2)).toEqual(["Commonsense", "Within Sandbox"]);
    expect(table.rows[0]!.at(-1)!.text).toBe("33.9");
    expect(table.rows.at(-1)!.map(({ text }) => text)).toEqual(["", "Final", "50.0", "0.0", "1.1", "0.3", "0.3"]);
    expect(table.notes).toContain(
      "Reported values: TravelPlanner paper (ICML 2024), Table 4, GPT-4-Turbo, two-stage, test split",
    );
  });

  test("can show several runs in a single table, with only the pass rates or only the constraints", async () => {
    const reported = await travelplanner.reported!();
    const runs = (["two-stage", "sole-planning"] as const).map((mode) => tripRun(mode, rows, reported, mode));
    const [table, ...more] = constraints.compute(runs, {
      by: "level",
      paper: "same mode",
      show: "constraints",
      runs: "together",
    }) as TableFigure[];
    expect(more).toEqual([]);
    expect(table!.columns.slice(2).map(({ under, title }) => [under, title])).toEqual(
      ["two-stage", "sole-planning"]
        .flatMap((label) => ["easy", "hard"].map((level) => [[label], level]))
        .concat(
          ["two-stage", "sole-planning"].flatMap((mode) =>
            ["easy", "medium", "hard"].map((level) => [[`GPT-4-Turbo, ${mode}`], level]),
          ),
        ),
    );
    expect(texts(table!)[0]!.slice(-6)).toEqual(["37.4", "31.2", "33.9", "76.4", "71.5", "79.3"]);
    expect(constraints.compute(runs, { by: "level", show: "rates" }).map(({ kind, title }) => [kind, title])).toEqual([
      ["table", "Pass rates"],
      ["bars", "Pass rates by run"],
    ]);
  });

  test("compares a run whose strategy uses no model only with the paper's baseline", async () => {
    const run = tripRun("greedy", rows, await travelplanner.reported!());
    const baseline = { ...run, spec: { ...run.spec, strategy: "greedy", options: {} } };
    const [rates, table] = tablesOf([baseline], { by: "level", paper: "same mode" });
    expect(texts(rates!).map(([name]) => name)).toEqual(["greedy", "Greedy Search, baseline"]);
    expect(table!.columns.map(({ title }) => title)).toEqual(["Group", "Constraint", "easy", "hard"]);
  });

  test("reports if no suite has constraints", () => {
    expect(constraints.missing!([])).toContain("None of these suites");
  });
});

describePublished("the official example submission of TravelPlanner", () => {
  test("has the rates of the official evaluator, with the published denominators", async () => {
    type Submissions = { submissions: Record<string, { plans: Json[]; expected: { scores: Record<string, number> } }> };
    const { submissions } = sharedJson<Submissions>("conformance/travelplanner/aggregates_a.json.gz");
    const { plans, expected } = submissions["example_validation"]!;
    const { entries } = await travelplanner.predictions!.score({
      lines: plans.map((value, index) => ({ number: index + 1, value })),
      folder: shared("data/travelplanner"),
      data: "published",
      split: "validation",
      flags: {},
      signal: new AbortController().signal,
    });
    const scored = entries.map(({ task, score }) => tripRow(task.id, task.facets, score));
    const [rates] = tables(["example", scored]);
    const values = rates!.rows[0]!.slice(1, 7).map(({ value, n }) => [value, n]);
    expect(values).toEqual([
      [expected.scores["Final Pass Rate"], 180],
      [expected.scores["Delivery Rate"], 180],
      [expected.scores["Commonsense Constraint Micro Pass Rate"], 1440],
      [expected.scores["Commonsense Constraint Macro Pass Rate"], 180],
      [expected.scores["Hard Constraint Micro Pass Rate"], 420],
      [expected.scores["Hard Constraint Macro Pass Rate"], 180],
    ]);
    // A part of the split is divided by the constraints that its requests contain.
    const [part] = tables(["part", scored.slice(0, 60)]);
    expect(part!.rows[0]!.slice(1, 7).map(({ n }) => n)).toEqual([60, 60, 480, 60, 60, 60]);
  });
});
