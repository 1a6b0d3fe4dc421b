/** Draws tasks at random to be labelled: two people with the same runs and seed get the same tasks. */
import { wasStopped } from "../../problem.ts";
import { randomFrom } from "../../statistics/random.ts";
import type { Row } from "../../types.ts";

/** Returns the rows of tasks that have ended, and can be labelled. */
export const labelledRows = (rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ state, failure }) => state === "scored" || (state === "failed" && !wasStopped(failure)));

/**
 * Returns the rows of n tasks in random order, or all if there are fewer. Each task has a random position that depends on no
 * other task, so a larger sample starts with the smaller sample, and a task that is added later moves no other task.
 */
export function labelSample(
  rows: readonly Row[],
  { seed, n }: { readonly seed: number; readonly n: number },
): readonly Row[] {
  return labelledRows(rows)
    .map((row) => ({ row, place: randomFrom(`label ${seed} ${row.run} ${row.task}`)() }))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, n)
    .map(({ row }) => row);
}
