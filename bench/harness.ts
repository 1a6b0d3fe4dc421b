/** Measures the overhead over bare requests: the same prompts to the same server, with log on disk and live view. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import { logSize, readBytes } from "../source/engine/log/file/log-lines.ts";
import { planRunCell } from "../source/engine/session/run-cell.ts";
import { chosenTasks } from "../source/engine/run/sampling.ts";
import type { Suite } from "../source/engine/suite.ts";
import type { Message } from "../source/engine/types.ts";
import { apibench } from "../suites/apibench/index.ts";
import { appbench } from "../suites/appbench/index.ts";
import { bareHttp, measured, program, startServer, wholeTime } from "./child-program.ts";
import type { LeftOut, Measurement } from "./measurement.ts";
import { publishedData } from "./published.ts";
import { writePrompts } from "./shared-prompts.ts";

const width = 50;

/** Writes a run cell with this number of calls; `fields` are its own fields. */
type Load = {
  readonly suite: Suite;
  readonly data: string;
  readonly calls: number;
  readonly goal: number;
  readonly fields: string;
};

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  const results: (Measurement | LeftOut)[] = [];
  const replies = ["--lorem", "--latency", "20", "--tokens", "64"];
  const server = await startServer([...replies, "--pace", "0.01"]);
  // A server that never lets a client wait for the next token.
  const fast = await startServer(replies);
  try {
    // The samples have too few tasks.
    const plans = await publishedData("appbench", "test_mm.json");
    if (plans === undefined) results.push({ of: "streamed calls of AppBench", leftOut: "no published AppBench data" });
    // The benchmark has 801 tasks: more calls are several trials of the same ones.
    else
      for (const [calls, fields] of [
        [1000, "limit: 500\ntrial: [1, 2]"],
        [4000, "limit: 800\ntrial: [1, 2, 3, 4, 5]"],
      ] as const) {
        const load = { suite: appbench, data: plans, calls, goal: 1, fields: `split: all\nprompting: flat\n${fields}` };
        results.push(await compareWhole(fast.url, load), await compare(server.url, load));
      }
    const hub = await publishedData("apibench", join("eval", "huggingface_eval.jsonl.gz"));
    if (hub === undefined) results.push({ of: "streamed calls of APIBench", leftOut: "no published APIBench data" });
    else {
      const fields = "split: huggingface\nlimit: 900";
      const load = { suite: apibench, data: hub, calls: 900, goal: 1.2, fields };
      results.push(await compareWhole(fast.url, load), await compare(server.url, load));
    }
  } finally {
    server.stop();
    fast.stop();
  }
  return results;
}

