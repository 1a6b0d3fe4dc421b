import type { RowTable } from "../../log/rows/rows.ts";
import type { Sums } from "../../log/rows/run-sums.ts";

/** From so many requests a task on, tasks are long: how many of them have ended says little of how far a run is. */
const long = 4;

/**
 * About how many requests all tasks of a run will have taken, as its ended ones took on the average; undefined before the first has
 * ended, and where tasks are not long.
 */
export function expectedRequests(
  { right, wrong, unscored, failed, spent: { calls } }: Pick<Sums, "right" | "wrong" | "unscored" | "failed" | "spent">,
  table: Pick<RowTable, "row">,
  running: readonly string[],
  total: number,
): number | undefined {
  const ended = right + wrong + unscored + failed;
  const open = running.reduce((sum, task) => sum + (table.row(task)?.spent.calls ?? 0), 0);
  const each = (calls - open) / ended;
  return ended > 0 && each >= long ? Math.max(calls, Math.round(each * total)) : undefined;
}
