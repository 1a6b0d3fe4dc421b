import type { TaskRef } from "../../engine/types.ts";

const known = new WeakMap<readonly TaskRef[], ReadonlyMap<string, number>>();

/** Where a task is in a list, from 0; -1 where it is in none. A list is looked through once, not with every key. */
export function siblingPlace(siblings: readonly TaskRef[], ref: TaskRef): number {
  let places = known.get(siblings);
  if (places === undefined) {
    places = new Map(siblings.map((each, place) => [keyOf(each), place]));
    known.set(siblings, places);
  }
  return places.get(keyOf(ref)) ?? -1;
}

function keyOf({ run, task }: TaskRef): string {
  return `${run} ${task}`;
}
