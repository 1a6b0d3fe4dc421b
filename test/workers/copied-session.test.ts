/** A session's folder is copied while its run is with workers, so there are two logs, of which only one is written at a time. */
import { cpSync, readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { ended, execute, held, onlyRun, questions, WorkedSession } from "./worked-session.ts";

const coordinatorOf = (round: string) => `planwright:round:${round}:coordinator`;

/** The copy has no lock, because it was made from the files. */
function copy(session: WorkedSession): void {
  const filter = (path: string) => !path.includes("session.lock") && !path.endsWith(".sock");
  cpSync(join(session.folder, "first"), join(session.folder, "second"), { recursive: true, filter });
}

describeWithRedis("the copy of a session whose run is with workers", () => {
  it("is rejected with the host and folder of the original, and the original continues to its end", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("first");
    session.write("first", held, { "questions.jsonl": questions(24) });
    const first = await session.open("first", redis.url);
    session.worker(redis.url);
    const running = execute(first);
    models.reply(8);
    await until(() => expect(ended(onlyRun(first))).toBe(8));
    copy(session);
    const { run } = onlyRun(first);
    const log = join(session.folder, "second", "runs", run, "events.jsonl");
    const before = readFileSync(log, "utf8");
    const second = session.start("run", "second", "--workers", redis.url);
    expect(await second.ended).toBe(1);
    expect(second.printed.out + second.printed.err).toContain(
      `${join(session.folder, "first")} on ${hostname()} coordinates this run's workers`,
    );
    expect(readFileSync(log, "utf8")).toBe(before);
    models.reply();
    await running;
    expect(onlyRun(first)).toMatchObject({ status: "done", calls: 24, counts: { right: 24 } });
    expect(await redisClient(redis).keys("planwright:round*")).toEqual([]);
  });

  it("takes over from an original that no longer answers, and writes results only to its own log", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("first");
    session.write("first", held, { "questions.jsonl": questions(24) });
    const home = await session.open("first");
    const { run } = onlyRun(home);
    await home.close();
    session.worker(redis.url);
    const first = session.start("run", "first", "--workers", redis.url);
    const scoredTasks = (name: string) =>
      session
        .events(name, run)
        .flatMap((event) => (event.type === "scored" ? [event.task] : []))
        .toSorted();
    const scoredIn = (name: string) => scoredTasks(name).length;
    models.reply(4);
    await until(() => expect(scoredIn("first")).toBe(4));
    copy(session);
    models.reply(8);
    await until(() => expect(scoredIn("first")).toBe(12));
    const client = redisClient(redis);
    const [round] = await client.zrange("planwright:rounds", "0", "-1");
    // Entries that the first coordinator has on disk are no longer in the stream.
    await until(() => expect(models.waiting()).toBe(4));
    await until(async () => expect(await client.xlen(`planwright:round:${round}:events`)).toBe(0));
    first.process.kill("SIGSTOP");
    await client.hset(coordinatorOf(round!), "heard", "0");
    const second = await session.open("second", redis.url);
    second.takeUp();
    // Only the first log has the beginning of the requests in flight, so these no longer count and their tasks are requested again.
    const attempts = () => client.hkeys(`planwright:round:${round}:attempts`);
    await until(async () => expect((await attempts()).toSorted()).toEqual(scoredTasks("second")));
    models.reply(4);
    await until(() => expect(onlyRun(second)).toMatchObject({ away: true, counts: { right: 4, running: 4 } }));
    const log = join(session.folder, "first", "runs", run, "events.jsonl");
    const { size } = statSync(log);
    first.process.kill("SIGCONT");
    expect(await first.ended).toBe(1);
    expect(first.printed.out + first.printed.err).toContain(`${join(session.folder, "second")} on ${hostname()}`);
    expect(statSync(log).size).toBe(size);
    models.reply();
    await until(() => expect(onlyRun(second)).toMatchObject({ status: "done", counts: { right: 24, failed: 0 } }));
    expect(scoredIn("second")).toBe(24);
    expect(await client.keys("planwright:round*")).toEqual([]);
  });
});
