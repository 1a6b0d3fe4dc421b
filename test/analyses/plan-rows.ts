/** Rows as in PlanningArena runs. */
import type { RunRows } from "../../source/engine/analysis.ts";
import type { PaperNumbers } from "../../source/engine/suite.ts";
import type { Facets, Row, RunSpec } from "../../source/engine/types.ts";
import { planningarena } from "../../suites/planningarena/index.ts";
import { bareSpec } from "../bare-spec.ts";
import { bareRow } from "../bare-row.ts";

const nothing: PaperNumbers = { values: [], tables: [] };
const usual = { level: "easy", relation: "SAPP", structure: "SAPP", scenario: "1_travel" };

export function planRow(
  run: string,
  task: string,
  facets: Facets,
  metrics: Readonly<Record<string, number>> | undefined,
): Row {
  const all = { ...usual, ...facets };
  return bareRow(run, task, {
    question: task,
    facets: { ...all, interface: String(all.relation).slice(-3) },
    state: metrics === undefined ? "failed" : "scored",
    score: metrics === undefined ? undefined : { value: metrics["result"], metrics, checks: [], errors: [] },
    failure: metrics === undefined ? { kind: "model", message: "gone" } : undefined,
    calls: 2,
    seconds: 1,
    to: 1,
  });
}

export function planRun(
  label: string,
  rows: readonly Row[],
  more: { readonly reported?: PaperNumbers; readonly options?: RunSpec["options"] } = {},
): RunRows {
  const { reported = nothing, options = { profile: "on" } } = more;
  const spec = bareSpec("planningarena", { model: "test/model", strategy: "dialogue", options });
  return { run: label, label, spec, suite: planningarena, rows, reported, warnings: [], readsAnswerKey: false };
}

/** Returns the texts of a figure's cells. */
export const texts = (cells: readonly (readonly ({ readonly text: string } | undefined)[])[]) =>
  cells.map((line) => line.map((cell) => cell?.text ?? ""));
