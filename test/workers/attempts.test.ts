/** Redis decides which attempt at a task counts, and when a worker process counts as dead. */
import { expect, test, onTestFinished } from "vitest";
import { appendShipment, type Attempt, beginAttempt } from "../../source/workers/attempts.ts";
import { aliveKey, roundKeys } from "../../source/workers/rounds/round-keys.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunStore } from "../../source/engine/log/run-store.ts";
import { Round } from "../../source/workers/rounds/round.ts";
import { takenUp } from "../../source/workers/taken-up.ts";
import { bareSpec } from "../bare-spec.ts";

const keys = roundKeys("r");

describeWithRedis("attempts that another attempt follows", () => {
  test("count as deaths of a worker if its process has ended, but not if it stalled or was disconnected from Redis", async () => {
    await using server = await RedisServer.start();
    const redis = redisClient(server);
    await redis.set(keys.manifest, "{}");
    const live = (...workers: readonly string[]) =>
      Promise.all(workers.map((worker) => redis.set(aliveKey(worker), "1")));
    const begin = (attempt: Attempt) => beginAttempt(redis, keys, attempt);
    const ship = (attempt: Attempt) => appendShipment(redis, keys, { ...attempt, from: 0, entries: [] });
    const by = (worker: string): Attempt => ({ task: "q1", attempt: `attempt-of-${worker}`, worker });

    await live("stalled", "cut-off", "killed", "killed-too", "killed-last", "good");
    expect(await begin(by("stalled"))).toEqual({ deaths: 0 });
    // The worker is alive but lost its lock, so others may have its task.
    expect(await begin(by("cut-off"))).toEqual({ deaths: 0 });
    // The worker's alive key expires while Redis or the worker is away.
    await redis.del(aliveKey("cut-off"));
    expect(await begin(by("killed"))).toEqual({ deaths: 1 });
    // The worker is back, but its results no longer count, and neither does its death.
    expect(await ship(by("cut-off"))).toBeUndefined();
    await redis.del(aliveKey("killed"));
    expect(await begin(by("killed-too"))).toEqual({ deaths: 1 });
    await redis.del(aliveKey("killed-too"));
    expect(await begin(by("killed-last"))).toEqual({ deaths: 2 });
    await redis.del(aliveKey("killed-last"));
    expect(await begin(by("good"))).toEqual({ deaths: 3 });
    // Other tasks are not affected.
    expect(await begin({ ...by("good"), task: "q2" })).toEqual({ deaths: 0 });
  });
});

describeWithRedis("attempts of a round that is taken up", () => {
  test("are repeated if one of their messages was rejected, and the rejected attempt is no longer followed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-taken-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    await using redis = await RedisServer.start({ appendfsync: "everysec" });
    const round = await Round.connect("round", redis.url, folder);
    const store = new RunStore(folder);
    const log = store.open();
    log.append({ type: "run-started", run: "r", spec: bareSpec("own"), total: 2, warnings: [] });
    for (const task of ["a", "b"]) {
      const worker = { name: "node1", attempt: `round.${task}` };
      log.append({ type: "started", task, facets: {}, question: "?", worker });
    }
    const failure = { kind: "stopped", message: "A message from worker node1 could not be read" } as const;
    log.append({ type: "failed", task: "a", failure, refused: true });
    const { left, attempts, past, again } = await takenUp(round, store, new Set(["a", "b"]), false);
    expect([...left]).toEqual(["a", "b"]);
    expect([[...again], [...past], [...attempts.keys()]]).toEqual([["a"], ["round.a"], ["b"]]);
    store.close();
    round.disconnect();
  });
});
