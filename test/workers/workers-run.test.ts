/** Controlling runs that workers execute, and cleaning up after them. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSettings } from "../../source/engine/settings/settings.ts";
import type { Manifest } from "../../source/workers/manifest.ts";
import { livingWorkers } from "../../source/workers/presence.ts";
import { type Answer, refuses, says, scriptedServer } from "../engine/models/scripted-server.ts";
import { refusingServer } from "../refusing-server.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { cell, ended, execute, held, onlyRun, questions, results, slow, WorkedSession } from "./worked-session.ts";

describeWithRedis("a run with workers", () => {
  test("can be watched while streaming, paused, resumed, given more workers, stopped and restarted", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(60) });
    const away = await session.open("away", redis.url);
    const [main] = away.cells();
    let running = execute(away);
    await until(() => expect(onlyRun(away).message).toMatch(/No workers: start one with `planwright worker redis:/));
    session.worker(redis.url);
    await until(() => expect(onlyRun(away).counts.running).toBe(4));
    await until(() => expect(onlyRun(away)).toMatchObject({ concurrency: 4, message: undefined }));
    // Pieces of an unfinished reply.
    const { run } = onlyRun(away);
    await until(() => {
      const texts = away
        .board(run)
        .flatMap(({ task, state }) => (state === "running" ? [JSON.stringify(away.live({ run, task })?.entries)] : []));
      // The question asks for words; the partial reply has some of its ten.
      expect(texts.join()).toMatch(/"word\d+ word\d+( word\d+){0,6}"/);
    });
    away.pause(main!.id);
    await until(() => expect(onlyRun(away)).toMatchObject({ status: "paused", counts: { running: 0 } }));
    const before = ended(onlyRun(away));
    away.setConcurrency(main!.id, 2);
    away.resume(main!.id);
    await until(() => expect(ended(onlyRun(away))).toBeGreaterThan(before + 3));
    expect(onlyRun(away).concurrency).toBe(2);
    expect(onlyRun(away).counts.running).toBeLessThanOrEqual(2);
    away.stop(main!.id);
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "partial", counts: { running: 0 } });
    running = execute(away);
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 60, failed: 0 } });
  });

  test("waits while paused, whatever Redis reports", async () => {
    await using redis = await RedisServer.start({ appendonly: "no" });
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    const [main] = away.cells();
    session.worker(redis.url);
    const running = execute(away);
    await until(() => expect(onlyRun(away).counts.running).toBe(4));
    away.pause(main!.id);
    await until(() => expect(onlyRun(away)).toMatchObject({ status: "paused", counts: { running: 0 } }));
    await until(() => expect(onlyRun(away).message).toMatch(/^Redis saves nothing to disk/));
    expect(away.atRest(main!.id)).toEqual([]);
    away.stop(main!.id);
    await running;
  });

  test("makes its toolkits once, sends them to the workers, and has the results of a run without workers", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const document =
      "```run main\nsuite: toolbench\ndata: sample\nstrategy: tool-planner\ncatalogue: all\nmodel: builtin/oracle\nlimit: 3\n```\n";
    session.write("home", document);
    session.write("away", document);
    const home = await session.open("home");
    await execute(home);
    const away = await session.open("away", redis.url);
    const running = execute(away);
    const client = redisClient(redis);
    await until(async () => {
      const [key] = await client.keys("planwright:round:*:manifest");
      const { toolkits } = JSON.parse((await client.get(key!))!) as Manifest;
      expect(toolkits["all"]!.labels).toHaveLength(48);
    });
    session.worker(redis.url);
    await running;
    expect(onlyRun(away).status).toBe("done");
    expect(results(away)).toEqual(results(home));
  });

  test("leaves nothing in Redis, even if a worker was suspended when the run ended", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    session.write("away", held, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    const suspended = session.worker(redis.url, "--lock", "1");
    session.worker(redis.url, "--lock", "1");
    const running = execute(away);
    await until(() => expect(onlyRun(away).counts.running).toBe(8));
    suspended.process.kill("SIGSTOP");
    models.reply();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 30, failed: 0 } });
    suspended.process.kill("SIGCONT");
    const client = redisClient(redis);
    await until(async () =>
      expect((await livingWorkers(client)).map(({ pid, tasks }) => [pid, tasks])).toContainEqual([
        suspended.process.pid,
        [],
      ]),
    );
    // An idle worker checks for rounds a moment later.
    const left = async () => [...(await client.keys("planwright:round*")), ...(await client.keys("planwright:queue*"))];
    await until(async () => expect(await left()).toEqual([]));
  });

  test("respects the limits of the run", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", cell("model: builtin/oracle", "budget: { run: { steps: 10 } }"), {
      "questions.jsonl": questions(60),
    });
    const away = await session.open("away", redis.url);
    session.worker(redis.url, "--concurrency", "2");
    await execute(away);
    expect(onlyRun(away)).toMatchObject({ status: "partial", message: "The run reached its limit of 10 steps" });
    const scored = ended(onlyRun(away));
    expect(scored).toBeGreaterThanOrEqual(8);
    // Requests in flight may have been sent by then.
    expect(onlyRun(away).calls).toBeLessThan(30);
  });

  test("never exceeds an endpoint's configured number of concurrent requests, counting all workers together", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    let [flying, most] = [0, 0];
    const { promise: allWait, resolve: answerAll } = Promise.withResolvers<void>();
    const later =
      (answer: Answer): Answer =>
      (response, seen) => {
        most = Math.max(most, ++flying);
        response.once("close", () => (flying -= 1));
        void allWait.then(() => answer(response, seen));
      };
    const busy = refuses(429, { error: { message: "Too many requests" } }, { "retry-after": "0" });
    await using server = await scriptedServer(later(busy), later(says("Some words")));
    const lab = { name: "lab", baseUrl: server.url, concurrency: 3, idleTimeout: 300, identify: false };
    for (const name of ["settings", "worker-settings"])
      (await openSettings(join(session.folder, name))).change((now) => ({ ...now, endpoints: [lab] }));
    session.write("away", cell("model: lab/model"), { "questions.jsonl": questions(40) });
    const away = await session.open("away", redis.url);
    for (let count = 0; count < 3; count++) session.worker(redis.url);
    const running = execute(away);
    await until(() => expect([onlyRun(away).counts.running, flying]).toEqual([12, 3]));
    answerAll();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", calls: 40, retries: 1, counts: { wrong: 40 } });
    expect([most, server.seen.length]).toEqual([3, 41]);
  });

  test("reports the server's limit for all workers together, and resets that limit when a user chooses a number", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using server = await refusingServer(2);
    const lab = { name: "lab", baseUrl: server.url, concurrency: 8, idleTimeout: 300, identify: false };
    for (const name of ["settings", "worker-settings"])
      (await openSettings(join(session.folder, name))).change((now) => ({ ...now, endpoints: [lab] }));
    session.write("away", cell("model: lab/model"), { "questions.jsonl": questions(12) });
    const away = await session.open("away", redis.url);
    for (let count = 0; count < 2; count++) session.worker(redis.url);
    const running = execute(away);
    // The estimate may fall to 1 if the machine is slow, because little is in flight on average in a long window.
    await until(() =>
      expect(onlyRun(away).overload).toMatch(/^[12] of 8 requests at a time: the server refuses 100 %$/),
    );
    const before = server.refused();
    away.setConcurrency(away.cells()[0]!.id, 8);
    await until(() => expect(onlyRun(away).overload).toBeUndefined());
    await until(() => expect(server.refused()).toBeGreaterThan(before + 5));
    expect(onlyRun(away).overload).toBeUndefined();
    server.open();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", calls: 12 });
  });
});
