/** Demonstrations for a suite whose paper does not describe how they are chosen. */
import { shuffled } from "../statistics/random.ts";

/** Returns `count` tasks of the pool, all equally likely, never the task itself. Returns fewer if the pool has no more. */
export function drawnShots<T extends { readonly id: string }>(
  task: Pick<T, "id">,
  count: number,
  pool: readonly T[],
  random: () => number,
): T[] {
  const others = pool.filter(({ id }) => id !== task.id);
  return shuffled(others, random).slice(0, count);
}
