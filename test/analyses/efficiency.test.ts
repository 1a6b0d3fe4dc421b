import { describe, expect, it } from "vitest";
import { efficiency } from "../../analyses/efficiency.ts";
import { plannerActor } from "../../analyses/planner-actor.ts";
import { toolErrors } from "../../analyses/tool-errors.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { drawGrid } from "../../source/engine/figures/drawing/grid.ts";
import type { BarsFigure, Figure, GridFigure, TableFigure } from "../../source/engine/figure.ts";
import type { Row, RunSpec } from "../../source/engine/types.ts";
import { toolbench } from "../../suites/toolbench/index.ts";
import { type BareRow, bareRow } from "../bare-row.ts";
import { bareSpec } from "../bare-spec.ts";

const rowOf = (task: string, more: BareRow & { readonly value?: number; readonly kinds?: readonly string[] }): Row => {
  const { value, kinds = [], ...given } = more;
  const errors = kinds.map((kind) => ({ kind, got: `${kind} in ${task}` }));
  return bareRow("r", task, {
    score: { value, metrics: value === undefined ? {} : { success: value }, checks: [], errors },
    calls: 4,
    toolCalls: 2,
    tokens: { input: 1000, output: 100, estimated: false },
    seconds: 2,
    ...given,
  });
};
const runOf = (label: string, rows: readonly Row[], spec: Partial<RunSpec> = {}): RunRows => ({
  run: label,
  label,
  spec: bareSpec("toolbench", { strategy: "tool-planner", model: "big", ...spec }),
  suite: toolbench,
  rows,
  reported: { values: [], tables: [] },
  warnings: [],
  readsAnswerKey: false,
});
const texts = (figure: Figure | undefined): string[][] =>
  (figure as TableFigure).rows.map((row) => row.map(({ text }) => text));
const column = (figure: Figure | undefined, title: string): string[] => {
  const table = figure as TableFigure;
  const index = table.columns.findIndex((one) => one.title === title);
  return table.rows.map((row) => row[index]!.text);
};

describe("the efficiency analysis", () => {
  const planner = runOf("planner", [
    rowOf("a", { value: 1, calls: 6, counts: { switch: 2, "stage:plan": 1, "stage:step": 3, "stage:state": 2 } }),
    rowOf("b", {
      value: 0,
      calls: 10,
      seconds: 4,
      counts: { replan: 1, "stage:plan": 1, "stage:replan": 1, "stage:step": 8 },
    }),
  ]);
  const search = runOf("search", [rowOf("a", { value: 1, calls: 20, counts: { backtrack: 5, "stage:step": 20 } })], {
    strategy: "dfsdt",
  });

  it("compares strategies per task", () => {
    const [table] = efficiency.compute([planner, search], { per: "task", bars: "seconds" });
    expect(column(table, "Requests")).toEqual(["8.00", "20.00"]);
    expect(column(table, "Success")).toEqual(["50.00", "100.00"]);
    expect(column(table, "New plans")).toEqual(["0.50", "0.00"]);
    expect(column(table, "Backtracks")).toEqual(["0.00", "5.00"]);
    expect(column(table, "Seconds")).toEqual(["3.00", "2.00"]);
  });

  it("quotes the paper of Tool-Planner only next to its figures", () => {
    const notes = (runs: readonly RunRows[]) => efficiency.compute(runs, {})[0]!.notes.join();
    expect(notes([planner, search])).toContain("According to the paper Tool-Planner");
    expect(notes([search])).not.toContain("Tool-Planner");
  });

  it("excludes the judge's cost unless requested", () => {
    const usage = {
      calls: 4,
      toolCalls: 2,
      retries: 0,
      tokens: { input: 900, output: 90, estimated: false },
      seconds: 2,
    };
    const judging = {
      ...usage,
      calls: 3,
      tokens: { input: 600, output: 30, estimated: false },
      cost: 0.25,
      seconds: 1.5,
    };
    const row = rowOf("a", { value: 1, counts: { "stage:step": 1, "stage:judge-answer": 3 } });
    const judged = runOf("judged", [{ ...row, counted: { ...usage, cost: 0.75 }, judging }]);
    const titles = ["Requests", "Tokens in", "Tokens out", "Seconds", "Cost"];
    const shown = (judge?: string) => {
      const [table, parts] = efficiency.compute([judged], judge === undefined ? {} : { judge });
      const values = titles.map((title) => column(table, title)[0]);
      return [values, (parts as TableFigure).columns.map(({ title }) => title), (table as TableFigure).notes[0]];
    };
    expect(shown()).toEqual([
      ["1.00", "300", "60", "0.50", "0.5000"],
      ["Run", "acting", "n"],
      "Requests of every role except the judge; seconds cover the whole task, including waiting",
    ]);
    expect(shown("with")).toEqual([
      ["4.00", "900", "90", "2.00", "0.7500"],
      ["Run", "acting", "judging", "n"],
      "Requests of every role, including the judge; seconds cover the whole task, including waiting",
    ]);
  });

  it("shows a column for a suite-specific count only if a run has that count", () => {
    const scored = {
      ...rowOf("a", {}).score!,
      metrics: { cached: 3, steps_again: 1, plan_length: 2, apis_per_step: 1.5 },
    };
    const [table] = efficiency.compute([runOf("r", [{ ...rowOf("a", {}), score: scored }])], {});
    const titles = (table as TableFigure).columns.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(["From cache", "Steps rerun", "Plan length", "APIs a step"]));
    expect(column(table, "APIs a step")).toEqual(["1.50"]);
    expect(titles).not.toContain("Simulated");
    expect(titles).not.toContain("To first call, s");
  });

  it("can divide the cost by the successes, or show all costs", () => {
    expect(column(efficiency.compute([planner], { per: "success" })[0], "Requests")).toEqual(["16.00"]);
    expect(column(efficiency.compute([planner], { per: "total" })[0], "Requests")).toEqual(["16.00"]);
    expect(
      column(efficiency.compute([runOf("none", [rowOf("a", { value: 0 })])], { per: "success" })[0], "Requests"),
    ).toEqual(["-"]);
  });

  it("shows planning, acting, summarising and replanning separately", () => {
    const [, stages] = efficiency.compute([planner, search], {});
    expect(texts(stages)).toEqual([
      ["planner", "1.00", "5.50", "1.00", "0.50", "2"],
      ["search", "0.00", "20.00", "0.00", "0.00", "1"],
    ]);
  });

  it("draws the chosen effort as bars, and is empty before a task has ended", () => {
    const bars = efficiency.compute([planner, search], { bars: "calls" })[2] as BarsFigure;
    expect(bars.bars.map(({ cell }) => cell.value)).toEqual([8, 20]);
    expect(efficiency.missing!([runOf("new", [rowOf("a", { state: "running" })])])).toBe("No task has ended yet");
  });
});

