/** `planwright workers` lists and ends rounds. */
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { RoundPresence } from "../../source/workers/rounds/rounds-at.ts";
import { roundKeys } from "../../source/workers/rounds/round-keys.ts";
import { type Said, typed } from "../commands/typed.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { ended, execute, held, onlyRun, questions, WorkedSession } from "./worked-session.ts";

/** Runs the command in this process, because tests repeat it until it reports a change. */
function workers(session: WorkedSession, url: string, ...flags: readonly string[]): Promise<Said> {
  vi.stubEnv("PLANWRIGHT_CONFIG_DIR", join(session.folder, "settings"));
  return typed("workers", url, ...flags);
}

async function rounds(session: WorkedSession, url: string): Promise<readonly RoundPresence[]> {
  const { status, out } = await workers(session, url, "--rounds", "--json");
  expect(status).toBe(0);
  return JSON.parse(out) as RoundPresence[];
}

/** Starts a run of 12 tasks, 4 of them scored and 4 in flight. */
async function underWay(redis: RedisServer, session: WorkedSession, models: { reply(count: number): void }) {
  session.write("away", held, { "questions.jsonl": questions(12) });
  const away = await session.open("away", redis.url);
  const worker = session.worker(redis.url);
  const running = execute(away);
  models.reply(4);
  await until(() => expect([ended(onlyRun(away)), onlyRun(away).counts.running]).toEqual([4, 4]));
  return { away, worker, running };
}

describeWithRedis("a round listed at a Redis", () => {
  it("shows its remaining tasks, usage so far and reader, even after the reader has ended", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    const { away } = await underWay(redis, session, models);
    const folder = join(session.folder, "away");
    await until(async () => expect((await rounds(session, redis.url))[0]?.requests).toBe(8));
    const { run, tokens } = onlyRun(away);
    const [listed] = await rounds(session, redis.url);
    expect(listed).toMatchObject({ run, tasks: 12, left: 8, reader: { host: hostname(), folder } });
    expect(listed!.tokens).toBe(tokens.input + tokens.output);
    await away.close();
    await until(async () => expect((await rounds(session, redis.url))[0]?.reader).toBeNull());
    models.reply(4);
    // The worker continues although there is no coordinator.
    await until(async () => expect(await rounds(session, redis.url)).toMatchObject([{ left: 4, requests: 12 }]));
    const { printed, ended: over } = session.start("workers", redis.url);
    await over;
    expect(printed.out).toMatch(
      /\n1 round at 127\.0\.0\.1:\d+, 1 of them without a reader .*\n\nround .*\n.* 4 of 12 .*nobody\n$/,
    );
  });

  it("is ended by its coordinator, and the coordinator stops the run and gives the reason", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    const { away, running } = await underWay(redis, session, models);
    const [{ round }] = (await rounds(session, redis.url)) as [RoundPresence];
    const out = `Ended round ${round}: the program that read it stopped its run\n`;
    expect(await workers(session, redis.url, "--end", round)).toMatchObject({ status: 0, out });
    await running;
    expect(onlyRun(away)).toMatchObject({
      status: "partial",
      message: "The run was ended in Redis: run it again to execute the remaining tasks",
      counts: { right: 4, running: 0 },
    });
    expect(await redisClient(redis).keys("planwright:round*")).toEqual([]);
    expect(existsSync(join(session.folder, "away", "runs", onlyRun(away).run, "workers.json"))).toBe(false);
  });

  it("is ended in Redis if it has no reader, or if it is invalid", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    const { away } = await underWay(redis, session, models);
    await away.close();
    const client = redisClient(redis);
    await client.rpush(roundKeys("a:b").manifest, "junk");
    await client.zadd("planwright:rounds", "1", "a:b");
    await until(async () =>
      expect((await rounds(session, redis.url)).map(({ reader }) => reader)).toEqual([null, null]),
    );
    for (const { round } of await rounds(session, redis.url)) {
      const out = `Ended round ${round}: no program was reading it\n`;
      expect(await workers(session, redis.url, "--end", round)).toMatchObject({ status: 0, out });
    }
    expect(await client.keys("planwright:round*")).toEqual([]);
    await until(async () => expect(await client.keys("planwright:queue*")).toEqual([]));
    const { status, err } = await workers(session, redis.url, "--end", "a:b");
    expect(status).toBe(2);
    expect(err).toMatch(/Expected a round at 127\.0\.0\.1:\d+, but no round exists, got `a:b`/);
  });
});
