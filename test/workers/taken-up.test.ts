/** A run with workers continues when its session is opened, but only at the user's own Redis, and never begins there. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { addressHash } from "../../source/workers/rounds/round-file.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { cell, execute, onlyRun, questions, WorkedSession } from "./worked-session.ts";

const document = cell("model: builtin/oracle");
const password = "open-sesame";
const notAmongYours = "tasks were given to workers at an address that your settings do not name";
const gone =
  /^Redis at 127\.0\.0\.1:\d+ no longer has the tasks given to workers; execute the remaining tasks with `r` or `planwright run`$/;

/** Begins a session with six questions, three of them scored locally, and returns functions to read and write its round file. */
async function begun(session: WorkedSession) {
  session.write("away", document, { "questions.jsonl": questions(6) });
  const home = await session.open("away");
  const [main] = home.cells();
  const { run } = onlyRun(home);
  await home.run(
    main!.id,
    ["q0", "q1", "q2"].map((task) => ({ run, task })),
  );
  await home.close();
  const path = join(session.folder, "away", "runs", run, "workers.json");
  const read = () => JSON.parse(readFileSync(path, "utf8")) as { round: string; address: string; tasks: string[] };
  const started = () =>
    session
      .events("away", run)
      .flatMap((event) => (event.type === "started" ? [event.task] : []))
      .toSorted();
  return { run, main: main!.id, read, write: (file: object) => writeFileSync(path, JSON.stringify(file)), started };
}

/** Resolves once this many tasks of a round wait for a worker. */
async function given(redis: RedisServer, count: number): Promise<void> {
  const client = redisClient(redis);
  await until(async () => expect(await client.keys("planwright:queue:*:task-q*")).toHaveLength(count));
}

const all = ["q0", "q1", "q2", "q3", "q4", "q5"];

describeWithRedis("a run that was given to workers", () => {
  test("is only reported when its session is opened at the user's own Redis, and running the cell executes the remaining tasks", async () => {
    await using redis = await RedisServer.start({ password });
    await using session = new WorkedSession();
    vi.stubEnv("PLANWRIGHT_REDIS_PASSWORD", password);
    const { run, started, write } = await begun(session);
    // The session may come from anywhere, or have been written by version 0.1.0.
    for (const where of [{ address: addressHash(redis.url) }, { url: redis.url }]) {
      write({ round: `${run}-0123456789ab`, ...where, tasks: all });
      const workbench = await session.open("away", redis.url);
      workbench.takeUp();
      await until(() => expect(onlyRun(workbench)).toMatchObject({ status: "partial", givenAway: true }));
      await until(() => expect(onlyRun(workbench).message).toMatch(gone));
      await workbench.close();
      expect(await redisClient(redis, { password }).dbsize()).toBe(0);
      expect(started()).toEqual(["q0", "q1", "q2"]);
    }
    // The address belongs to the user even if this program executes the run.
    const settings = await openSettings(join(session.folder, "settings"));
    settings.change((before) => ({ ...before, workers: { url: redis.url, use: false } }));
    const ended = await session.start("run", "away", "--json").ended;
    expect(ended).toBe(0);
    expect(started()).toEqual(all);
    expect(await redisClient(redis, { password }).dbsize()).toBe(0);
  });

  test("repeats no task with a score, even if its file lists it, and keeps the round's results", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const { run, main, started, read, write } = await begun(session);
    let away = await session.open("away", redis.url);
    // A task with a score is executed again if it is in the round, otherwise not.
    const wanted = ["q0", "q3", "q4", "q5"].map((task) => ({ run, task }));
    void away.run(main, wanted);
    await given(redis, 4);
    await away.close();
    expect(read().tasks).toEqual(["q0", "q3", "q4", "q5"]);
    write({ ...read(), tasks: all });
    away = await session.open("away", redis.url);
    away.takeUp();
    session.worker(redis.url);
    await until(() => expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 6 } }));
    expect(started()).toEqual(["q0", ...all]);
  });

  test("is not continued from a file that contains a round of another run", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const { write } = await begun(session);
    write({ round: "0123456789abcdef-0123456789ab", address: addressHash(redis.url), tasks: all });
    const workbench = await session.open("away", redis.url);
    expect(onlyRun(workbench)).not.toHaveProperty("givenAway");
    expect(onlyRun(workbench).message).toBeUndefined();
  });

  test("continues at another user's address with `--workers ADDRESS`, and is abandoned with `--workers none`", async () => {
    await using redis = await RedisServer.start();
    await using other = await RedisServer.start();
    await using session = new WorkedSession();
    const { run, main, started, read, write } = await begun(session);
    const away = await session.open("away", redis.url);
    void away.run(main);
    await given(redis, 3);
    await away.close();
    expect(read()).toEqual({ round: expect.any(String), address: addressHash(redis.url), tasks: ["q3", "q4", "q5"] });
    const ended = async (...args: readonly string[]) => {
      const { printed, ended: status } = session.start("run", "away", ...args);
      return { status: await status, text: printed.out + printed.err };
    };
    // Without an address, and with an address whose Redis does not have the round.
    for (const args of [[], ["--workers", other.url]])
      expect(await ended(...args)).toEqual({ status: 1, text: expect.stringContaining(notAmongYours) });
    expect(started()).toEqual(["q0", "q1", "q2"]);
    expect(await redisClient(other).dbsize()).toBe(0);
    // The same Redis by another name.
    session.worker(redis.url);
    const { status } = await ended("--workers", redis.url.replace("127.0.0.1", "localhost"));
    expect(status).toBe(0);
    expect(started()).toEqual(all);
    write({ round: `${run}-0123456789ab`, address: "", tasks: all });
    expect((await ended()).status).toBe(1);
    expect((await ended("--workers", "none")).status).toBe(0);
    expect((await ended()).status).toBe(0);
  });

  test("is continued from the palette at a typed address, which is saved for the folder, or is abandoned", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const { run, main, write } = await begun(session);
    let away = await session.open("away", redis.url);
    void away.run(main);
    await given(redis, 3);
    await away.close();
    away = await session.open("away");
    away.takeUp();
    expect(onlyRun(away)).toMatchObject({ status: "partial", message: notAmongYours, givenAway: true });
    await expect(away.workers!.takeUp(main, "redis://127.0.0.1:1")).rejects.toThrow("cannot be used");
    session.worker(redis.url);
    await away.workers!.takeUp(main, redis.url);
    await until(() => expect(onlyRun(away).status).toBe("done"));
    await away.close();
    const { allowed } = (await openSettings(join(session.folder, "settings"))).read();
    expect(Object.values(allowed ?? {})).toEqual([[`${redis.url}/0`]]);
    write({ round: `${run}-0123456789ab`, address: "", tasks: all });
    away = await session.open("away");
    away.workers!.giveUp(main);
    expect(onlyRun(away)).not.toHaveProperty("givenAway");
    await execute(away);
    expect(onlyRun(away)).toMatchObject({ status: "done", message: undefined });
  });
});
