/** Workers: which may take part, what happens to their tasks, and how they end. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSettings } from "../../source/engine/settings/settings.ts";
import { WorkerProcess } from "../../source/workers/worker-process.ts";
import { roundKeys } from "../../source/workers/rounds/round-keys.ts";
import { suites } from "../../suites/index.ts";
import { nearClock, openTestClock } from "../engine/work/test-clock.ts";
import { until } from "../until.ts";
import { RedisServer } from "./redis-server.ts";
import { describeWithRedis, redisClient } from "./with-redis.ts";
import { cell, ended, execute, held, onlyRun, questions, slow, WorkedSession } from "./worked-session.ts";

/** Users' strategies: one kills its process, and one learns from correct results. */
const code = `import { ask, define } from "planwright";
const strategy = (name, more, before = () => {}) => ({
  name, title: name, needs: "stages", revision: 1, roles: ["model"], ...more,
  async *run(context) {
    before(context);
    for (const stage of context.loaded.asks.stages(context.task, context.spec, [])) {
      const { text } = yield* ask(context, { role: "model", stage: stage.name, messages: stage.messages([], "direct") });
      yield { type: "note", kind: "known", text: String((context.solutions ?? []).length) };
      yield { type: "note", kind: "solution", text: context.task.id, data: [context.task.id] };
      yield { type: "answer", answer: { output: text, stages: {} } };
    }
  },
});
const die = ({ task }) => { if (task.id === "q3") process.kill(process.pid, "SIGKILL"); };
export default define({ strategies: { own: [strategy("deadly", {}, die), strategy("learner", { sequential: () => true })] } });
`;

/** A suite of which workers with their own settings have two of three tasks. */
const lessCode = `import { define, simpleSuite } from "planwright";
const letters = simpleSuite({
  name: "letters",
  tasks: ["a", "b", "c"].map((id) => ({ id, question: "Say " + id, answer: id })),
  prompt: ({ question }) => question,
  score: (task, reply) => reply.trim() === task.answer,
});
const isLess = (process.env.PLANWRIGHT_CONFIG_DIR ?? "").endsWith("worker-settings");
const less = (loaded) => ({ ...loaded, tasks: async (split) => (await loaded.tasks(split)).slice(0, 2) });
const open = async (from) => (isLess ? less(await letters.open(from)) : letters.open(from));
export default define({ suites: [{ ...letters, identity: () => "letters", open }] });
`;

/** A suite of which one of three tasks has a facet that no event can have. */
const oddCode = `import { define, simpleSuite } from "planwright";
const letters = simpleSuite({
  name: "letters",
  tasks: ["a", "b", "c"].map((id) => ({ id, question: "Say " + id, answer: id })),
  prompt: ({ question }) => question,
  score: (task, reply) => reply.trim() === task.answer,
});
const odd = (task) => (task.id === "b" ? Object.assign(Object.create(task), { facets: { level: ["hard"] } }) : task);
const open = async (from) => {
  const loaded = await letters.open(from);
  return { ...loaded, tasks: async (split) => (await loaded.tasks(split)).map(odd) };
};
export default define({ suites: [{ ...letters, identity: () => "letters", open }] });
`;

type PrintedRun = { readonly run: string; readonly counts: Readonly<Record<string, number>> };
type Printed = { readonly cells: readonly { readonly runs: readonly PrintedRun[] }[] };

