/** The workers at the address of a Redis. */
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import { connectRedis } from "./connection.ts";
import { livingWorkers, type WorkerPresence } from "./presence.ts";

/** Throws `Problem` where Redis cannot be asked. */
export async function workersAt(url: OwnRedis): Promise<readonly WorkerPresence[]> {
  const redis = await connectRedis(url);
  try {
    return await livingWorkers(redis);
  } finally {
    redis.disconnect();
  }
}
