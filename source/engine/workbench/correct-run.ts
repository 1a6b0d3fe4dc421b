/** A person's word on an error of a run: who says it, and what the scorer itself says of the task. */
import { userInfo } from "node:os";
import type { Correction } from "../corrections/correct-error.ts";
import type { LoadedSuites } from "./loaded-suites.ts";
import { Problem } from "../problem.ts";
import type { RunControl } from "./run-control.ts";
import type { Score } from "../types.ts";

/** As `correctError`. Answers made elsewhere are not read again: their score as it was kept is the scorer's word. */
export async function correctRun(
  run: Pick<RunControl, "planned" | "spec" | "store" | "tasks">,
  loadedSuites: LoadedSuites,
  correction: Correction,
): Promise<string | undefined> {
  // Seldom needed: the start of the program does not wait for it.
  const { correctError, withoutOverrides } = await import("../corrections/correct-error.ts");
  const { scoreAgain } = await import("../run/rescore.ts");
  const { planned, spec, store } = run;
  const row = store.table.row(correction.task);
  if (row?.state !== "scored" || row.score === undefined) throw new Problem("parse", "This task has no score yet");
  const kept = row.score;
  const score = async (): Promise<Score> => {
    if (planned.predictions !== undefined) return withoutOverrides(kept);
    const loaded = await loadedSuites.open(spec.suite, spec.data);
    const task = (await run.tasks()).find(({ id }) => id === correction.task);
    if (task === undefined) throw new Problem("tool", "This task is not among those of the run any more");
    return scoreAgain(store, task, loaded, spec);
  };
  return correctError(store, loadedSuites.suite(spec.suite), score, { ...correction, source: personName() });
}

/** The name one is logged in by; `a person` where the system knows none. Never throws. */
export function personName(read: () => string = () => userInfo().username): string {
  try {
    return read().trim() || "a person";
  } catch {
    return "a person";
  }
}
