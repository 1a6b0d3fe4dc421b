/** Tests that need `redis-server` are skipped, by name, where it is absent, unless PLANWRIGHT_REQUIRE_SHARED is set. */
import { describe, test } from "vitest";
import { redisInstalled } from "./redis-server.ts";

if (!redisInstalled && process.env["PLANWRIGHT_REQUIRE_SHARED"] !== undefined)
  throw new Error("Expected redis-server to be installed: apt-get install --no-install-recommends redis-server");

/** A `describe` that is skipped where there is no `redis-server`. */
export const describeWithRedis = (name: string, body: () => void): void =>
  void describe.skipIf(!redisInstalled)(name, redisInstalled ? body : () => test("needs redis-server"));
