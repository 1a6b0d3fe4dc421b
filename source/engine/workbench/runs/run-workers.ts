/** Which workers execute the tasks of a run now. */
import { counted } from "../../text/counted.ts";
import type { TaskEvent } from "../../types.ts";

export type WorkerShare = { readonly worker: string; readonly tasks: number };

/** How many of these tasks each worker has in hand, by its name; none where this program executes them. */
export function runWorkers(
  running: readonly string[],
  live: (task: string) => { readonly events: readonly TaskEvent[] } | undefined,
): { readonly workers?: readonly WorkerShare[] } {
  const counts = new Map<string, number>();
  for (const task of running) {
    const first = live(task)?.events[0];
    const name = first?.type === "started" ? first.worker?.name : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return {};
  const shares = [...counts].map(([worker, tasks]) => ({ worker, tasks }));
  return { workers: shares.sort((one, other) => one.worker.localeCompare(other.worker)) };
}

/** So many workers are named; the others are counted. */
const mostNamed = 8;

/** Each with its tasks, in words. */
export function workerTexts(workers: readonly WorkerShare[]): readonly string[] {
  const rest = workers.slice(mostNamed);
  const tasks = rest.reduce((sum, each) => sum + each.tasks, 0);
  return [
    ...workers.slice(0, mostNamed).map((each) => `${each.worker}: ${counted(each.tasks, "task")}`),
    ...(rest.length === 0 ? [] : [`${counted(rest.length, "more worker")}: ${counted(tasks, "task")}`]),
  ];
}
