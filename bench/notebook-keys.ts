/**
 * Measures the time until a key's effect is visible in a notebook while the difficulty of two runs of 143,000 tasks is computed.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planRunCell } from "../source/engine/session/run-cell.ts";
import { appbench } from "../suites/appbench/index.ts";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";
import { program } from "./child-program.ts";
import { quantile, seconds } from "./frames.ts";
import type { Bench } from "./measurement.ts";
import type { PlannedRun } from "./saved-session.ts";

const tasks = 143_000;
/** Fewer presses say nothing of one in twenty. */
const fewest = 20;
/** Milliseconds that are wanted. */
const wanted = 12;

const cell = "suite: appbench\ndata: sample\nsplit: all\nmodel: builtin/oracle\nseed: [1, 2]\n";
const document = `# Measured\n\n\`\`\`run main\n${cell}\`\`\`\n\nA note\n\n\`\`\`analysis groups\npane: difficulty\nof: [main]\nby: category\n\`\`\`\n`;
const underWay = /Reading the results|Working out what/;

export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-notebook-"));
  try {
    const session = join(folder, "session");
    mkdirSync(session);
    writeFileSync(join(session, "session.md"), document);
    const { runs } = planRunCell(cell, { suites: [appbench], defaultData: () => "sample" });
    for (const run of runs) writeRun(session, run);
    // The logs are folded, and their rows written beside them.
    const first = open(folder, session);
    await first.waitFor(/by category[\s\S]*Run/);
    await end(first);
    const terminal = open(folder, session);
    await terminal.waitFor(underWay);
    const times = await pressed(terminal, () => underWay.test(terminal.screen()));
    await seconds(1);
    const atRest = await pressed(terminal, (presses) => presses < 100);
    await end(terminal);
    return [
      {
        what: `key to changed place in a notebook at 120x40 while the difficulty of two runs of ${tasks} tasks is worked out, p95 of ${times.length}`,
        ours: quantile(times, 0.95),
        unit: "ms",
        beside: { of: "what is wanted", value: wanted },
        goal: 1,
        bound: { of: "the same notebook at rest", value: quantile(atRest, 0.95) },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function open(folder: string, session: string): PseudoTerminal {
  return openProgram({ args: [session], folder, columns: 120, rows: 40, shell: [process.execPath, program] });
}

async function end(terminal: PseudoTerminal): Promise<void> {
  terminal.type("q");
  await Promise.race([terminal.ended, seconds(60)]);
  terminal.kill("SIGTERM");
  await terminal.ended;
}

/** Milliseconds of each press, for as long as `goesOn`. */
async function pressed(terminal: PseudoTerminal, goesOn: (presses: number) => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  while (goesOn(times.length)) {
    const before = place(terminal.screen());
    const from = performance.now();
    const changed = new Promise<void>((resolve) => {
      const watching = terminal.terminal.onWriteParsed(() => {
        if (place(terminal.screen()) === before) return;
        watching.dispose();
        resolve();
      });
    });
    // The cursor is on the first cell.
    terminal.type(times.length % 2 === 0 ? "j" : "k");
    await changed;
    times.push(performance.now() - from);
    await seconds(0.03);
  }
  if (times.length < fewest) throw new Error(`Expected ${fewest} presses, got ${times.length}`);
  return times;
}

/** Finds the cursor, because the number of rows read changes by itself. */
function place(screen: string): string {
  return screen.replace(/Reading the results.*/g, "").replace(/Working out what.*/g, "");
}

function writeRun(session: string, { run, spec }: PlannedRun): void {
  const folder = join(session, "runs", run);
  mkdirSync(folder, { recursive: true });
  const events = [
    { type: "run-started", run, spec, total: tasks, warnings: [] },
    ...Array.from({ length: tasks }, (_, index) => {
      const task = `mm-${index}`;
      const value = (index * 7919 + spec.seed) % 3 === 0 ? 0 : 1;
      const metrics = { "official.total_match": value, "official.success": value };
      const score = { value, metrics, checks: [], errors: [] };
      return [
        {
          type: "started",
          task,
          facets: { category: ["SS", "SM", "MS", "MM"][index % 4]! },
          question: `What of ${task}?`,
        },
        { type: "scored", task, score, suiteRevision: 1 },
      ];
    }).flat(),
    { type: "run-ended", reason: "done" },
  ];
  const at = Date.now();
  const lines = events.map((event, seq) => `${JSON.stringify({ seq, at, ...event })}\n`);
  writeFileSync(join(folder, "events.jsonl"), lines.join(""));
}
