/** Runs with workers on a Redis that is full, has a password, or is encrypted. */
import { expect, test, vi } from "vitest";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { ended, execute, onlyRun, questions, WorkedSession } from "./worked-session.ts";

const document = "```run main\nsuite: own\nfrom: questions.jsonl\nmodel: builtin/oracle?pace=10\n```\n";

describeWithRedis("a Redis that is full", () => {
  test("is reported, without a loss of data, with or without a screen", async () => {
    await using redis = await RedisServer.start({ maxmemory: "8mb" });
    await using session = new WorkedSession();
    session.write("away", document, { "questions.jsonl": questions(160) });
    let away = await session.open("away", redis.url);
    const worker = session.worker(redis.url);
    void execute(away);
    await until(() => expect(ended(onlyRun(away))).toBeGreaterThan(5));
    const client = redisClient(redis);
    let filled = 0;
    const fill = async (size: number): Promise<void> => {
      for (;;)
        try {
          await client.set(`full:${filled++}`, "x".repeat(size));
        } catch {
          return;
        }
    };
    // Reading makes room again, so Redis is filled until the message appears.
    const fillUp = () =>
      until(async () => {
        for (const size of [100_000, 1000, 10]) await fill(size);
        expect(onlyRun(away).message).toMatch(/rejects writes \(.*OOM/);
      });
    await fillUp();
    await until(() => expect(worker.printed.err).toMatch(/OOM/));
    const { run } = onlyRun(away);
    await away.close();
    away = await session.open("away", redis.url);
    away.takeUp();
    await fillUp();
    expect(ended(onlyRun(away))).toBeLessThan(160);
    await client.del(...(await client.keys("full:*")));
    await until(() => expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 160, failed: 0 } }));
    expect(session.events("away", run).filter(({ type }) => type === "scored")).toHaveLength(160);
  });
});

describeWithRedis("a Redis that requires a password and TLS", () => {
  test("accepts programs with the password in the environment, and others report which variable to set", async () => {
    await using redis = await RedisServer.start({ password: "not-to-be-seen", tls: true });
    await using session = new WorkedSession();
    session.write("away", document, { "questions.jsonl": questions(8) });
    const run = () => session.start("run", "away", "--workers", redis.url);
    vi.stubEnv("NODE_EXTRA_CA_CERTS", redis.certificate);
    const without = run();
    expect(await without.ended).toBe(1);
    expect(without.printed.out).toMatch(/the password is read from PLANWRIGHT_REDIS_PASSWORD/);
    vi.stubEnv("PLANWRIGHT_REDIS_PASSWORD", "not-to-be-seen");
    const worker = session.worker(redis.url);
    const running = run();
    expect(await running.ended).toBe(0);
    expect(running.printed.out).toMatch(/8 right/);
    for (const { printed } of [worker, running]) expect(printed.out + printed.err).not.toContain("not-to-be-seen");
  });
});
