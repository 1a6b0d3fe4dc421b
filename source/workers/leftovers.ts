/** What is left in Redis of a round that was taken away. */
import type { Redis } from "./connection.ts";
import { roundsKey } from "./rounds/round-keys.ts";

/** In one step, as a coordinator may begin the round anew meanwhile. */
const remove = `
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then redis.call('DEL', KEYS[2]) end
`;

/**
 * Removes the queue's settings (`meta`) of a round that is not listed any more: where a worker was suspended as the round was taken
 * away, its queue's timer has written them again. Those of a round that is listed stay: whether it is paused stands in them.
 */
export async function removeLeftovers(redis: Redis, round: string, meta: string): Promise<void> {
  await redis.eval(remove, 2, roundsKey, meta, round);
}
