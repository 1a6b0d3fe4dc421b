/** Where a task stands in a list of tasks: a long one is looked through once, not with every key. */
import type { TaskRef } from "../../engine/types.ts";
import { atOnce, eachInTurn, type Pieces } from "../../engine/work/pieces.ts";

const known = new WeakMap<readonly TaskRef[], ReadonlyMap<string, number>>();

/** The place of each of them by its key, from 0; `placeInList` the same list then looks at none. */
export function* taskPlaces(tasks: readonly TaskRef[]): Pieces<ReadonlyMap<string, number>> {
  const before = known.get(tasks);
  if (before !== undefined) return before;
  const places = new Map<string, number>();
  yield* eachInTurn(tasks, (task, place) => places.set(listedKey(task), place));
  known.set(tasks, places);
  return places;
}

/** Where a task is in a list, from 0; -1 where it is not in it. */
export function placeInList(tasks: readonly TaskRef[], task: TaskRef): number {
  return atOnce(taskPlaces(tasks)).get(listedKey(task)) ?? -1;
}

/** What tells a task from all others. */
export function listedKey({ run, task }: TaskRef): string {
  return `${run} ${task}`;
}
