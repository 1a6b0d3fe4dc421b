/** The runs of a grid share an endpoint's slots. The test releases the server's answers and counts started requests. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { execute } from "../../../source/commands/session/run.ts";
import { OutageProblem } from "../../../source/engine/models/problem.ts";
import type { Models } from "../../../source/engine/models/models.ts";
import { Problem } from "../../../source/engine/problem.ts";
import type { SessionWorkbench } from "../../../source/engine/workbench/session-workbench.ts";
import { says, scriptedServer, type ScriptedServer, type Seen } from "../models/scripted-server.ts";
import { until } from "../../until.ts";
import { cellNamed, runsOf, temporarySessions } from "./temporary-session.ts";
import { tinySuite } from "./tiny-suite.ts";

let served: AsyncDisposableStack;
beforeEach(() => void (served = new AsyncDisposableStack()));
afterEach(() => served.disposeAsync());
// Ended before its servers, because hooks after a test run in reverse order.
const sessions = temporarySessions();

/** A server whose requests wait for `answer`; `started` lists them, for example `t3@1` for the fourth task at temperature 1. */
async function heldServer() {
  const held: (() => void)[] = [];
  const server: ScriptedServer = await scriptedServer((response: ServerResponse, seen: Seen) => {
    held.push(() => says("7")(response, seen));
  });
  served.use(server);
  const nameOf = ({ body }: Seen) => {
    const [{ content }] = body["messages"] as [{ content: string }];
    return `t${/\d+/.exec(content)![0]}@${String(body["temperature"] ?? "")}`;
  };
  return {
    url: server.url,
    get started(): readonly string[] {
      return server.seen.map(nameOf);
    },
    get inFlight(): number {
      return held.length;
    },
    /** Answers this many waiting requests, the oldest first. */
    answer(count = held.length): void {
      for (const send of held.splice(0, count)) send();
    },
  };
}
type HeldServer = Awaited<ReturnType<typeof heldServer>>;

async function open(cell: string, servers: Record<string, HeldServer>, between?: (models: Models) => Models) {
  const endpoints = Object.entries(servers).map(([name, { url }]) => ({
    name,
    baseUrl: url,
    concurrency: 5,
    idleTimeout: 60,
    identify: false,
  }));
  const text = `\`\`\`run main\nsuite: tiny\n${cell}\n\`\`\`\n`;
  const { suite, behaviour } = tinySuite();
  const workbench = await sessions.open(text, {
    settings: { endpoints },
    suites: [suite],
    ...(between && { between }),
  });
  return { workbench, behaviour, main: cellNamed(workbench, "main") };
}

const statuses = (workbench: SessionWorkbench) => runsOf(workbench, "main").map(({ status }) => status);
const tasks = Array.from({ length: 12 }, (_, index) => `t${index}`);
const grid = "model: lab/m\ntemperature: [0, 0.5, 1]";

/** Answers all requests until the run has ended. */
async function answerAll(running: Promise<unknown>, ...servers: readonly HeldServer[]): Promise<void> {
  let ended = false;
  void running.then(() => (ended = true));
  await until(() => {
    for (const server of servers) server.answer();
    expect(ended).toBe(true);
  });
}

