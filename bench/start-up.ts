/** How long a person waits: from starting the program to its first frame, with an empty session and with 10,000 saved tasks. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planRunCell } from "../source/engine/session/run-cell.ts";
import { RunStore } from "../source/engine/log/run-store.ts";
import { appbench } from "../suites/appbench/index.ts";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import type { Measurement } from "./measurement.ts";

const cell = "suite: appbench\nsplit: all\nmodel: builtin/oracle\n";
const text = `# Measured\n\n\`\`\`run main\n${cell}\`\`\`\n\n\`\`\`analysis groups\npane: difficulty\nof: [main]\nby: category\n\`\`\`\n`;
const saved = 10_000;

export async function bench(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const empty = join(folder, "empty");
    const full = join(folder, "full");
    for (const session of [empty, full]) {
      mkdirSync(session);
      writeFileSync(join(session, "session.md"), text);
    }
    await fill(full);
    const bareNode = await median(() => exitOf(folder, ["--version"]));
    const first = await median(() => firstFrame(empty, folder, /run main/));
    const figures = await median(() => firstFrame(full, folder, /10,?000/));
    return [
      { what: "start to exit of --version", ours: bareNode, unit: "s" },
      { what: "start to first frame", ours: first, unit: "s" },
      { what: `start to first frame with ${saved} saved tasks and their table`, ours: figures, unit: "s" },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run of as many tasks as wanted, written the way a run writes it. */
async function fill(session: string): Promise<void> {
  const planned = planRunCell(cell, { suites: [appbench], defaultData: () => "sample" }).runs[0]!;
  const store = new RunStore(join(session, "runs", planned.run));
  const log = store.open();
  const score = { value: 1, metrics: { "official.success": 1 }, checks: [], errors: [] };
  log.append({ type: "run-started", run: planned.run, spec: planned.spec, total: saved, warnings: [] });
  for (let index = 0; index < saved; index++) {
    const task = `mm-${index}`;
    const messages = [{ role: "user", content: `Question ${index}: ${"words ".repeat(20)}` }] as const;
    log.append({
      type: "started",
      task,
      facets: { category: ["SS", "SM", "MS", "MM"][index % 4]!, parallel: 1, sequential: 2 },
      question: `Question ${index}`,
    });
    log.append({ type: "prompt", task, request: 0, role: "model", model: "builtin/oracle", stage: "plan", messages });
    log.append({ type: "text", task, request: 0, text: "Hotels: [a = searchhotel(#city='Paris')]\n".repeat(3) });
    log.append({ type: "usage", task, request: 0, input: 900, output: 60, estimated: false });
    log.append({ type: "scored", task, score, suiteRevision: 1 });
  }
  log.append({ type: "run-ended", reason: "done" });
  store.close();
}

async function firstFrame(session: string, folder: string, pattern: RegExp): Promise<number> {
  const from = performance.now();
  const terminal = openProgram({ args: [session], folder, columns: 140, rows: 60 });
  await terminal.waitFor(pattern);
  const seconds = (performance.now() - from) / 1000;
  terminal.kill("SIGTERM");
  await terminal.ended;
  return seconds;
}

async function exitOf(folder: string, args: readonly string[]): Promise<number> {
  const from = performance.now();
  const terminal = openProgram({ args, folder });
  await terminal.ended;
  return (performance.now() - from) / 1000;
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await measure());
  return times.toSorted((a, b) => a - b)[2]!;
}