describe("the analysis of planner and actor", () => {
  const runs = [
    runOf("1", [rowOf("a", { value: 1 })]),
    runOf("2", [rowOf("a", { value: 0 })], { model: "small", actor: "big" }),
    runOf("3", [rowOf("a", { value: 1 }), rowOf("b", { value: 0 })], { model: "big", actor: "small" }),
    runOf("react", [rowOf("a", { value: 1 })], { strategy: "react" }),
  ];

  it("has a grid of planners and actors, with empty cells for missing combinations", () => {
    const [grid] = plannerActor.compute(runs, { measures: "rule.success", strategy: "tool-planner" }) as [GridFigure];
    expect(grid.y.ticks).toEqual(["big", "small"]);
    expect(grid.x.ticks).toEqual(["big", "small"]);
    expect(grid.cells.map((line) => line.map((cell) => cell?.text))).toEqual([
      ["100.00", "50.00"],
      ["0.00", undefined],
    ]);
  });

  it("never shows calls or seconds as percentages, however small the numbers are", () => {
    const few = runOf("few", [rowOf("a", { value: 1, calls: 1, seconds: 0.04 })], { actor: "small" });
    const grids = plannerActor.compute([few], { measures: "rule.success", published: "off" });
    const lines = grids.map((grid) => drawGrid(grid as GridFigure, { width: 80, ascii: true }).foot);
    const scales = lines.map((all) => all.flat().find(({ text }) => text.startsWith(" scale "))?.text);
    expect(scales).toEqual([" scale 0 to 100 % ", " scale 0 to 1 ", " scale 0 to 0.04 "]);
  });

  it("shows the paper's own table next to the grid", async () => {
    const reported = await toolbench.reported!();
    const figures = plannerActor.compute([{ ...runs[0]!, reported }], { measures: "rule.success" });
    expect(figures.at(-1)?.title).toContain("Table 7");
    expect(plannerActor.missing!([runs[3]!])).toContain("No run has a strategy");
  });
});

describe("the analysis of tool errors", () => {
  const run = runOf("mine", [
    rowOf("a", { value: 0, kinds: ["invalid-parameter", "invalid-parameter", "environment"] }),
    rowOf("b", { value: 0, kinds: ["cluster-incomplete", "api-hallucinated"] }),
    rowOf("c", { value: 1 }),
  ]);

  it("divides the errors into six kinds, with unavailable tools listed separately", () => {
    const [table] = toolErrors.compute([run], { of: "errors", unavailable: "apart" });
    expect(column(table, "Invalid Input Parameters")).toEqual(["50.00"]);
    expect(column(table, "Cluster Incomplete")).toEqual(["25.00"]);
    expect(column(table, "Decision Failure")).toEqual(["0.00"]);
    expect(column(table, "n")).toEqual(["4"]);
    const [counted] = toolErrors.compute([run], { unavailable: "counted" });
    expect(column(counted, "Tool unavailable")).toEqual(["20.00"]);
  });

  it("can count tasks instead of errors, and quotes each error's message", () => {
    const [table, bars, words] = toolErrors.compute([run], { count: "tasks" });
    expect(bars).toMatchObject({ kind: "bars", title: `Tasks with an error by kind: ${run.label}` });
    expect(column(table, "Invalid Input Parameters")).toEqual(["33.33"]);
    expect(texts(words)[0]).toEqual(["Invalid Input Parameters", "a", "invalid-parameter in a"]);
    expect(column(toolErrors.compute([runOf("clean", [rowOf("a", { value: 1 })])], {})[0], "n")).toEqual(["0"]);
  });
});
