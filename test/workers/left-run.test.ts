/** Runs on workers continue after the program that started them has ended. */
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { farewell } from "../../source/commands/session/interruption.ts";
import { sampleFolder } from "../../source/engine/settings/package-folder.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { execute, held, onlyRun, questions, results, WorkedSession } from "./worked-session.ts";

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describeWithRedis("a run with workers that outlives the program that began it", () => {
  test("continues in its own process, and accepts a rejected worker once the worker is complete", async () => {
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
    const pid = Number(/^Process (\d+) executes the runs/.exec(started.printed.out)![1]);
    onTestFinished(() => {
      if (lives(pid)) process.kill(pid, "SIGKILL");
    });
    const printed = () => readFileSync(join(session.folder, "away", "detached.txt"), "utf8");
    await until(() => expect(printed()).toMatch(/does not take part in the run: You have no data `mine`/));
    expect(other.printed.err).toMatch(/does not take part/);
    await haveData("worker-settings");
    await until(() => expect(lives(pid)).toBe(false));
    expect(other.printed.err).toMatch(/takes part/);
    expect(printed()).toMatch(/5 right/);
  });

  test("continues on its workers when the user quits the notebook, which stops nothing and reports this", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    session.write("away", held, { "questions.jsonl": questions(24) });
    const first = await session.open("away", redis.url);
    session.worker(redis.url);
    void execute(first);
    await until(() => expect(onlyRun(first)).toMatchObject({ away: true, counts: { running: 4 } }));
    expect(await farewell(first)).toMatch(/main: .*continued by workers/);
    await first.close();
    const { run } = onlyRun(first);
    expect(session.events("away", run).filter(({ type }) => type === "failed" || type === "run-ended")).toEqual([]);
    const again = await session.open("away", redis.url);
    again.takeUp();
    models.reply();
    await until(() => expect(onlyRun(again)).toMatchObject({ status: "done", calls: 24, counts: { right: 24 } }));
  });

  test("continues with another coordinator if the first was killed, and no request is sent and no event written twice", async () => {
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
    // The first program may write until it has ended.
    await first.ended;
    const away = await session.open("away", redis.url);
    away.takeUp();
    await until(() => expect(onlyRun(away).status).toBe("done"));
    expect(results(away)).toEqual(results(home));
    expect(onlyRun(away).calls).toBe(onlyRun(home).calls);
    expect(onlyRun(away).cost).toBe(onlyRun(home).cost);
  });
});
