/** A round in Redis, taken away while workers look around. */
import { expect, test } from "vitest";
import { removeLeftovers } from "../../source/workers/leftovers.ts";
import { Round } from "../../source/workers/round.ts";
import { queuePrefix } from "../../source/workers/round-keys.ts";
import { writeWhileThere } from "../../source/workers/write-while-there.ts";
import { bareSpec } from "../bare-spec.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";

const meta = (id: string) => `${queuePrefix}:${id}:meta`;

describeWithRedis("a round", () => {
  test("is taken away whole while workers remove what is left of it", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const worker = redisClient(redis);
    for (let number = 0; number < 20; number++) {
      const id = `round-${number}`;
      const round = await Round.connect(id, redis.url);
      await worker.zadd("planwright:rounds", number, id);
      await round.setConcurrency(2);
      let isThere = true;
      const removed = round.remove().finally(() => (isThere = false));
      while (isThere) await removeLeftovers(worker, id, meta(id));
      await removed;
      round.disconnect();
    }
    expect(await worker.keys("planwright:*")).toEqual([]);
  });

  test("leaves nothing behind where somebody looks on, cuts it or refuses it as it is taken away", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const client = redisClient(redis);
    const round = await Round.connect("round", redis.url);
    const spec = bareSpec("appbench");
    await round.begin({ run: "r", spec, version: "0", cache: false, prices: {}, toolkits: {} }, {});
    const say = async () => {
      await round.watch();
      await round.cut();
      await writeWhileThere(client, round.keys, "HSET", "refused", "a worker", "it has no such model");
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

  test("that is listed keeps its settings: whether it is paused stands in them", async () => {
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const worker = redisClient(redis);
    const round = await Round.connect("round", redis.url);
    await worker.zadd("planwright:rounds", 1, "round");
    await round.pause();
    await removeLeftovers(worker, "round", meta("round"));
    expect(await worker.hget(meta("round"), "paused")).toBe("1");
    await worker.zrem("planwright:rounds", "round");
    await removeLeftovers(worker, "round", meta("round"));
    expect(await worker.exists(meta("round"))).toBe(0);
    round.disconnect();
  });
});
