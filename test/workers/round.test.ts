/** A round in Redis that is removed while workers check it. */
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { removeLeftovers, Round, noteWhileThere } from "../../source/workers/rounds/round.ts";
import { queuePrefix } from "../../source/workers/rounds/round-keys.ts";
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

describeWithRedis("a round", () => {
  test("is removed whole while workers remove its rest", async () => {
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

  test("leaves nothing behind if somebody watches, cuts or rejects it during removal", async () => {
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

  test("is cut and removed at a Redis that is full of it", async () => {
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

  test("keeps its settings when listed, which include whether it is paused", async () => {
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
