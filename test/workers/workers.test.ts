/** Runs with workers while programs are killed, Redis is killed, and a notebook is closed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { ended, execute, onlyRun, questions, results, WorkedSession } from "./worked-session.ts";

const document =
  "```run main\nsuite: own\nfrom: questions.jsonl\nmodel: builtin/slips?rate=0.3&pace=8\nstrategy: cot\nseed: 3\n```\n";
describeWithRedis("a run that workers execute", () => {
  test("has the results of a run on one machine although workers and Redis are killed and the notebook is closed", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const files = { "questions.jsonl": questions(300) };
    session.write("home", document, files);
    session.write("away", document, files);
    const home = await session.open("home");
    home.setConcurrency(home.cells()[0]!.id, 64);
    await execute(home);
    // A worker whose lock has expired counts as dead, even if a busy machine only delayed it.
    const workers = Array.from({ length: 4 }, () => session.worker(redis.url, "--lock", "5"));
    let away = await session.open("away", redis.url);
    const { run } = onlyRun(away);
    void execute(away);
    const at = (least: number) => until(() => expect(ended(onlyRun(away))).toBeGreaterThanOrEqual(least));
    await at(40);
    workers[0]!.process.kill("SIGKILL");
    await at(80);
    await redis.kill();
    await until(() => expect(onlyRun(away).message).toMatch(/does not answer/));
    await redis.restart();
    await at(130);
    await away.close();
    // The workers continue; their results wait.
    const client = redisClient(redis);
    const [stream] = await client.keys("planwright:round:*:events");
    const before = await client.xlen(stream!);
    await until(async () => expect(await client.xlen(stream!)).toBeGreaterThan(before + 40));
    away = await session.open("away", redis.url);
    away.takeUp();
    await at(220);
    workers[1]!.process.kill("SIGKILL");
    await until(() => expect(onlyRun(away).status).toBe("done"));

    expect(results(away)).toEqual(results(home));
    const scored = session.events("away", run).filter(({ type }) => type === "scored");
    expect(scored).toHaveLength(300);
    // Only requests in flight are repeated: at most four for each killed worker, and four for each of the three left when
    // Redis was killed.
    const again = onlyRun(away).calls - onlyRun(home).calls;
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual(4 + 12 + 4);
    // No key of the round remains.
    expect(await client.keys("planwright:round*")).toEqual([]);
    // Timers of its queue may fire in workers that do not know yet that the round has ended.
    await until(async () => expect(await client.keys("planwright:queue*")).toEqual([]));
    expect(existsSync(join(session.folder, "away", "runs", run, "workers.json"))).toBe(false);
  });
});
