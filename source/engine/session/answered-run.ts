/** Finds the saved run of a session with the answers to a planned one: equal to it except for the judge. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { startOf } from "./older-code.ts";
import { runId } from "./run-spec.ts";
import type { AnswerSource } from "../log/rows/row-notes.ts";
import type { Prices } from "../log/rows/rows.ts";
import { RunStore } from "../log/run-store.ts";
import { isAnswered } from "../run/taken-answer.ts";
import type { RunSpec } from "../types.ts";
import { eventLoopYielder } from "../work/event-loop.ts";

export type AnsweredRun = {
  readonly source: AnswerSource;
  readonly store: RunStore;
  /** Tasks with an answer. */
  readonly tasks: ReadonlySet<string>;
};

/**
 * Returns the run in the `runs` of this session folder with the most answers, or else the one whose answers `own` contains
 * already. Undefined if there is none. Yields to the event loop, because it reads the rows of other runs.
 */
export async function answeredRun(
  folder: string,
  spec: RunSpec,
  prices: Prices = () => undefined,
  own: readonly { readonly source: AnswerSource }[] = [],
): Promise<AnsweredRun | undefined> {
  const runs = join(folder, "runs");
  if (!existsSync(runs)) return undefined;
  const [planned, unjudged] = [runId(spec), idWithoutJudge(spec)];
  let best: AnsweredRun | undefined;
  const yieldIfDue = eventLoopYielder();
  for (const run of readdirSync(runs).toSorted()) {
    if (run === planned) continue;
    await yieldIfDue();
    const saved = savedSpec(join(runs, run, "events.jsonl"), run);
    if (saved === undefined || idWithoutJudge(saved) !== unjudged) continue;
    const store = new RunStore(join(runs, run), { prices, reading: () => {} });
    await store.readRows();
    const tasks = new Set<string>();
    for (const row of store.table.rows()) {
      if (isAnswered(row)) tasks.add(row.task);
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
    const found = { source: { run, judge: saved.judge }, store, tasks };
    if (tasks.size > 0 && own.some(({ source }) => source.run === run)) return found;
    if (tasks.size > (best?.tasks.size ?? 0)) best = found;
  }
  return best;
}

/** Returns the spec a run was started with. Undefined for answers made elsewhere: settings alone do not identify their run. */
function savedSpec(path: string, run: string): RunSpec | undefined {
  const spec = startOf(path)?.spec;
  return spec !== undefined && runId(spec) === run ? spec : undefined;
}

/** Returns an id that is equal for runs with the same requests to their models, whoever judges the answers. */
export function idWithoutJudge(spec: RunSpec): string {
  const { judge: _, ...rest } = spec;
  return runId(rest);
}
