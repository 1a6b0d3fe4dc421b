/** What is written about a round only as long as it is there: it may be taken away meanwhile, and nothing of it may stay behind. */
import type { Redis } from "./connection.ts";
import type { RoundKeys } from "./rounds/round-keys.ts";

/** In one step, as it may be taken away between two. */
const write = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call(ARGV[1], KEYS[2], unpack(ARGV, 2)) end
`;

/** A command of Redis that writes one key, which is one of the round's, with what stands behind the key. */
export async function writeWhileThere(
  redis: Redis,
  keys: RoundKeys,
  command: "HSET",
  key: keyof RoundKeys,
  ...values: readonly string[]
): Promise<void> {
  await redis.eval(write, 2, keys.manifest, keys[key], command, ...values);
}
