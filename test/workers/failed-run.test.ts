/** The round of a failed run. */
import { readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { identityLine, thisProcess } from "../../source/engine/files/process-identity.ts";
import { livingWorkers } from "../../source/workers/presence.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { cell, ended, execute, held, onlyRun, questions, WorkedSession } from "./worked-session.ts";

/** Starts a run with four requests in flight, one of which fails next. */
async function underWay(redis: RedisServer, session: WorkedSession, models: { reply(count: number): void }) {
  session.write("away", held, { "questions.jsonl": questions(30) });
  const away = await session.open("away", redis.url);
  const worker = session.worker(redis.url);
  const running = execute(away);
  models.reply(4);
  await until(() => expect(ended(onlyRun(away))).toBe(4));
  return { away, worker, running };
}

describeWithRedis("a run with workers that fails", () => {
  it("aborts its round: workers stop, requests end, and Redis is empty", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    const { away, worker, running } = await underWay(redis, session, models);
    await until(() => expect(models.waiting()).toBe(4));
    // The log can no longer be written.
    rmSync(join(session.folder, "away"), { recursive: true });
    models.reply(1);
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "failed", message: expect.stringContaining("was removed") });
    const client = redisClient(redis);
    expect(await client.keys("planwright:round*")).toEqual([]);
    await until(async () =>
      expect((await livingWorkers(client)).map(({ pid, tasks }) => [pid, tasks])).toEqual([[worker.process.pid, []]]),
    );
    await until(async () => expect(await client.keys("planwright:queue*")).toEqual([]));
  });

  it("leaves its round to a program that has taken over the session", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    const { away, running } = await underWay(redis, session, models);
    await until(() => expect(models.waiting()).toBe(4));
    const lock = join(session.folder, "away", "session.lock");
    writeFileSync(`${lock}.other`, `${identityLine(thisProcess())} another\n`);
    renameSync(`${lock}.other`, lock);
    models.reply(1);
    await running;
    const client = redisClient(redis);
    expect(await client.zcard("planwright:rounds")).toBe(1);
    expect(await client.keys("planwright:round:*:cut")).toEqual([]);
    const { run } = onlyRun(away);
    expect(readdirSync(join(session.folder, "away", "runs", run))).toContain("workers.json");
    // The worker continues.
    models.reply(3);
    await until(() => expect(models.waiting()).toBe(4));
  });

  it("leaves no round and no other data if its round could not start", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", cell("model: builtin/oracle"), { "questions.jsonl": questions(3) });
    const client = redisClient(redis);
    const away = await session.open("away", redis.url);
    const { run } = onlyRun(away);
    // Redis now refuses all writes.
    await client.call("ACL", "SETUSER", "default", "resetkeys", "%R~*");
    await execute(away);
    expect(onlyRun(away)).toMatchObject({ status: "failed", message: expect.stringMatching(/permi/) });
    expect(readdirSync(join(session.folder, "away", "runs", run))).not.toContain("workers.json");
    await client.call("ACL", "SETUSER", "default", "allkeys");
    expect(await client.keys("planwright:*")).toEqual([]);
  });
});