describeWithRedis("a worker of a run", () => {
  test("does not take part if it differs from the run, and the screen shows the reason", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const file = join(session.folder, "mine.ts");
    writeFileSync(file, code);
    session.write("away", cell("model: builtin/oracle", "strategy: learner"), { "questions.jsonl": questions(3) });
    const other = session.worker(redis.url);
    const running = session.start("run", "away", "--workers", redis.url, "--with", file, "--json");
    await until(() =>
      expect(running.printed.err).toMatch(/does not take part in the run: the worker's `--with` files differ/),
    );
    const command = `planwright worker ${redis.url} --with mine.ts`;
    expect(running.printed.err).toContain(
      `the run's files: copy the notebook's files to the worker's machine, check them, and run \`${command}\``,
    );
    expect(other.printed.err).toMatch(/does not take part/);
    expect(running.printed.err).not.toMatch(/[1-9] of 3/);
    session.worker(redis.url, "--with", file);
    expect(await running.ended).toBe(0);
    const [{ run, counts }] = (JSON.parse(running.printed.out) as Printed).cells[0]!.runs as [PrintedRun];
    expect(counts).toMatchObject({ right: 3 });
    // Sequential tasks were executed one at a time, each with the results of the earlier ones.
    const known = session
      .events("away", run)
      .flatMap((event) => (event.type === "note" && event.kind === "known" ? [event.text] : []));
    expect(known).toEqual(["0", "1", "2"]);
  });

  test("reports a task that it does not know, leaves the task to other workers, and reports that it waits", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const file = join(session.folder, "mine.ts");
    writeFileSync(file, lessCode);
    session.write("away", "```run main\nsuite: letters\nmodel: builtin/oracle\n```\n");
    const less = session.worker(redis.url, "--with", file);
    await until(() =>
      expect(less.printed.err).toContain("Waiting for a run: no run is given to the workers of this Redis"),
    );
    const running = session.start("run", "away", "--workers", redis.url, "--with", file, "--json");
    const lacking = "Expected split `all` of `letters` to have a task `c`, found none";
    await until(() => expect(running.printed.err).toContain(`does not take part in the run: ${lacking}`));
    expect(less.printed.err).toContain(`: ${lacking}`);
    await until(() =>
      expect(less.printed.err).toContain(
        "Waiting for a run that this worker can take part in: the worker refused 1 run",
      ),
    );
    // With the settings of the session it has all tasks.
    session.start("worker", redis.url, "--with", file);
    expect(await running.ended).toBe(0);
    const [{ counts }] = (JSON.parse(running.printed.out) as Printed).cells[0]!.runs as [PrintedRun];
    expect(counts).toMatchObject({ right: 3, failed: 0 });
  });

  test("starts its tasks once Redis confirms them, even if no other worker could get them", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", cell("model: builtin/oracle"), { "questions.jsonl": questions(6) });
    const client = redisClient(redis);
    // Simulates a Redis that becomes full just after a task was taken.
    const others = [
      "queue:*",
      "rounds",
      "alive:*",
      "worker*",
      "limit:*",
      ...Object.keys(roundKeys("")).map((name) => `round:*:${name}`),
    ];
    const open = others.filter((key) => !key.endsWith(":attempts")).map((key) => `~planwright:${key}`);
    await client.call("ACL", "SETUSER", "default", "resetkeys", ...open, "%R~planwright:round:*:attempts");
    const away = await session.open("away", redis.url);
    void execute(away);
    const worker = session.worker(redis.url);
    await until(() => expect(worker.printed.err).toMatch(/rejects writes \(.*permi.*\), so tasks are waiting/));
    await client.call("ACL", "SETUSER", "default", "allkeys");
    await until(() => expect(onlyRun(away)).toMatchObject({ status: "done", calls: 6, counts: { right: 6 } }));
  });

  test("fails only the task during which it was killed three times", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const file = join(session.folder, "mine.ts");
    writeFileSync(file, code);
    session.write("away", cell("model: builtin/oracle", "strategy: deadly"), { "questions.jsonl": questions(6) });
    const running = session.start("run", "away", "--workers", redis.url, "--with", file, "--json");
    const start = () => session.worker(redis.url, "--with", file, "--concurrency", "1", "--lock", "1").process;
    let worker = start();
    // A supervisor starts another worker when one has died.
    await until(() => {
      if (worker.signalCode !== null) worker = start();
      expect(running.process.exitCode).toBe(1);
    });
    await running.ended;
    const [{ run, counts }] = (JSON.parse(running.printed.out) as Printed).cells[0]!.runs as [PrintedRun];
    expect(counts).toMatchObject({ right: 5, failed: 1 });
    const failures = session.events("away", run).filter(({ type }) => type === "failed");
    expect(failures).toMatchObject([
      { task: "q3", failure: { kind: "tool", message: "3 worker processes died while they executed this task" } },
    ]);
  });

  test("fails a task whose events cannot be written, with the reason, and executes it once", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const file = join(session.folder, "mine.ts");
    writeFileSync(file, oddCode);
    session.write("away", "```run main\nsuite: letters\nmodel: builtin/oracle\n```\n");
    const running = session.start("run", "away", "--workers", redis.url, "--with", file, "--json");
    // A task whose lock is lost would be given to this worker again after a second.
    session.worker(redis.url, "--with", file, "--lock", "1");
    expect(await running.ended).toBe(1);
    const [{ run, counts }] = (JSON.parse(running.printed.out) as Printed).cells[0]!.runs as [PrintedRun];
    expect(counts).toMatchObject({ right: 2, failed: 1 });
    const ofTask = session.events("away", run).filter((event) => "task" in event && event.task === "b");
    expect(ofTask).toMatchObject([
      { type: "started", facets: {} },
      { type: "failed", failure: { kind: "bug", message: expect.stringMatching(/Could not write an event.*facets/) } },
    ]);
  });

  test("returns its tasks at once if it is interrupted", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    session.write("away", slow, { "questions.jsonl": questions(24) });
    const away = await session.open("away", redis.url);
    const running = execute(away);
    const worker = session.worker(redis.url);
    await until(() => expect(ended(onlyRun(away))).toBeGreaterThan(5));
    worker.process.kill("SIGTERM");
    session.worker(redis.url);
    await running;
    expect(worker.printed.err).not.toContain("Redis does not answer");
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 24, failed: 0 } });
  });
});

describeWithRedis("a worker that receives a signal while Redis is unreachable", () => {
  test("waits for a limited time if it has tasks in hand, which are then requested again", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    await using models = await session.held("away");
    session.write("away", held, { "questions.jsonl": questions(20) });
    const away = await session.open("away", redis.url);
    const running = execute(away);
    const settings = await openSettings(join(session.folder, "worker-settings"));
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const far = openTestClock();
    const clock = nearClock(far, 18_000);
    const worker = await WorkerProcess.start({
      url: redis.url,
      concurrency: 4,
      lock: 1000,
      suites,
      settings,
      say,
      clock,
    });
    const ending = new AbortController();
    const over = worker.run(ending.signal);
    models.reply(4);
    await until(() => expect(ended(onlyRun(away))).toBe(4));
    await until(() => expect(models.waiting()).toBe(4));
    await redis.kill();
    await until(() => expect(said.join()).toContain("Redis does not answer"));
    ending.abort();
    // Slurm and Kubernetes kill after 30 seconds.
    expect(far.due()).toEqual([18_000]);
    await far.advance(18_000);
    await over;
    await redis.restart();
    models.reply();
    session.worker(redis.url, "--lock", "1");
    await running;
    expect(onlyRun(away)).toMatchObject({ status: "done", counts: { right: 20, failed: 0 } });
  });

  test("ends at once if it has no tasks in hand", async () => {
    await using redis = await RedisServer.start();
    await using session = new WorkedSession();
    const worker = session.worker(redis.url);
    await until(() => expect(worker.printed.err).toContain("executes 4 tasks at a time"));
    await redis.kill();
    await until(() => expect(worker.printed.err).toContain("Redis does not answer"));
    worker.process.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
  });
});
