/** A Redis that does not answer on an open socket, a Redis that has not started yet, and another server in its place. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectRedis } from "../../source/workers/connection.ts";
import { type OwnRedis, ownRedis } from "../../source/engine/settings/own-redis.ts";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { showProgram } from "../stories/shown-program.ts";
import { until } from "../until.ts";
import { typed, temporaryFolder } from "../commands/typed.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis } from "./with-redis.ts";
import { ended, execute, held, onlyRun, questions, type Started, WorkedSession } from "./worked-session.ts";

/** Starts a server that answers every request with this text. */
async function answering(words: (asked: string) => string): Promise<OwnRedis> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (asked) => socket.write(words(asked.toString("latin1"))));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return ownRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
}

const isHttp = () => "HTTP/1.1 400 Bad Request\r\n\r\n";
/** Returns a Redis reply to each command, but never the correct one. */
const agrees = (asked: string) => "+OK\r\n".repeat(asked.match(/\*\d+\r\n\$/g)?.length ?? 1);

/** A session of 30 questions, its Redis, and models whose replies a test releases. */
async function heldSession() {
  const world = new AsyncDisposableStack();
  const redis = world.use(await RedisServer.start());
  const session = world.use(new WorkedSession());
  const models = world.use(await session.held("away"));
  session.write("away", held, { "questions.jsonl": questions(30) });
  return { redis, session, models, [Symbol.asyncDispose]: () => world.disposeAsync() };
}

/** Starts the run with a worker, and waits until it has four answers and four more requests in flight. */
async function fourOfThirty({ redis, session, models }: Awaited<ReturnType<typeof heldSession>>) {
  const away = await session.open("away", redis.url);
  session.worker(redis.url);
  const running = execute(away);
  models.reply(4);
  await until(() => expect([ended(onlyRun(away)), models.waiting()]).toEqual([4, 4]));
  return { away, running };
}

describeWithRedis("a run whose Redis stops answering on open sockets", () => {
  it("reports that Redis does not answer instead of a rate, and continues when it answers", async () => {
    await using world = await heldSession();
    const { redis, models } = world;
    const { away, running } = await fourOfThirty(world);
    expect(onlyRun(away).rate).toBeGreaterThan(0);
    redis.suspend();
    await until(() => expect(onlyRun(away).message).toMatch(/does not answer: workers continue with their tasks/));
    expect(onlyRun(away)).toMatchObject({ status: "running", rate: undefined, left: undefined });
    models.reply();
    redis.resume();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", calls: 30, counts: { right: 30 }, message: undefined });
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "ends after one %s, and reports which tasks continue on workers",
    async (signal) => {
      await using world = await heldSession();
      const { redis, session, models } = world;
      session.worker(redis.url);
      const command: Started = session.start("run", "away", "--workers", redis.url);
      models.reply(4);
      await until(() => expect(command.printed.err).toMatch(/running, 4 of 30/));
      redis.suspend();
      await until(() => expect(command.printed.err).toMatch(/does not answer: workers continue with their tasks/));
      command.process.kill(signal);
      expect(await command.ended).toBe(1);
      expect(command.printed.err).toMatch(
        /main \(held\/oracle\): Redis at \S+ does not answer, so the workers continue with their tasks; planwright run \S+ collects their results/,
      );
      expect(existsSync(join(session.folder, "away", "session.lock"))).toBe(false);
      redis.resume();
      models.reply();
      const again = session.start("run", "away", "--workers", redis.url);
      expect(await again.ended).toBe(0);
      expect(again.printed.out).toMatch(/done; 30 right, 0 wrong, 0 failed of 30; 3\d calls/);
    },
  );

  it("ends a notebook after one SIGTERM, and reports on the ordinary screen which tasks continue on workers", async () => {
    await using world = await heldSession();
    const { redis, session, models } = world;
    const settings = await openSettings(join(session.folder, "settings"));
    settings.change((now) => ({ ...now, workers: { url: redis.url, use: true } }));
    session.worker(redis.url);
    const screen = showProgram({
      args: [join(session.folder, "away")],
      folder: session.folder,
      columns: 100,
      rows: 30,
    });
    await screen.waitFor(/run main/);
    screen.type("r");
    models.reply(4);
    await screen.waitFor(/\b4\/30/);
    redis.suspend();
    await screen.waitFor(/! Redis at \S+ does not answer: workers continue/);
    screen.kill("SIGTERM");
    expect(await screen.ended).toBe(143);
    const left = screen.written().slice(screen.written().lastIndexOf("\u001b[?1049l"));
    expect(left).toMatch(
      /main \(held\/oracle\): Redis at \S+ does not answer, so the workers continue with their tasks/,
    );
  });

  it("ends on a signal even if Redis has never answered", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", held, { "questions.jsonl": questions(3) });
    redis.suspend();
    const command = session.start("run", "away", "--workers", redis.url);
    await until(() => expect(existsSync(join(session.folder, "away", "session.lock"))).toBe(true));
    command.process.kill("SIGTERM");
    expect(await command.ended).toBe(1);
  });

  it("ends on a signal although a worker has not stopped yet", async () => {
    await using world = await heldSession();
    const { redis, session, models } = world;
    const worker = session.worker(redis.url);
    const command = session.start("run", "away", "--workers", redis.url);
    models.reply(4);
    await until(() => expect(command.printed.err).toMatch(/running, 4 of 30/));
    worker.process.kill("SIGSTOP");
    command.process.kill("SIGTERM");
    expect(await command.ended).toBe(1);
    expect(command.printed.err).toContain("some workers have not stopped yet and may continue");
    worker.process.kill("SIGCONT");
  });
});