describe("the runs of a grid at one endpoint", () => {
  test("start tasks as slots become free, run by run in order, within the limit of concurrent tasks", async () => {
    const lab = await heldServer();
    const { workbench, main } = await open(grid, { lab });
    const running = workbench.run(main);
    const expected = ["0", "0.5", "1"].flatMap((temperature) => tasks.map((task) => `${task}@${temperature}`));
    for (let started = 5; started < 36; started++) {
      await until(() => expect(lab.started).toHaveLength(started));
      expect(lab.inFlight).toBe(5);
      lab.answer(1);
    }
    await until(() => expect(lab.started).toHaveLength(36));
    expect(lab.inFlight).toBe(5);
    // Requests arrive over several connections, so their order is only compared within one run.
    const byRun = (names: readonly string[]) => names.map((name) => name.split("@")[1]);
    expect(byRun(lab.started)).toEqual(byRun(expected));
    expect(lab.started.toSorted()).toEqual(expected.toSorted());
    await answerAll(running, lab);
    expect(statuses(workbench)).toEqual(["done", "done", "done"]);
  });

  test("start when the previous run leaves a slot free, and each run writes its own log", async () => {
    const lab = await heldServer();
    const { workbench, main } = await open(grid, { lab });
    const running = workbench.run(main);
    await until(() => expect(lab.started).toHaveLength(5));
    expect(statuses(workbench)).toEqual(["running", "ready", "ready"]);
    for (let started = 6; started <= 12; started++) {
      lab.answer(1);
      await until(() => expect(lab.started).toHaveLength(started));
    }
    expect(statuses(workbench)).toEqual(["running", "ready", "ready"]);
    lab.answer(1);
    await until(() => expect(lab.started).toHaveLength(13));
    expect(statuses(workbench)).toEqual(["running", "running", "ready"]);
    await answerAll(running, lab);
    for (const { run } of runsOf(workbench, "main")) {
      const lines = readFileSync(join(sessions.path, "runs", run, "events.jsonl"), "utf8")
        .trimEnd()
        .split("\n");
      const events = lines.map((line) => JSON.parse(line) as { type: string; task?: string; run?: string });
      expect(events.filter(({ type }) => type === "run-started").map((event) => event.run)).toEqual([run]);
      expect(events.filter(({ type }) => type === "scored")).toHaveLength(12);
      expect(events.at(-1)!.type).toBe("run-ended");
    }
  });

  test("all use slots that the user adds", async () => {
    const lab = await heldServer();
    const { workbench, main } = await open(grid, { lab });
    const running = workbench.run(main);
    await until(() => expect(lab.started).toHaveLength(5));
    workbench.setConcurrency(main, 14);
    await until(() => expect(lab.started).toHaveLength(14));
    expect(statuses(workbench)).toEqual(["running", "running", "ready"]);
    await answerAll(running, lab);
  });

  test("start nothing while paused, and continue after resuming", async () => {
    const lab = await heldServer();
    const { workbench, main } = await open(grid, { lab });
    workbench.setConcurrency(main, 14);
    const running = workbench.run(main);
    await until(() => expect(lab.started).toHaveLength(14));
    workbench.pause(main);
    lab.answer(10);
    await until(() => expect(runsOf(workbench, "main").reduce((sum, { counts }) => sum + counts.running, 0)).toBe(4));
    expect(lab.started).toHaveLength(14);
    workbench.resume(main);
    await answerAll(running, lab);
    expect(statuses(workbench)).toEqual(["done", "done", "done"]);
  });

  test("stop one by one, or all together with their cell", async () => {
    const lab = await heldServer();
    const { workbench, main } = await open(grid, { lab });
    const running = workbench.run(main);
    await until(() => expect(lab.started).toHaveLength(5));
    workbench.stop(main, runsOf(workbench, "main")[0]!.run);
    await until(() => expect(lab.started.filter((name) => name.endsWith("@0.5"))).toHaveLength(5));
    expect(statuses(workbench)).toEqual(["partial", "running", "ready"]);
    workbench.stop(main);
    await running;
    expect(statuses(workbench)).toEqual(["partial", "partial", "ready"]);
    // Only the aborted requests are repeated.
    await answerAll(workbench.run(main), lab);
    expect(runsOf(workbench, "main").map(({ counts }) => counts.right + counts.wrong)).toEqual([12, 12, 12]);
  });

  test("have separate limits, so that the limit of one run ends only this run", async () => {
    const lab = await heldServer();
    const { workbench, main } = await open(`${grid}\nbudget: {run: {steps: 3}}`, { lab });
    workbench.setConcurrency(main, 1);
    await answerAll(workbench.run(main), lab);
    expect(runsOf(workbench, "main").map(({ status, calls }) => [status, calls])).toEqual(
      Array(3).fill(["partial", 3]),
    );
  });

  test("continue with the next run if one fails at its start", async () => {
    const lab = await heldServer();
    const { workbench, main, behaviour } = await open(grid, { lab });
    const { score } = behaviour;
    behaviour.score = async (task, outcome, given) => {
      if (given.spec.temperature === 0) throw new Problem("parse", "No key");
      return score(task, outcome, given);
    };
    workbench.setConcurrency(main, 1);
    await answerAll(workbench.run(main, undefined, "stop"), lab);
    expect(statuses(workbench)).toEqual(["failed", "done", "done"]);
    expect(runsOf(workbench, "main")[0]!.message).toBe("The first tasks all failed: No key");
  });

  test("wait for the answers that they reuse if they differ only in the judge", async () => {
    const [lab, judges] = [await heldServer(), await heldServer()];
    const { workbench, main } = await open("model: lab/m\njudge: [judges/a, judges/b]", { lab, judges });
    await answerAll(workbench.run(main), lab, judges);
    expect(statuses(workbench)).toEqual(["done", "done"]);
    expect([lab.started.length, judges.started.length]).toEqual([12, 24]);
  });
});

describe("runs at different endpoints", () => {
  const two = "model: [one/m, two/m]";

  test("send requests at the same time, and use all slots of their endpoints", async () => {
    const [one, two_] = [await heldServer(), await heldServer()];
    const { workbench, main } = await open(two, { one, two: two_ });
    const running = workbench.run(main);
    await until(() => expect([one.inFlight, two_.inFlight]).toEqual([5, 5]));
    expect(statuses(workbench)).toEqual(["running", "running"]);
    await answerAll(running, one, two_);
    expect(statuses(workbench)).toEqual(["done", "done"]);
  });

  test("do not wait for each other, and end at different times", async () => {
    const [one, two_] = [await heldServer(), await heldServer()];
    const { workbench, main } = await open(two, { one, two: two_ });
    const running = workbench.run(main);
    await until(() => {
      two_.answer();
      expect(statuses(workbench)).toEqual(["running", "done"]);
    });
    expect(one.started).toHaveLength(5);
    workbench.stop(main, runsOf(workbench, "main")[0]!.run);
    await running;
    expect(statuses(workbench)).toEqual(["partial", "done"]);
  });

  test("end without a screen if an endpoint stays unreachable, while runs at other endpoints continue", async () => {
    const [one, two_] = [await heldServer(), await heldServer()];
    let answers = 5;
    const between = (models: Models): Models => ({
      ...models,
      model(name) {
        const real = models.model(name);
        if (!name.startsWith("one/")) return real;
        return {
          ...real,
          async *stream(request) {
            if (answers-- <= 0) throw new OutageProblem("one is away");
            yield* real.stream(request);
          },
        };
      },
    });
    const { workbench } = await open(`${two}\ntemperature: [0, 1]`, { one, two: two_ }, between);
    const { suites, analyses } = workbench;
    const context = { stdout: () => {}, stderr: () => {}, signal: new AbortController().signal, suites, analyses };
    const status = execute(workbench, context, { cells: undefined, json: false, width: 80, ascii: true });
    await answerAll(
      status.then(() => {}),
      one,
      two_,
    );
    expect(await status).toBe(1);
    expect(runsOf(workbench, "main").map((run) => [run.spec.model, run.status, run.message])).toEqual([
      ["one/m", "partial", "one is away"],
      ["one/m", "ready", undefined],
      ["two/m", "done", undefined],
      ["two/m", "done", undefined],
    ]);
  });
});
