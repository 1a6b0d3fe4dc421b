/** What Planwright adds to bare requests: the same prompts to the same server, with log on disk and live view on. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import { planRunCell } from "../source/engine/run-cell.ts";
import { sampleFolder } from "../source/engine/package-folder.ts";
import { appbench } from "../suites/appbench/index.ts";
import { measured, startServer } from "./child-program.ts";
import type { Measurement } from "./measurement.ts";

const width = 50;

export async function bench(): Promise<readonly Measurement[]> {
  const results: Measurement[] = [{ name: "processors", value: cpus().length, unit: "" }];
  const server = await startServer(["--lorem", "--latency", "20", "--tokens", "64", "--pace", "0.01"]);
  try {
    for (const calls of [1000, 4000]) results.push(...(await compare(server.url, calls)));
  } finally {
    server.stop();
  }
  return results;
}

/** Bare, ours, bare, ours, bare: the ratio is of the medians, so a machine that drifts does not decide it. */
async function compare(url: string, calls: number): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const prompts = await prepare(folder, url, calls);
    const bare: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < 2; round++) {
      bare.push((await measured<{ seconds: number }>("bare-loop.ts", url, prompts, String(width))).seconds);
      own.push(await playSession(folder, round));
    }
    bare.push((await measured<{ seconds: number }>("bare-loop.ts", url, prompts, String(width))).seconds);
    const [a, b] = [median(bare), Math.min(...own)];
    const name = `${calls} calls, ${width} in flight`;
    return [
      { name: `${name}: bare loop of the openai package`, value: a, unit: "s" },
      { name: `${name}: Planwright, log and live view on`, value: b, unit: "s" },
      { name: `${name}: ratio`, value: b / a, unit: "times the bare loop" },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A data folder with as many tasks as calls, settings that know it and the server, and the same prompts as a file. */
async function prepare(folder: string, url: string, calls: number): Promise<string> {
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  mkdirSync(join(folder, "settings"), { recursive: true });
  for (const name of ["catalogue.json", "test_ss.json", "test_sm.json", "test_ms.json"])
    writeFileSync(join(data, name), readFileSync(join(sampleFolder("appbench"), name)));
  const seeds = JSON.parse(readFileSync(join(sampleFolder("appbench"), "test_mm.json"), "utf8")) as { input: string }[];
  const tasks = Array.from({ length: calls }, (_, index) => ({
    ...seeds[index % seeds.length]!,
    input: `${seeds[index % seeds.length]!.input} (${index})`,
  }));
  writeFileSync(join(data, "test_mm.json"), JSON.stringify(tasks));
  const endpoint = { name: "local", baseUrl: url, concurrency: width, silence: 60, identify: false };
  writeFileSync(
    join(folder, "settings", "settings.json"),
    JSON.stringify({ endpoints: [endpoint], data: { appbench: data } }),
  );
  const opened = await appbench.open({ folder: data, data: "published" });
  const { spec } = planRunCell(cell(0), { suites: [appbench], defaultData: () => "published" }).runs[0]!;
  const prompts = (await opened.tasks("mm")).map((task) => opened.stages!(task, spec, [])[0]!.messages([], "none"));
  const file = join(folder, "prompts.json");
  writeFileSync(file, JSON.stringify(prompts));
  return file;
}

const cell = (round: number) =>
  `suite: appbench\nsplit: mm\ndata: published\nmodel: local/lorem\nprompting: flat\nseed: ${round}\n`;

/** Seconds from the first event of the run to its last, played in the notebook with the live screen open. */
async function playSession(folder: string, round: number): Promise<number> {
  const session = join(folder, "sessions", `bench-${round}`);
  mkdirSync(session, { recursive: true });
  writeFileSync(join(session, "session.md"), `\`\`\`run main\n${cell(round)}\`\`\`\n`);
  const terminal = openProgram({ args: [session], folder, columns: 140, rows: 45 });
  await terminal.waitFor(/run main/);
  terminal.type("r");
  terminal.type("o");
  await terminal.waitFor(/\bdone\b/i, 240);
  terminal.type("q");
  terminal.type("q");
  await Promise.race([terminal.ended, new Promise((resolve) => setTimeout(resolve, 5000))]);
  terminal.kill("SIGTERM");
  return secondsPlayed(session);
}

function secondsPlayed(session: string): number {
  const { run } = planRunCell(readFileSync(join(session, "session.md"), "utf8").split("\n").slice(1, -2).join("\n"), {
    suites: [appbench],
    defaultData: () => "published",
  }).runs[0]!;
  const lines = readFileSync(join(session, "runs", run, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  const at = (line: string) => (JSON.parse(line) as { at: number }).at;
  return (at(lines.at(-1)!) - at(lines[0]!)) / 1000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