describeWithRedis("a run whose Redis is replaced by another server", () => {
  it.each([
    ["with HTTP", isHttp],
    ["with invalid Redis replies", agrees],
  ])("accepts nothing from a server that answers %s, and continues with Redis", async (_, words) => {
    await using world = await heldSession();
    const { redis, models } = world;
    const { away, running } = await fourOfThirty(world);
    await redis.kill();
    let connections = 0;
    const others = createServer((socket) => {
      connections += 1;
      socket.on("error", () => {});
      socket.on("data", (asked) => socket.write(words(asked.toString("latin1"))));
      others.once("close", () => socket.destroy());
    }).listen(Number(new URL(redis.url).port), "127.0.0.1");
    await until(() => expect(onlyRun(away).message).toMatch(/does not answer/));
    // Each connection is closed after the first reply.
    const before = connections;
    await until(() => expect(connections).toBeGreaterThan(before + 3));
    expect(onlyRun(away)).toMatchObject({ status: "running", counts: { right: 4 } });
    others.emit("close");
    others.close();
    await redis.restart();
    models.reply();
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 30 } });
  });
});

describe("an address without a Redis", () => {
  temporaryFolder();

  it.each([
    ["another protocol", isHttp],
    ["an invalid reply", () => "220 mail.example ready\r\n"],
    ["Redis's reply to another command", agrees],
  ])("is rejected after its first reply: %s", async (_, words) => {
    const url = await answering(words);
    const refusal = `Redis at ${url.slice("redis://".length)} cannot be used: the server there is not Redis`;
    await expect(connectRedis(url)).rejects.toThrow(refusal);
    expect(await typed("worker", url)).toMatchObject({ status: 2, err: `planwright: ${refusal}\n` });
    expect(await typed("workers", url)).toMatchObject({ status: 2, err: `planwright: ${refusal}\n` });
  });

  it("is rejected if a server accepts connections there and never answers", async () => {
    await expect(connectRedis(await answering(() => ""))).rejects.toThrow(/cannot be used: Redis does not answer/);
  });
});

describeWithRedis("the Redis of a worker that is started before it", () => {
  it("is waited for with a message, and tasks are executed once Redis answers", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", held.replace("held/oracle", "builtin/oracle"), { "questions.jsonl": questions(5) });
    await redis.kill();
    const worker = session.worker(redis.url);
    await until(() =>
      expect(worker.printed.err).toMatch(/^Waiting for Redis at 127\.0\.0\.1:\d+: connect ECONNREFUSED/),
    );
    await redis.restart();
    await until(() => expect(worker.printed.err).toContain("executes 4 tasks at a time"));
    expect(worker.printed.err.match(/Waiting for Redis/g)).toHaveLength(1);
    const away = await session.open("away", redis.url);
    await execute(away);
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 5 } });
  });

  it("is reported if Redis does not answer, and the worker ends on request", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    redis.suspend();
    const worker = session.worker(redis.url);
    await until(() =>
      expect(worker.printed.err).toMatch(/^Waiting for Redis at 127\.0\.0\.1:\d+: Redis does not answer/),
    );
    worker.process.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  });

  it("is reported if Redis stops answering during work, and an idle worker ends immediately", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const worker = session.worker(redis.url);
    await until(() => expect(worker.printed.err).toContain("executes 4 tasks at a time"));
    redis.suspend();
    await until(() => expect(worker.printed.err).toContain("Redis does not answer: tasks in progress continue"));
    worker.process.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  });
});
