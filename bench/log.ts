/** Measures the cost of a log in this version and 0.1.0: opening it, reading one task or all, surviving a power cut, its size. */
import {
  closeSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunStore } from "../source/engine/log/run-store.ts";
import { trajectoryOf, type Trajectory } from "../source/engine/log/trajectory.ts";
import { eventLoopYielder } from "../source/engine/work/event-loop.ts";
import type { Event, Message, Step, TaskEvent } from "../source/engine/types.ts";
import { bareSpec } from "../test/bare-spec.ts";
import { firstVersion } from "./first-version.ts";
import type { Compared, Measurement } from "./measurement.ts";
import { copyOf } from "./memory-bandwidth.ts";

/** The parts of a run on disk that both versions have. */
type Store = {
  open(): { append(event: object): Event; flush(): void };
  close(): void;
  task(id: string): readonly TaskEvent[];
  readonly table: { rows(): readonly unknown[] };
};

type Version = {
  open(folder: string): Store;
  /** Until its cell shows counts. */
  counts(store: Store): unknown;
  /** Reads the events of all these tasks. */
  readAll(store: Store, tasks: readonly string[]): Promise<void>;
  trajectoryOf(task: string, events: Iterable<TaskEvent>): Trajectory;
  /** Says that a run of this size could not be closed as it should be. */
  close(store: Store): void;
};

const now: Version = {
  open: (folder) => new RunStore(folder) as unknown as Store,
  counts: (store) => (store as unknown as RunStore).table.sums(),
  async readAll(store, tasks) {
    const yieldIfDue = eventLoopYielder();
    for (const _ of (store as unknown as RunStore).eachTask(tasks)) await yieldIfDue();
  },
  trajectoryOf,
  close: (store) => store.close(),
};

/** Copies the run without neighbouring files. */
type Own = Omit<Compared, "beside">;

/** Seven events a task: a million, and five. */
const large = 143_000;
const huge = 715_000;
const many = 14_000;

