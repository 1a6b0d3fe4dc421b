/** The workers at the address of a Redis. */
import { connectRedis } from "./connection.ts";
import { livingWorkers, type WorkerPresence } from "./presence.ts";

/** Throws `Problem` where Redis cannot be asked. */
export async function workersAt(url: string): Promise<readonly WorkerPresence[]> {
  const redis = await connectRedis(url);
  try {
    return await livingWorkers(redis);
  } finally {
    redis.disconnect();
  }
}
