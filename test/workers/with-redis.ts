/** Tests that need `redis-server` are skipped, by name, if it is missing, unless PLANWRIGHT_REQUIRE_SHARED is set. */
import { Redis } from "ioredis";
import { describe, onTestFinished, test } from "vitest";
import { redisInstalled, type RedisServer } from "./redis-server.ts";

if (!redisInstalled && process.env["PLANWRIGHT_REQUIRE_SHARED"] !== undefined)
  throw new Error("Expected redis-server to be installed: apt-get install --no-install-recommends redis-server");

/** A `describe` that is skipped if `redis-server` is missing. */
export const describeWithRedis = (name: string, body: () => void): void =>
  void describe.skipIf(!redisInstalled)(name, redisInstalled ? body : () => test("needs redis-server"));

type ClientOptions = { readonly password?: string; readonly tls?: { readonly ca: Buffer } };

/** Returns a client that does not retry and is closed with the test. */
export function redisClient(server: RedisServer, options: ClientOptions = {}): Redis {
  const redis = new Redis(server.url, { retryStrategy: () => null, maxRetriesPerRequest: 0, ...options });
  redis.on("error", () => {});
  onTestFinished(() => redis.disconnect());
  return redis;
}
