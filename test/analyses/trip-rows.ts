/** Rows as in TravelPlanner runs. */
import type { RunRows } from "../../source/engine/analysis.ts";
import type { PaperNumbers } from "../../source/engine/suite.ts";
import type { Facets, Row, Score } from "../../source/engine/types.ts";
import { travelplanner } from "../../suites/travelplanner/index.ts";
import { bareSpec } from "../bare-spec.ts";
import { bareRow } from "../bare-row.ts";

export const nothingPrinted: PaperNumbers = { values: [], tables: [] };

export function tripRow(task: string, facets: Facets, score: Partial<Score> | undefined): Row {
  const empty: Score = { value: 0, metrics: {}, checks: [], errors: [] };
  return bareRow("r1", task, {
    question: task,
    facets,
    state: score === undefined ? "failed" : "scored",
    score: score === undefined ? undefined : { ...empty, ...score },
    failure: score === undefined ? { kind: "model", message: "gone" } : undefined,
    seconds: 1,
    to: 1,
  });
}

export function tripRun(
  label: string,
  rows: readonly Row[],
  reported = nothingPrinted,
  mode = "sole-planning",
): RunRows {
  const spec = bareSpec("travelplanner", { options: { mode } });
  return { run: "r1", label, spec, suite: travelplanner, rows, reported, warnings: [], readsAnswerKey: false };
}
