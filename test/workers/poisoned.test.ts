/** Messages that no worker wrote never get from a run's stream into the log, and end nothing. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkLog } from "../../source/engine/log/file/log-check.ts";
import { roundKeys, roundsKey } from "../../source/workers/rounds/round-keys.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { execute, held, onlyRun, questions, WorkedSession } from "./worked-session.ts";

describeWithRedis("a poisoned stream of a run", () => {
  test("leaves 200 of 200 tasks scored, and check reports the messages", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    session.write("away", held, { "questions.jsonl": questions(200) });
    const away = await session.open("away", redis.url);
    session.worker(redis.url);
    const running = execute(away);
    await until(() => expect(onlyRun(away).counts.running).toBe(4));
    const client = redisClient(redis);
    const [round] = (await client.zrange(roundsKey, "0", "-1")) as [string];
    const keys = roundKeys(round);
    const attempts = Object.entries(await client.hgetall(keys.attempts));
    const [[task, text]] = attempts as [[string, string]];
    const [attempt] = text.split("|") as [string];
    const says = (more: object) => ({ task, attempt, worker: "node1", from: 0, ...more });
    const score = { event: { type: "scored", at: 1 } };
    const poison = [
      "not even JSON",
      JSON.stringify(says({ attempt: `${round}.new`, entries: [score] })),
      JSON.stringify(says({ from: 9999, entries: [], end: { scored: true, hopeless: false } })),
      JSON.stringify(says({ entries: [score] })),
    ];
    for (const message of poison) await client.xadd(keys.events, "*", "of", message);
    const { run } = onlyRun(away);
    await until(() => expect(away.rows(run).find((row) => row.task === task)?.failure?.kind).toBe("stopped"));
    models.reply();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 200, failed: 0 } });
    await away.close();
    const { refused, damage } = (await checkLog(
      join(session.folder, "away", "runs", run),
      new AbortController().signal,
    ))!;
    expect(damage).toMatchObject({ unreadable: 0, missing: 0, doubled: 0 });
    expect(refused.map(({ of }) => of)).toEqual([
      {},
      expect.objectContaining({ task }),
      ...Array(2).fill({ task, attempt, worker: "node1" }),
    ]);
    const check = session.start("check", "away");
    expect(await check.ended).toBe(0);
    expect(check.printed.out).toContain(
      `a message of node1 about task ${task} was rejected: Entry 0: Expected \`score\` to be an object, got \`nothing\``,
    );
    const again = session.start("run", "away", "--workers", redis.url);
    expect(await again.ended).toBe(0);
  });
});
