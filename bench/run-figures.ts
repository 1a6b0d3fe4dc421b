/**
 * Measures what analyses on the screen cost a run of tasks that take no time: how many tasks end in the same time in the notebook's window
 * with two analysis cells and without any, and how long a key takes meanwhile.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";
import { program } from "./child-program.ts";
import { quantile, seconds } from "./frames.ts";
import type { Bench } from "./measurement.ts";

const tasks = 100_000;
const sizes = { usual: 20_000, large: tasks, largest: tasks };
/** Tasks before the clock starts: the program has begun by then. */
const begun = 1_000;
/** Milliseconds that are wanted of a key. */
const wanted = 50;

const cell = (kind: string, fields: string) => `\`\`\`${kind}\n${fields}\n\`\`\`\n\n`;
const run = cell("run main", "suite: own\nfrom: questions.csv\nmodel: builtin/oracle");
const analyses = cell("analysis groups", "pane: difficulty\nby: level") + cell("analysis all", "pane: overview");
/** Something to move to. */
const alone = "A note\n";
const questions = Array.from({ length: tasks }, (_, index) => `What is ${index} plus one?,${index + 1},${index % 5}\n`);

/** Seconds, and the milliseconds of 19 of 20 keys at most. */
type Watched = { readonly time: number; readonly key: number };

export const bench: Bench = async ({ most }) => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-figures-"));
  const count = sizes[most];
  try {
    const without = await watched(folder, "without", run + alone, count);
    const beside = await watched(folder, "with", run + analyses, count);
    return [
      {
        what: `${count} of ${tasks} tasks in a window with two analyses`,
        ours: beside.time,
        unit: "s",
        beside: { of: "the same without analyses", value: without.time },
        goal: 1 / 0.8,
        bound: { of: "the same without analyses", value: without.time },
      },
      {
        what: `key to changed place in that window, p95`,
        ours: beside.key,
        unit: "ms",
        beside: { of: `${wanted} ms`, value: wanted },
        goal: 1,
        bound: { of: "the same without analyses", value: without.key },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

async function watched(folder: string, name: string, document: string, count: number): Promise<Watched> {
  const session = join(folder, name);
  mkdirSync(session);
  writeFileSync(join(session, "questions.csv"), `question,answer,level\n${questions.join("")}`);
  writeFileSync(join(session, "session.md"), document);
  const terminal = openProgram({ args: [session], folder, columns: 120, rows: 40, shell: [process.execPath, program] });
  await terminal.waitFor(/run main/);
  terminal.type("r");
  let from: number | undefined;
  const keys: number[] = [];
  for (let right = 0; right < count; right = rightIn(terminal.screen())) {
    if (right >= begun) from ??= performance.now();
    keys.push(await pressed(terminal, keys.length % 2 === 0 ? "j" : "k"));
    await seconds(0.05);
  }
  const time = (performance.now() - (from ?? 0)) / 1000;
  terminal.kill("SIGTERM");
  await terminal.ended;
  return { time, key: quantile(keys, 0.95) };
}

const rightIn = (screen: string): number => Number(/✓ (\d+)/.exec(screen)?.[1] ?? 0);

/** Milliseconds until the mark of the chosen cell has moved. */
async function pressed(terminal: PseudoTerminal, key: string): Promise<number> {
  const before = chosen(terminal);
  const from = performance.now();
  const moved = new Promise<void>((resolve) => {
    const watching = terminal.terminal.onWriteParsed(() => {
      if (chosen(terminal) === before) return;
      watching.dispose();
      resolve();
    });
  });
  terminal.type(key);
  await moved;
  return performance.now() - from;
}

/** The first line of the chosen cell; what is in it changes by itself. */
const chosen = (terminal: PseudoTerminal): number =>
  terminal
    .screen()
    .split("\n")
    .findIndex((line) => line.includes("▌"));
