/** What holds for runs that workers execute: how they are steered, left and taken up, what is said when something is amiss. */
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { farewell } from "../../source/commands/farewell.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import type { Manifest } from "../../source/workers/messages.ts";
import { livingWorkers } from "../../source/workers/presence.ts";
import { type Answer, refuses, says, scriptedServer } from "../engine/models/scripted-server.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { cell, ended, execute, onlyRun, questions, results, slow, WorkedSession } from "./worked-session.ts";

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describeWithRedis("a run with workers", () => {
  test("can be left while Redis is away, and is gone on with once it is back", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(30) });
    const first = await session.open("away", redis.url);
    // What Redis gave away as it died is nobody's until its lock is over.
    session.worker(redis.url, "--lock", "2");
    void execute(first);
    await until(() => expect(ended(onlyRun(first))).toBeGreaterThan(3));
    await redis.kill();
    await until(() => expect(onlyRun(first).message).toMatch(/does not answer/));
    expect(await farewell(first)).toMatch(/main: .*left to workers/);
    await first.close();
    await redis.restart();
    const again = await session.open("away");
    again.takeUp();
    await until(() => expect(onlyRun(again)).toMatchObject({ status: "done", calls: 30, counts: { right: 30 } }));
  });

  test("that is stopped while Redis is away says that it waits for it, and what leaving does, and stops once it is back", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    const [main] = away.cells();
    // What Redis gave away as it died is nobody's until its lock is over.
    session.worker(redis.url, "--lock", "2");
    const running = execute(away);
    await until(() => expect(ended(onlyRun(away))).toBeGreaterThan(3));
    await redis.kill();
    await until(() => expect(onlyRun(away).message).toMatch(/does not answer: workers go on/));
    away.stop(main!.id);
    expect(onlyRun(away)).toMatchObject({
      status: "stopping",
      message: expect.stringMatching(/does not answer: the run stops as soon as it is back\. Leaving now leaves/),
    });
    await redis.restart();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "partial", message: undefined, counts: { running: 0 } });
    expect(existsSync(join(session.folder, "away", "runs", onlyRun(away).run, "workers.json"))).toBe(false);
  });

  test("goes on in a program of its own, and takes a worker that had refused as soon as that has what it lacked", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const data = join(session.folder, "data");
    cpSync(sampleFolder("appbench"), data, { recursive: true });
    const haveData = async (settings: string) =>
      (await openSettings(join(session.folder, settings))).change((now) => ({
        ...now,
        ownData: { appbench: { mine: data } },
      }));
    await haveData("settings");
    session.write("away", "```run main\nsuite: appbench\ndata: own/mine\nmodel: builtin/oracle\nlimit: 5\n```\n");
    const other = session.worker(redis.url);
    const started = session.start("run", "away", "--workers", redis.url, "--detach");
    expect(await started.ended).toBe(0);
    const pid = Number(/^Process (\d+) executes it/.exec(started.printed.out)![1]);
    onTestFinished(() => {
      if (lives(pid)) process.kill(pid, "SIGKILL");
    });
    const printed = () => readFileSync(join(session.folder, "away", "detached.txt"), "utf8");
    await until(() => expect(printed()).toMatch(/does not take part: There are no data `mine` of your own/));
    expect(other.printed.err).toMatch(/Does not take part/);
    await haveData("worker-settings");
    await until(() => expect(lives(pid)).toBe(false));
    expect(other.printed.err).toMatch(/Takes part/);
    expect(printed()).toMatch(/5 right/);
  });

  test("is seen as it streams, paused, resumed, given more at a time, stopped and begun again", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(60) });
    const away = await session.open("away", redis.url);
    const [main] = away.cells();
    let running = execute(away);
    await until(() => expect(onlyRun(away).message).toMatch(/No worker is there: `planwright worker redis:/));
    session.worker(redis.url);
    await until(() => expect(onlyRun(away).counts.running).toBe(4));
    await until(() => expect(onlyRun(away)).toMatchObject({ concurrency: 4, message: undefined }));
    // Pieces of a reply that is not there as a whole yet.
    const { run } = onlyRun(away);
    await until(() => {
      const texts = away
        .board(run)
        .flatMap(({ task, state }) => (state === "running" ? [JSON.stringify(away.live({ run, task })?.entries)] : []));
      // The question asks for words; the reply has some by now, and ten at its end.
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

  test("gives its toolkits along, made once, and comes to the same as at home", async () => {
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

  test("is left to its workers when the notebook is quit, which stops nothing and says so", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(24) });
    const first = await session.open("away", redis.url);
    session.worker(redis.url);
    void execute(first);
    await until(() => expect(onlyRun(first)).toMatchObject({ away: true, counts: { running: 4 } }));
    expect(await farewell(first)).toMatch(/main: .*left to workers/);
    await first.close();
    const { run } = onlyRun(first);
    expect(session.events("away", run).filter(({ type }) => type === "failed" || type === "run-ended")).toEqual([]);
    const again = await session.open("away");
    again.takeUp();
    await until(() => expect(onlyRun(again)).toMatchObject({ status: "done", calls: 24, counts: { right: 24 } }));
  });

  test("goes on with another coordinator where one was killed: nothing is asked or written twice", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const document =
      "```run main\nsuite: planningarena\ndata: sample\nmodel: builtin/slips?rate=0.2&pace=1\nresponder: builtin/responder\nlimit: 12\n```\n";
    session.write("home", document);
    session.write("away", document);
    const home = await session.open("home");
    await execute(home);
    session.worker(redis.url);
    session.worker(redis.url);
    const first = session.start("run", "away", "--workers", redis.url);
    const { run } = onlyRun(home);
    await until(() => {
      const events = session.events("away", run);
      expect(events.filter(({ type }) => type === "scored").length).toBeGreaterThan(3);
      first.process.kill("SIGKILL");
    });
    // Until it is gone it may still write.
    await first.ended;
    const away = await session.open("away");
    away.takeUp();
    await until(() => expect(onlyRun(away).status).toBe("done"));
    expect(results(away)).toEqual(results(home));
    expect(onlyRun(away).calls).toBe(onlyRun(home).calls);
    expect(onlyRun(away).cost).toBe(onlyRun(home).cost);
  });

  test("leaves nothing in Redis, also where a worker was suspended when it ended", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    const suspended = session.worker(redis.url, "--lock", "1");
    session.worker(redis.url, "--lock", "1");
    const running = execute(away);
    await until(() => expect(onlyRun(away).counts.running).toBe(8));
    suspended.process.kill("SIGSTOP");
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
    // A worker that has nothing in hand any more looks around a moment later.
    const left = async () => [...(await client.keys("planwright:round*")), ...(await client.keys("planwright:queue*"))];
    await until(async () => expect(await left()).toEqual([]));
  });

  test("keeps to the limits of the run", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", cell("model: builtin/oracle", "budget: { run: { steps: 10 } }"), {
      "questions.jsonl": questions(60),
    });
    const away = await session.open("away", redis.url);
    session.worker(redis.url, "--concurrency", "2");
    await execute(away);
    expect(onlyRun(away)).toMatchObject({ status: "partial", message: "The run's limit of 10 steps is used up" });
    const scored = ended(onlyRun(away));
    expect(scored).toBeGreaterThanOrEqual(8);
    // What was in flight may have been sent by then.
    expect(onlyRun(away).calls).toBeLessThan(30);
  });

  test("sends an endpoint no more at a time than it is to have, from all workers together, and fewer once it is overloaded", async () => {
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

  test("says what a crash of Redis loses where it writes nothing down, and asks again what it lost", async () => {
    await using redis = await RedisServer.start({ appendonly: "no" });
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    session.worker(redis.url, "--lock", "1");
    const running = execute(away);
    await until(() => expect(onlyRun(away).message).toMatch(/^Redis keeps nothing on disk \(appendonly no\)/));
    await until(() => expect(ended(onlyRun(away))).toBeGreaterThan(10));
    await redis.kill();
    await redis.restart();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 30, failed: 0 } });
  });
});
