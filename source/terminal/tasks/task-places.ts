/** Positions of tasks in lists; a long list is indexed once, not with every key. */
import type { TaskRef } from "../../engine/types.ts";
import { atOnce, eachInTurn, type Pieces } from "../../engine/work/pieces.ts";

const known = new WeakMap<readonly TaskRef[], ReadonlyMap<string, number>>();

/** Returns the position of each task by its key, from 0; `placeInList` then needs no search. */
export function* taskPlaces(tasks: readonly TaskRef[]): Pieces<ReadonlyMap<string, number>> {
  const before = known.get(tasks);
  if (before !== undefined) return before;
  const places = new Map<string, number>();
  yield* eachInTurn(tasks, (task, place) => places.set(listedKey(task), place));
  known.set(tasks, places);
  return places;
}

/** Returns the position of a task in a list, from 0, or -1. */
export const placeInList = (tasks: readonly TaskRef[], task: TaskRef): number =>
  atOnce(taskPlaces(tasks)).get(listedKey(task)) ?? -1;

/** Returns a key that identifies a task among all runs. */
export const listedKey = ({ run, task }: TaskRef): string => `${run} ${task}`;