/** Both programs from their start to their end, without a screen: bare and ours in turns, at a server that has warmed up. */
async function compareWhole(url: string, load: Load): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const prompts = await prepare(folder, url, load);
    const settings = { PLANWRIGHT_CONFIG_DIR: join(folder, "settings") };
    const bareLoop = () => wholeTime([join(import.meta.dirname, "bare-loop.ts"), url, prompts, String(width)]);
    await bareHttp(url, prompts, width);
    const bare: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < 5; round++) {
      bare.push(bareLoop());
      // Replies of filler text have no form: a run of them goes on all the same.
      own.push(wholeTime([program, "run", makeSession(folder, load, round), "--keep-going"], settings));
    }
    return {
      what: `${load.calls} streamed calls of ${load.suite.title}, ${width} in flight, whole process, log on disk`,
      ours: median(own),
      unit: "s",
      beside: { of: "a bare loop of `openai`", value: median(bare) },
      bound: { of: "loopback of `node:http`", value: await bareHttp(url, prompts, width) },
      goal: load.goal,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bare, ours, bare, ours, bare: the ratio is of the medians, so a machine that drifts does not decide it. A server is slow at first:
 * what it answers then is nobody's figure.
 */
async function compare(url: string, load: Load): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const prompts = await prepare(folder, url, load);
    const bare: number[] = [];
    const own: number[] = [];
    const bareLoop = async () =>
      (await measured<{ seconds: number }>("bare-loop.ts", url, prompts, String(width))).seconds;
    await bareHttp(url, prompts, width);
    for (let round = 0; round < 2; round++) {
      bare.push(await bareLoop());
      own.push(await playSession(folder, load, round));
    }
    bare.push(await bareLoop());
    const least = await bareHttp(url, prompts, width);
    return {
      what: `${load.calls} streamed calls of ${load.suite.title}, ${width} in flight, log and live view on`,
      ours: median(own),
      unit: "s",
      beside: { of: "a bare loop of `openai`", value: median(bare) },
      bound: { of: "loopback of `node:http`", value: least },
      goal: load.goal,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings that know the data and the server, and the prompts of all runs as a file. */
async function prepare(folder: string, url: string, load: Load): Promise<string> {
  const { suite, data } = load;
  mkdirSync(join(folder, "settings"), { recursive: true });
  const endpoint = { name: "local", baseUrl: url, concurrency: width, idleTimeout: 60, identify: false };
  const settings = { endpoints: [endpoint], data: { [suite.name]: data } };
  writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify(settings));
  const opened = await suite.open({ folder: data, data: "published", signal: new AbortController().signal });
  const prompts: (readonly Message[])[] = [];
  for (const { spec } of plan(load, 0))
    for (const task of chosenTasks(await opened.tasks(spec.split), spec, suite))
      prompts.push(opened.asks.stages!(task, spec, [])[0]!.messages([], "none"));
  const file = join(folder, "prompts.json");
  writePrompts(file, prompts as Parameters<typeof writePrompts>[1]);
  return file;
}

function cell({ suite, fields }: Load, round: number): string {
  return `suite: ${suite.name}\nmodel: local/lorem\nseed: ${round}\n${fields}\n`;
}

function plan(load: Load, round: number) {
  return planRunCell(cell(load, round), { suites: [load.suite], defaultData: () => "published" }).runs;
}

function makeSession(folder: string, load: Load, round: number): string {
  const session = join(folder, "sessions", `bench-${round}`);
  mkdirSync(session, { recursive: true });
  writeFileSync(join(session, "session.md"), `\`\`\`run main\n${cell(load, round)}\`\`\`\n`);
  return session;
}

/** Seconds from the first event of the run to its last, played in the notebook with the live screen open. */
async function playSession(folder: string, load: Load, round: number): Promise<number> {
  const session = makeSession(folder, load, round);
  const terminal = openProgram({ args: [session], folder, columns: 140, rows: 45 });
  await terminal.waitFor(/run main/);
  terminal.type("r");
  terminal.type("L");
  // With several runs, the cell asks which one to watch.
  if (/Watch which run/.test(await terminal.waitFor(/Watch which run|following the newest/))) terminal.type("\r");
  await terminal.waitFor(/following the newest/);
  const runs = join(session, "runs");
  const logs = () => (existsSync(runs) ? readdirSync(runs) : []).map((run) => join(runs, run, "events.jsonl"));
  const count = plan(load, round).length;
  // The tails of several runs go on at once.
  let wasPaused = false;
  while (logs().length < count || !logs().every(ended)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    // No answer of the filler text can be read, so a run pauses after its first answers.
    const isPaused = /paused: p resumes/.test(terminal.screen());
    if (isPaused && !wasPaused) terminal.type("p");
    wasPaused = isPaused;
  }
  terminal.kill("SIGTERM");
  await terminal.ended;
  return (Math.max(...logs().map(lastAt)) - Math.min(...logs().map(firstAt))) / 1000;
}

const lines = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const at = (line: string) => (JSON.parse(line) as { at: number }).at;
const firstAt = (path: string) => at(lines(path)[0]!);
const lastAt = (path: string) => at(lines(path).at(-1)!);

/** Looks at its last kilobyte only: reading whole logs again and again took a third of a processor from who is measured. */
function ended(path: string): boolean {
  const size = logSize(path) ?? 0;
  return readBytes(path, Math.max(0, size - 1024), size).includes('"run-ended"');
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
