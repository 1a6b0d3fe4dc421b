/** What Planwright adds to bare requests: the same prompts to the same server, with log on disk and live view on. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import { planRunCell } from "../source/engine/session/run-cell.ts";
import { chosenTasks } from "../source/engine/run/sampling.ts";
import { appbench } from "../suites/appbench/index.ts";
import { measured, startServer } from "./child-program.ts";
import type { LeftOut, Measurement } from "./measurement.ts";
import { publishedData } from "./published.ts";

const width = 50;

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  // The sample has too few tasks.
  const data = await publishedData("appbench", "test_mm.json");
  if (data === undefined) return [{ of: "streamed calls", leftOut: "no published AppBench data" }];
  const results: Measurement[] = [];
  const server = await startServer(["--lorem", "--latency", "20", "--tokens", "64", "--pace", "0.01"]);
  try {
    for (const calls of [1000, 4000]) results.push(await compare(server.url, data, calls));
  } finally {
    server.stop();
  }
  return results;
}

/** Bare, ours, bare, ours, bare: the ratio is of the medians, so a machine that drifts does not decide it. */
async function compare(url: string, data: string, calls: number): Promise<Measurement> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const prompts = await prepare(folder, data, url, calls);
    const bare: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < 2; round++) {
      bare.push((await measured<{ seconds: number }>("bare-loop.ts", url, prompts, String(width))).seconds);
      own.push(await playSession(folder, calls, round));
    }
    bare.push((await measured<{ seconds: number }>("bare-loop.ts", url, prompts, String(width))).seconds);
    return {
      what: `${calls} streamed calls, ${width} in flight, log and live view on`,
      ours: median(own),
      unit: "s",
      beside: { of: "a bare loop of `openai`", value: median(bare) },
      goal: 1,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Settings that know the data and the server, and the prompts of all runs as a file. */
async function prepare(folder: string, data: string, url: string, calls: number): Promise<string> {
  mkdirSync(join(folder, "settings"), { recursive: true });
  const endpoint = { name: "local", baseUrl: url, concurrency: width, idleTimeout: 60, identify: false };
  const settings = { endpoints: [endpoint], data: { appbench: data } };
  writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify(settings));
  const opened = await appbench.open({ folder: data, data: "published" });
  const pool = await opened.tasks("all");
  const prompts = plan(calls, 0).flatMap(({ spec }) =>
    chosenTasks(pool, spec, appbench).map((task) => opened.asks.stages(task, spec, [])[0]!.messages([], "none")),
  );
  const file = join(folder, "prompts.json");
  writeFileSync(file, JSON.stringify(prompts));
  return file;
}

/** The benchmark has 801 tasks: more calls are several trials of the same ones. */
function cell(calls: number, round: number): string {
  const limit = calls <= 800 ? calls : calls % 800 === 0 ? 800 : 500;
  const trials = Array.from({ length: calls / limit }, (_, index) => index + 1);
  return `suite: appbench\nsplit: all\nlimit: ${limit}\nmodel: local/lorem\nprompting: flat\nseed: ${round}\ntrial: [${trials.join(", ")}]\n`;
}

function plan(calls: number, round: number) {
  return planRunCell(cell(calls, round), { suites: [appbench], defaultData: () => "published" }).runs;
}

/** Seconds from the first event of the run to its last, played in the notebook with the live screen open. */
async function playSession(folder: string, calls: number, round: number): Promise<number> {
  const session = join(folder, "sessions", `bench-${round}`);
  mkdirSync(session, { recursive: true });
  writeFileSync(join(session, "session.md"), `\`\`\`run main\n${cell(calls, round)}\`\`\`\n`);
  const terminal = openProgram({ args: [session], folder, columns: 140, rows: 45 });
  await terminal.waitFor(/run main/);
  terminal.type("r");
  terminal.type("o");
  const logs = plan(calls, round).map(({ run }) => join(session, "runs", run, "events.jsonl"));
  // The tails of several runs go on at once.
  while (!logs.every(ended)) await new Promise((resolve) => setTimeout(resolve, 100));
  terminal.kill("SIGTERM");
  await terminal.ended;
  return (Math.max(...logs.map(lastAt)) - firstAt(logs[0]!)) / 1000;
}

const lines = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
const at = (line: string) => (JSON.parse(line) as { at: number }).at;
const firstAt = (path: string) => at(lines(path)[0]!);
const lastAt = (path: string) => at(lines(path).at(-1)!);
const ended = (path: string) => existsSync(path) && lines(path).at(-1)!.includes('"run-ended"');

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
