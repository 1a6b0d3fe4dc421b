/** Where a line of an export is from, for who has that line alone. */
import type { Row } from "../../types.ts";
import type { JsonRecord } from "../../text/json-record.ts";
import type { ExportedRun } from "./exported-run.ts";

/** The task, and of its run what a reader tells runs apart by; all of its settings are in the rows. */
export function originOf({ run, cell, label, readsAnswerKey, spec }: ExportedRun, { task }: Row): JsonRecord {
  const { suite, split, data, dataset, strategy, trial } = spec;
  const own = dataset === undefined ? {} : { dataset };
  return { run, cell, label, readsAnswerKey, suite, split, data, ...own, strategy, trial, task };
}