export async function bench(): Promise<readonly Measurement[]> {
  const first = firstVersion();
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-log-"));
  try {
    const own = await measured(now, join(folder, "now"));
    if ("leftOut" in first) return [...own.map((line) => ({ ...line, beside: first })), syncCost(folder)];
    const known = await measured(await versionIn(first.folder), join(folder, "first"));
    const beside = own.map((line, at) => ({ ...line, beside: { of: first.of, value: known[at]!.ours } }));
    return [...beside, syncCost(folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function versionIn(sources: string): Promise<Version> {
  const engine = join(sources, "source", "engine");
  const store = (await import(join(engine, "run-store.ts"))) as {
    RunStore: new (folder: string) => Store & { tasks(ids: ReadonlySet<string>): unknown };
  };
  const trajectory = (await import(join(engine, "trajectory.ts"))) as Pick<Version, "trajectoryOf">;
  return {
    open: (folder) => new store.RunStore(folder),
    counts: ({ table }) => table.rows().length,
    readAll: async (opened, tasks) => {
      // As in rescoring and export: five hundred tasks at a time.
      for (let from = 0; from < tasks.length; from += 500)
        (opened as InstanceType<typeof store.RunStore>).tasks(new Set(tasks.slice(from, from + 500)));
    },
    trajectoryOf: trajectory.trajectoryOf,
    close(opened) {
      try {
        opened.close();
      } catch (error) {
        // The rows of a million tasks are more than one string can hold: its log is whole, and is read instead.
        if (!(error instanceof RangeError)) throw error;
      }
    },
  };
}

async function measured(version: Version, folder: string): Promise<readonly Own[]> {
  const at = (name: string) => join(folder, name);
  const [runs, most, some, agent] = [at("runs"), at("most"), at("some"), at("agent")];
  writeRun(version, runs, large);
  writeRun(version, some, many);
  const text = writeAgent(version.open(agent), 2000);
  let store: Store | undefined;
  const opening = timed(() => version.counts((store = version.open(runs))));
  const task = timed(() => store!.task(`t${large >> 1}`));
  const names = Array.from({ length: many }, (_, index) => `t${index}`);
  const opened = version.open(some);
  const from = performance.now();
  await version.readAll(opened, names);
  const all = performance.now() - from;
  const lines = readFileSync(join(some, "events.jsonl"), "utf8").trimEnd().split("\n");
  const parsing = timed(() => lines.forEach((line) => void JSON.parse(line)));
  const events = steps(10_000);
  // Last, as nothing else of this process has room beside it.
  writeRun(version, most, huge);
  const openingMost = timed(() => version.counts(version.open(most)));
  const looking = timed(() => events.reduce((sum, { seq }) => sum + seq, 0));
  const indexOf = (run: string) => copyOf("its index", sizeOf(run, "events.index"));
  const [index, indexOfMost] = [indexOf(runs), indexOf(most)];
  const reading = readTime(join(runs, "events.jsonl"), large);
  rmSync(most, { recursive: true });
  const size = sizeOf(agent, "events.jsonl") / 1e6;
  return [
    {
      what: "a saved run of 1 M events opened to its counts",
      ours: opening,
      unit: "ms",
      goal: 0.5 / 1.9,
      bound: index,
    },
    {
      what: "one task of it opened",
      ours: task,
      unit: "ms",
      goal: 10 / 2300,
      bound: { of: "its bytes read", value: reading },
    },
    {
      what: "a saved run of 5 M events opened to its counts",
      ours: openingMost,
      unit: "ms",
      goal: 2 / 10.4,
      bound: indexOfMost,
    },
    {
      what: `all of ${many} tasks read, as for re-scoring`,
      ours: all,
      unit: "ms",
      goal: 1 / 11.5,
      bound: { of: "its lines parsed", value: parsing },
    },
    {
      what: "a trajectory of 10,000 steps folded",
      ours: timed(() => version.trajectoryOf("t", events)),
      unit: "ms",
      goal: 0.04 / 4.3,
      bound: { of: "its events looked at once", value: looking },
    },
    {
      what: `log of an agent of 2,000 steps with ${(text / 1e6).toFixed(2)} MB of text`,
      ours: size,
      unit: "MB",
      goal: 3 / 69,
      bound: { of: "the text", value: text / 1e6 },
    },
  ];
}

/** Returns the bytes of a file of a run; 0 if a version has none. */
function sizeOf(run: string, file: string): number {
  return statSync(join(run, file), { throwIfNoEntry: false })?.size ?? 0;
}

/** Milliseconds to read one of so many parts of a file, which the system has in memory. */
function readTime(path: string, parts: number): number {
  const into = Buffer.alloc(Math.ceil(statSync(path).size / parts));
  const file = openSync(path, "r");
  const times = [0, 1, 2, 3].map((part) => timed(() => readSync(file, into, 0, into.length, part * into.length)));
  closeSync(file);
  return Math.min(...times);
}

/** A run as sixteen tasks at a time write it. */
function writeRun(version: Version, folder: string, tasks: number): void {
  const store = version.open(folder);
  const log = store.open();
  const system = { role: "system", content: "a catalogue of many tools ".repeat(100) } as const;
  log.append({ type: "run-started", run: "r", spec: bareSpec("appbench"), total: tasks, warnings: [] });
  for (let from = 0; from < tasks; from += 16) {
    const names = Array.from({ length: 16 }, (_, index) => `t${from + index}`);
    const append = (event: (task: string) => object) => {
      for (const task of names) log.append({ task, ...event(task) });
    };
    append((task) => ({ type: "started", facets: { category: "MM" }, question: `What is to be done for ${task}?` }));
    const messages = (task: string) => [system, { role: "user", content: `What is to be done for ${task}?` }];
    append((task) => ({ ...promptOf(0), messages: messages(task) }));
    append(() => ({ type: "text", request: 0, text: "Hotels: [a = searchhotel(#city='Paris')]\n".repeat(3) }));
    append(() => ({ type: "usage", request: 0, input: 900, output: 60, estimated: false }));
    append(() => ({ type: "finish", request: 0, reason: "stop" }));
    append(() => ({ type: "answer", answer: ["a"] }));
    const score = { value: 1, metrics: { "official.success": 1 }, checks: [], errors: [] };
    append(() => ({ type: "scored", score, suiteRevision: 1 }));
    if (from % 1600 === 0) log.flush();
  }
  log.append({ type: "run-ended", reason: "done" });
  version.close(store);
}

const promptOf = (request: number) =>
  ({ type: "prompt", request, role: "model", model: "builtin/oracle", stage: "step" }) as const;

/** An agent that calls a tool in every step; returns how much text it and the tool wrote. */
function writeAgent(store: Store, requests: number): number {
  const log = store.open();
  const take = (event: object) => log.append({ task: "t", ...event });
  log.append({ type: "run-started", run: "r", spec: bareSpec("toolbench"), total: 1, warnings: [] });
  take({ type: "started", facets: {}, question: "Go" });
  const messages: Message[] = [{ role: "user", content: "Go" }];
  let length = 0;
  for (let request = 0; request < requests; request++) {
    const text = `Step ${request}: ${"it is best to look again ".repeat(10)}`;
    const observation = `Seen in step ${request}: ${"there was something there ".repeat(10)}`;
    const call = { id: `call-${request}`, name: "look", text: `{"at":${request}}`, arguments: { at: request } };
    take({ ...promptOf(request), messages: [...messages] });
    take({ type: "text", request, text });
    take({ type: "call", request, call });
    take({ type: "usage", request, input: 900, output: 60, estimated: false });
    take({ type: "finish", request, reason: "tool_calls" });
    take({ type: "result", callId: call.id, name: "look", result: { ok: true, observation, status: 200 } });
    messages.push({ role: "assistant", content: text, calls: [call] });
    messages.push({ role: "tool", callId: call.id, content: observation });
    length += text.length + observation.length;
    log.flush();
  }
  take({ type: "scored", score: { value: 1, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 });
  store.close();
  return length;
}

function steps(requests: number): TaskEvent[] {
  const events: Step[] = Array.from({ length: requests }, (_, request): Step[] => [
    { ...promptOf(request), messages: [] },
    { type: "text", request, text: "a reply" },
    { type: "finish", request, reason: "stop" },
    { type: "note", kind: "step", text: "done" },
  ]).flat();
  return events.map((event, seq): TaskEvent => ({ seq, at: seq, task: "t", ...event }));
}

function timed(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

/** Scored tasks are synced to disk at most twice a second, outside the thread that runs the tasks. */
function syncCost(folder: string): Measurement {
  const file = openSync(join(folder, "sync"), "w");
  const rounds = 20;
  const all = timed(() => {
    for (let round = 0; round < rounds; round++) {
      writeSync(file, Buffer.alloc(64 * 1024, 32));
      fsyncSync(file);
    }
  });
  closeSync(file);
  return { what: "64 KB kept through a power cut", ours: all / rounds, unit: "ms, twice a second at most" };
}
