/** Runs of two models with two kinds of prompts on two easy and two hard tasks, for tests of tables. */
import type { RunRows } from "../../../source/engine/analysis.ts";
import { columnName } from "../../../source/engine/figures/column-heads.ts";
import { pivot, type PivotPlan } from "../../../source/engine/measures/pivot/pivot.ts";
import type { Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { madeRun, type MadeRow, madeSpec, madeSuite, texts } from "../../analyses/made-run.ts";

/** The made suite with an option of two values. */
export const suite: Suite = {
  ...madeSuite,
  options: [{ name: "prompting", title: "Prompting", values: ["hierarchical", "flat"], default: "hierarchical" }],
};
const [first, second, third] = madeSuite.measures;
export const [right, hits, waste] = [first!, second!, third!];
export const easy = { level: "easy" };
export const hard = { level: "hard" };

export function run(name: string, spec: Partial<RunSpec>, rows: readonly MadeRow[]): RunRows {
  return madeRun(name, rows, { suite, spec: { ...madeSpec, ...spec } });
}

/** Easy tasks right in `share[0]` of two, hard tasks in `share[1]`. */
export const rows = (easyRight: number, hardRight: number): MadeRow[] => [
  { task: "e1", facets: easy, right: easyRight > 0 ? 1 : 0, metrics: { hits: 1, tries: 2 } },
  { task: "e2", facets: easy, right: easyRight > 1 ? 1 : 0, metrics: { hits: 1, tries: 2 } },
  { task: "h1", facets: hard, right: hardRight > 0 ? 1 : 0, metrics: { hits: 0, tries: 2 } },
  { task: "h2", facets: hard, right: hardRight > 1 ? 1 : 0, metrics: { hits: 1, tries: 2 } },
];
const flat = { options: { prompting: "flat" } };
export const small = run("small", {}, rows(1, 0));
export const smallFlat = run("small, flat", flat, rows(0, 1));
export const large = run("large", { model: "lab/large" }, rows(2, 1));
export const largeFlat = run("large, flat", { model: "lab/large", ...flat }, rows(2, 2));
export const grid = [small, smallFlat, large, largeFlat];

/** Lays runs out as a table of `right`, unless the plan says otherwise. */
export function made(runs: readonly RunRows[], plan: Partial<PivotPlan>) {
  const { table, bars, notes } = pivot(runs, {
    rows: [],
    columns: [],
    measures: [right],
    reported: [],
    intervals: false,
    ...plan,
  });
  const { columns, rows: lines } = table;
  return { columns, names: columns.map(columnName), lines, texts: texts(lines), bars, notes };
}
