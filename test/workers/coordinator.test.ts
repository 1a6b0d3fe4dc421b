import { hostname, tmpdir } from "node:os";
import { expect, it } from "vitest";
import { Coordinator, RoundTaken } from "../../source/workers/coordinator.ts";
import { roundKeys } from "../../source/workers/rounds/round-keys.ts";
import { bareSpec } from "../bare-spec.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";

const keys = roundKeys("r");
const manifest = { run: "r", spec: bareSpec("appbench"), version: "0", cache: false, prices: {}, toolkits: {} };
const written = ["SET", keys.watched, "1"] as const;

/** Begins a round in one folder, with a second coordinator in another folder. */
async function twoCoordinators(server: RedisServer) {
  const redis = redisClient(server);
  const first = new Coordinator(redis, keys, import.meta.dirname);
  await first.begin("r", manifest, { "questions.jsonl": Buffer.from([0, 255]) });
  /** Makes the coordinator appear silent for 10 s. */
  const silence = () => redis.hincrby(keys.coordinator, "heard", -10_000);
  return { redis, first, second: new Coordinator(redis, keys, tmpdir()), silence };
}

describeWithRedis("the coordinator of a round", () => {
  it("rejects a second coordinator in another folder, and names the host and folder of the first", async () => {
    await using server = await RedisServer.start();
    const { redis, first, second } = await twoCoordinators(server);
    let refused: unknown;
    const over = second.claim().catch((error: unknown) => (refused = error));
    await until(async () => {
      await first.renew();
      expect(refused).toBeInstanceOf(RoundTaken);
    });
    await over;
    expect((refused as Error).message).toContain(`${import.meta.dirname} on ${hostname()} coordinates`);
    await expect(second.begin("r", manifest, {})).rejects.toThrow(RoundTaken);
    expect(await redis.hgetallBuffer(keys.files)).toEqual({ "questions.jsonl": Buffer.from([0, 255]) });
    await redis.del(keys.watched);
    await expect(second.write(written)).rejects.toThrow(RoundTaken);
    expect(await redis.exists(keys.watched)).toBe(0);
    expect(await first.check()).toBe("held");
  });

  it("is replaced after 10 s of silence, and then writes nothing more", async () => {
    await using server = await RedisServer.start();
    const { redis, first, second, silence } = await twoCoordinators(server);
    const waited: string[] = [];
    const claimed = second.claim(({ folder }) => waited.push(folder) > 0);
    await until(() => expect(waited).toContain(import.meta.dirname));
    await silence();
    // The time of the last heartbeat differs, but only a later one proves that the first coordinator is alive.
    expect(await claimed).toBe(true);
    await expect(first.check()).rejects.toThrow(`${tmpdir()} on ${hostname()} now coordinates`);
    await expect(first.write(written)).rejects.toThrow(RoundTaken);
    expect(await redis.exists(keys.watched)).toBe(0);
    expect(await second.check()).toBe("held");
  });

  it("is replaced immediately in its own folder, whose lock shows that it ended, and anywhere after it announced its end", async () => {
    await using server = await RedisServer.start();
    const { redis, first, second } = await twoCoordinators(server);
    const same = new Coordinator(redis, keys, import.meta.dirname);
    expect(await same.claim(() => false)).toBe(false);
    await first.release();
    await expect(second.claim(() => false)).rejects.toThrow(RoundTaken);
    await same.release();
    expect(await second.claim(() => false)).toBe(true);
  });

  it("can be observed and replaced at a full Redis, because only reading makes room", async () => {
    await using server = await RedisServer.start();
    const { redis, first, second, silence } = await twoCoordinators(server);
    await silence();
    await redis.config("SET", "maxmemory", "1mb");
    await first.renew();
    await expect(first.write(written)).rejects.toThrow("OOM");
    await expect(second.claim(() => false)).rejects.toThrow(RoundTaken);
    await first.write(["XTRIM", keys.events, "MINID", "1-0"]);
    await first.release();
    expect(await second.claim(() => false)).toBe(true);
  });

  it("reports a round that no longer exists, and writes nothing about that round", async () => {
    await using server = await RedisServer.start();
    const { redis, first } = await twoCoordinators(server);
    await redis.flushall();
    expect(await first.check()).toBe("gone");
    await first.write(written);
    expect(await redis.keys("*")).toEqual([]);
  });
});
