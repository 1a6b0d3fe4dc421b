/** Connections to the Redis that workers meet in. `bullmq` and `ioredis` are loaded with the first one: only who uses workers needs them. */
import { isIP } from "node:net";
import type { Redis } from "ioredis";
import { Problem } from "../engine/problem.ts";
import type { OwnRedis } from "../engine/settings/own-redis.ts";
import {
  readRedisUrl,
  redisName,
  redisPasswordVariable,
  type RedisPlace,
  redisUserVariable,
} from "../engine/settings/redis-place.ts";

export type { Redis } from "ioredis";

/** Milliseconds between tries to reach a Redis that is away, at most. */
const longestPause = 2000;
/** Milliseconds before Redis is sent again what it did not take, as it is full. */
export const beforeAgain = 500;

/**
 * A connection that comes back by itself after an outage; commands given meanwhile wait. Resolves once Redis has answered. Throws
 * `Problem` where the packages are missing and where it cannot be reached at first.
 */
export async function connectRedis(url: OwnRedis, environment: NodeJS.ProcessEnv = process.env): Promise<Redis> {
  const place = readRedisUrl(url);
  const { Redis } = await loadRedisPackages();
  const redis = new Redis(optionsOf(place, environment));
  // Why it is away is asked for where it matters; without a listener it would be printed.
  let reason = "";
  redis.on("error", (error: Error) => void (reason = error.message));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    redis.disconnect();
    throw new Problem(
      "tool",
      `Redis at ${redisName(place)} cannot be used: ${refusalText(reason || (error as Error).message)}`,
    );
  }
  return redis;
}

/** What Redis or the network says; where it is about the password, also where that is read from. */
function refusalText(message: string): string {
  return /NOAUTH|WRONGPASS|AUTH/.test(message)
    ? `${message} (the password is read from ${redisPasswordVariable})`
    : message;
}

function optionsOf({ host, port, tls, db }: RedisPlace, environment: NodeJS.ProcessEnv) {
  const [password, username] = [environment[redisPasswordVariable], environment[redisUserVariable]];
  return {
    host,
    port,
    db,
    // An address made of numbers is no name that a certificate is asked for by.
    ...(tls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    ...(password !== undefined && password !== "" && { password }),
    ...(username !== undefined && username !== "" && { username }),
    // Commands wait for as long as it is away: an outage is not their failure.
    maxRetriesPerRequest: null,
    lazyConnect: true,
    retryStrategy: (tries: number) => Math.min(tries * 100, longestPause),
  };
}

/** Throws `Problem` naming both packages where one is missing. */
export async function loadRedisPackages(): Promise<Pick<typeof import("ioredis"), "Redis"> & typeof import("bullmq")> {
  try {
    const [{ Redis }, bullmq] = await Promise.all([import("ioredis"), import("bullmq")]);
    return { ...bullmq, Redis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Problem(
      "tool",
      "Workers need the packages `bullmq` and `ioredis`, which are not installed: npm install bullmq ioredis",
    );
  }
}
