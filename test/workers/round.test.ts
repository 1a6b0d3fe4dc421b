/** A round in Redis that is removed while workers check it. */
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { beginAttempt } from "../../source/workers/attempts.ts";
import { loadRedisPackages } from "../../source/workers/connection.ts";
import { removeLeftovers, Round, noteWhileThere } from "../../source/workers/rounds/round.ts";
import { aliveKey, queuePrefix } from "../../source/workers/rounds/round-keys.ts";
import { bareSpec } from "../bare-spec.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";

const manifest = {
  run: "r",
  spec: bareSpec("appbench"),
  version: "0",
  cache: false,
  prices: {},
  toolkits: {},
};
const meta = (id: string) => `${queuePrefix}:${id}:meta`;

describeWithRedis("a round in Redis", () => {
  test("is removed completely while workers are still writing to it", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const worker = redisClient(redis);
    for (let number = 0; number < 20; number++) {
      const id = `round-${number}`;
      const round = await Round.connect(id, redis.url, tmpdir());
      await round.begin(manifest, {});
      await round.steer({ do: "concurrency", to: 2 });
      let isThere = true;
      const removed = round.remove().finally(() => (isThere = false));
      while (isThere) await removeLeftovers(worker, id, meta(id));
      await removed;
      round.disconnect();
    }
    expect(await worker.keys("planwright:*")).toEqual([]);
  });

  test("leaves nothing behind if another program watches, aborts or rejects the round during removal", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const client = redisClient(redis);
    const round = await Round.connect("round", redis.url, tmpdir());
    await round.begin(manifest, {});
    const say = async () => {
      await round.steer({ do: "follow" });
      await round.steer({ do: "stop" });
      await noteWhileThere(client, round.keys, "refused", "a worker", "it has no such model");
    };
    await say();
    expect(await client.ttl(round.keys.watched)).toBeGreaterThan(0);
    expect(await client.get(round.keys.cut)).toBe("1");
    expect(await round.refusals()).toEqual(new Map([["a worker", "it has no such model"]]));
    await round.remove();
    await say();
    expect(await client.keys("planwright:*")).toEqual([]);
    round.disconnect();
  });

  test("is aborted and removed at a Redis that is full because of the round", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const client = redisClient(redis);
    const round = await Round.connect("round", redis.url, tmpdir());
    await round.begin(manifest, {});
    await round.add([{ task: "q1", saved: {} }]);
    const used = Number(/^used_memory:(\d+)/m.exec(await client.info("memory"))![1]);
    for (let count = 0; count < 40; count++) await client.xadd(round.keys.events, "*", "of", "x".repeat(100_000));
    await client.config("SET", "maxmemory", String(used + 1_000_000));
    await expect(round.steer({ do: "follow" })).rejects.toThrow("OOM");
    await round.steer({ do: "stop" });
    expect(await client.get(round.keys.cut)).toBe("1");
    await round.remove();
    expect(await client.keys("planwright:*")).toEqual([]);
    round.disconnect();
  });

  test("lists its tasks in flight at a cost that does not depend on the number of attempts", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const client = redisClient(redis);
    const round = await Round.connect("round", redis.url, tmpdir());
    await round.begin(manifest, {});
    const { keys } = round;
    await round.add(["q1", "q2", "q3", "q4", "q5"].map((task) => ({ task, saved: {} })));
    const { Worker } = await loadRedisPackages();
    const worker = new Worker("round", null, { connection: client, prefix: queuePrefix });
    for (const token of ["1", "2", "3", "4"]) await worker.getNextJob(token, { block: false });
    await client.set(aliveKey("alive"), "1");
    await beginAttempt(client, keys, { task: "q1", attempt: "1", worker: "alive" });
    await beginAttempt(client, keys, { task: "q2", attempt: "2", worker: "dead" });
    await beginAttempt(client, keys, { task: "q3", attempt: "3", worker: "alive" });
    await client.sadd(keys.ended, "q3");
    const commands = async () => {
      await client.config("RESETSTAT");
      // The fourth has no attempt yet, and the fifth has no worker.
      expect(await round.inFlight()).toEqual(["q1"]);
      return Object.fromEntries(
        [...(await client.info("commandstats")).matchAll(/cmdstat_(\w+):calls=(\d+)/g)]
          .map(([, name, calls]) => [name!, Number(calls)] as const)
          .filter(([name]) => ["hgetall", "smembers", "hget", "sismember", "exists"].includes(name)),
      );
    };
    const few = await commands();
    expect(few).toMatchObject({ hget: 4, sismember: 4, exists: 2 });
    const others = Array.from({ length: 5_000 }, (_, index) => `other-${index}`);
    await client.hset(keys.attempts, Object.fromEntries(others.map((task) => [task, "a|alive|3"])));
    await client.sadd(keys.ended, ...others);
    expect(await commands()).toEqual(few);
    expect(few).not.toHaveProperty("smembers");
    await worker.close(true);
    round.disconnect();
  });

  test("keeps its settings when listed, including whether it is paused", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const worker = redisClient(redis);
    const round = await Round.connect("round", redis.url, tmpdir());
    await round.begin(manifest, {});
    await round.steer({ do: "pause" });
    await removeLeftovers(worker, "round", meta("round"));
    expect(await worker.hget(meta("round"), "paused")).toBe("1");
    await worker.zrem("planwright:rounds", "round");
    await removeLeftovers(worker, "round", meta("round"));
    expect(await worker.exists(meta("round"))).toBe(0);
    round.disconnect();
  });
});
