/** Runs on workers while Redis dies and comes back. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { farewell } from "../../source/commands/session/interruption.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { ended, execute, held, onlyRun, questions, slow, WorkedSession } from "./worked-session.ts";

describeWithRedis("a run with workers whose Redis dies", () => {
  test("can be left while Redis is unreachable, and continued once Redis is back", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    session.write("away", held, { "questions.jsonl": questions(30) });
    const first = await session.open("away", redis.url);
    session.worker(redis.url);
    void execute(first);
    models.reply(4);
    await until(() => expect([ended(onlyRun(first)), models.waiting()]).toEqual([4, 4]));
    await redis.kill();
    await until(() => expect(onlyRun(first).message).toMatch(/does not answer/));
    expect(await farewell(first)).toMatch(/main: .*continued by workers/);
    await first.close();
    await redis.restart();
    const again = await session.open("away", redis.url);
    again.takeUp();
    models.reply();
    await until(() => expect(onlyRun(again)).toMatchObject({ status: "done", calls: 30, counts: { right: 30 } }));
  });

  test("reports that the run waits, and the effect of leaving, if it is stopped while Redis is unreachable", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    session.write("away", held, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    const [main] = away.cells();
    session.worker(redis.url);
    const running = execute(away);
    models.reply(4);
    await until(() => expect([ended(onlyRun(away)), models.waiting()]).toEqual([4, 4]));
    await redis.kill();
    await until(() => expect(onlyRun(away).message).toMatch(/does not answer: workers continue/));
    away.stop(main!.id);
    expect(onlyRun(away)).toMatchObject({
      status: "stopping",
      message: expect.stringMatching(/does not answer: the run stops when Redis is back\. If you leave now/),
    });
    await redis.restart();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "partial", message: undefined, counts: { running: 0 } });
    expect(existsSync(join(session.folder, "away", "runs", onlyRun(away).run, "workers.json"))).toBe(false);
  });

  test("reports and repeats the requests that a crash of a Redis without persistence lost", async () => {
    await using redis = await RedisServer.start({ appendonly: "no" });
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(30) });
    const away = await session.open("away", redis.url);
    session.worker(redis.url, "--lock", "1");
    const running = execute(away);
    await until(() => expect(onlyRun(away).message).toMatch(/^Redis saves nothing to disk \(appendonly no\)/));
    await until(() => expect(ended(onlyRun(away))).toBeGreaterThan(10));
    await redis.kill();
    await redis.restart();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 30, failed: 0 } });
  });
});
