import { describe, expect, it, onTestFinished } from "vitest";
import { livingWorkers, Presence, type PresenceCommands, type WorkerPresence } from "../../source/workers/presence.ts";
import { openTestClock } from "../engine/work/test-clock.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";

const one: WorkerPresence = {
  id: "node1:17:a",
  name: "node1/17",
  host: "node1",
  pid: 17,
  version: "0.2.0",
  concurrency: 8,
  since: 1_790_000_000_000,
  load: 0.5,
  tokensPerSecond: 120,
  ended: 5,
  failed: 1,
  tasks: [{ run: "r", task: "1" }],
  endpoints: ["a1b2"],
};
const other = { ...one, id: "node2:17:b", name: "node2/17", host: "node2" };

/** The subset of Redis that presence needs: keys with expiry times, and one set. */
function toyRedis() {
  const keys = new Map<string, string>();
  const lives: number[] = [];
  const ids = new Set<string>();
  let away = false;
  const answered = async <T>(value: () => T): Promise<T> => {
    if (away) throw new Error("connection refused");
    return value();
  };
  const commands: PresenceCommands = {
    set: (key: string, value: string, _px: "PX", life: number) =>
      answered(() => (keys.set(key, value), lives.push(life), "OK")),
    sadd: (_: string, id: string) => answered(() => ids.add(id).size),
    srem: (_: string, gone: string[]) => answered(() => gone.filter((id) => ids.delete(id)).length),
    del: (key: string) => answered(() => Number(keys.delete(key))),
    smembers: () => answered(() => [...ids]),
    mget: (names: string[]) => answered(() => names.map((name) => keys.get(name) ?? null)),
  };
  return { commands, keys, lives, ids, setAway: (now: boolean) => (away = now) };
}

describe("the presence of a worker", () => {
  it("is reported repeatedly with its current state, under a key that expires later", async () => {
    const clock = openTestClock();
    const { commands, lives } = toyRedis();
    let now = one;
    const presence = new Presence(commands, () => now, clock);
    await clock.advance(0);
    expect(await livingWorkers(commands)).toEqual([one]);
    now = { ...one, ended: 6, tasks: [] };
    const [next = 0] = clock.due();
    expect(lives.every((life) => life > 2 * next)).toBe(true);
    await clock.advance(next);
    expect(await livingWorkers(commands)).toEqual([now]);
    await presence.end();
    expect(clock.due()).toEqual([]);
    expect(await livingWorkers(commands)).toEqual([]);
  });

  it("is reported again when Redis is back", async () => {
    const clock = openTestClock();
    const { commands, setAway } = toyRedis();
    setAway(true);
    const presence = new Presence(commands, () => one, clock);
    await clock.advance(0);
    setAway(false);
    expect(await livingWorkers(commands)).toEqual([]);
    await clock.advance(clock.due()[0]!);
    expect(await livingWorkers(commands)).toEqual([one]);
    setAway(true);
    await presence.end();
  });

  it("expires after its worker was killed, and the worker's name is forgotten", async () => {
    const { commands, keys, ids } = toyRedis();
    for (const each of [other, one]) {
      const presence = new Presence(commands, () => each, openTestClock());
      onTestFinished(() => presence.end());
    }
    await until(() => expect(ids.size).toBe(2));
    expect(await livingWorkers(commands)).toEqual([one, other]);
    keys.delete(`planwright:worker:${one.id}`);
    expect(await livingWorkers(commands)).toEqual([other]);
    expect([...ids]).toEqual([other.id]);
  });

  it.each([
    ["not JSON", "{"],
    ["a field of another type", JSON.stringify({ ...one, concurrency: "8" })],
    ["an empty object", "{}"],
  ])("is skipped if it is invalid: %s", async (_, text) => {
    const { commands, keys, ids } = toyRedis();
    ids.add("x");
    keys.set("planwright:worker:x", text);
    expect(await livingWorkers(commands)).toEqual([]);
  });
});

describeWithRedis("the presence of a worker in a real Redis", () => {
  it("is listed while the worker is running, with the time after which its key expires", async () => {
    await using server = await RedisServer.start();
    const redis = redisClient(server);
    const presences = [one, other].map((each) => new Presence(redis, () => each));
    await until(async () => expect(await livingWorkers(redis)).toEqual([one, other]));
    expect(await redis.pttl(`planwright:worker:${one.id}`)).toBeGreaterThan(0);
    await presences[0]!.end();
    expect(await livingWorkers(redis)).toEqual([other]);
    // Deletes the key as its expiry would.
    await redis.del(`planwright:worker:${other.id}`);
    expect(await livingWorkers(redis)).toEqual([]);
    expect(await redis.keys("planwright:workers")).toEqual([]);
    await presences[1]!.end();
  });
});
