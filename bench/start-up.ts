/**
 * How long a person waits: from starting the program to its first frame, with an empty session and with 10,000 saved tasks.
 * Beside it a file that prints a word, and for the bound a bundle of Ink that draws one; programs take turns.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planRunCell } from "../source/engine/session/run-cell.ts";
import { RunStore } from "../source/engine/log/run-store.ts";
import { appbench } from "../suites/appbench/index.ts";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import { program } from "./child-program.ts";
import { bundledEmptyApp, emptyBundle } from "./empty-bundle.ts";
import { builtFirstVersion } from "./first-version.ts";
import type { LeftOut, Measurement } from "./measurement.ts";

const cell = "suite: appbench\nsplit: all\nmodel: builtin/oracle\n";
const text = `# Measured\n\n\`\`\`run main\n${cell}\`\`\`\n\n\`\`\`analysis groups\npane: difficulty\nof: [main]\nby: category\n\`\`\`\n`;
const saved = 10_000;

const rounds = 7;
/** Text that shows that the first frame has been drawn. */
const drawn = /run main/;

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-"));
  try {
    const empty = join(folder, "empty");
    const full = join(folder, "full");
    for (const session of [empty, full]) {
      mkdirSync(session);
      writeFileSync(join(session, "session.md"), text);
    }
    await fill(full);
    const bare = join(folder, "bare.mjs");
    writeFileSync(bare, `process.stdout.write("run main");\nsetTimeout(() => {}, 60_000);\n`);
    const first = builtFirstVersion();
    const programs: Started[] = [
      { name: "bare", args: [bare], until: drawn },
      { name: "ink", args: [await bundledEmptyApp(join(folder, "ink"))], until: drawn },
      { name: "ours", args: [program, empty], until: drawn },
      { name: "version", args: [program, "--version"], until: /\d\.\d/ },
      { name: "full", args: [program, full], until: /10,?000/ },
      { name: "tools", args: [program, withTools(folder)], until: drawn },
      ...("leftOut" in first
        ? []
        : [{ name: "first", args: [join(first.folder, "dist", "cli.js"), empty], until: drawn }]),
    ];
    const took = await inTurns(programs, folder);
    const bareNode = { of: "bare Node", value: took("bare") };
    const line = (what: string, name: string) => ({ what, ours: took(name), unit: "ms" });
    const bound = { of: emptyBundle, value: took("ink") };
    return [
      { ...line("first frame", "ours"), beside: bareNode, goal: 7, bound },
      {
        ...line("first frame, beside what it was", "ours"),
        beside: "leftOut" in first ? first : { of: first.of, value: took("first") },
        bound,
      },
      { ...line("`--version`", "version"), beside: bareNode, bound: bareNode },
      line(`first frame with ${saved} saved tasks and their table`, "full"),
      {
        ...line("first frame, a cell that acts with a tool server, three of which are in the settings", "tools"),
        beside: { of: "a session without", value: took("ours") },
        bound,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A session whose cell names a tool server, and settings that hold some: none of them is there to be started. */
function withTools(folder: string): string {
  const reported = { name: "far", version: "1.0", tools: 3, tokens: 300, hash: "0123456789abcdef" };
  const toolServers = ["one", "two", "three"].map((name) => ({
    name,
    command: ["/nowhere/at-all"],
    folder,
    seconds: 60,
    megabytes: 4000,
    reported,
  }));
  mkdirSync(join(folder, "settings"), { recursive: true });
  writeFileSync(join(folder, "settings", "settings.json"), JSON.stringify({ toolServers }));
  const session = join(folder, "tools");
  mkdirSync(session);
  writeFileSync(join(session, "tasks.jsonl"), '{"question":"Six?","answer":6}\n');
  const acting = "suite: mcp\ntools: [one]\nmodel: builtin/oracle\n";
  writeFileSync(join(session, "session.md"), `# Measured\n\n\`\`\`run main\n${acting}\`\`\`\n`);
  return session;
}

type Started = { readonly name: string; readonly args: readonly string[]; readonly until: RegExp };

/** Medians of milliseconds, by name. What was compiled once is kept by Node: the first round does not count. */
async function inTurns(programs: readonly Started[], folder: string): Promise<(name: string) => number> {
  const times = new Map<string, number[]>(programs.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const { name, args, until } of programs) {
      const from = performance.now();
      const terminal = openProgram({ args: [], folder, columns: 140, rows: 60, shell: [process.execPath, ...args] });
      await terminal.waitFor(until);
      if (round > 0) times.get(name)!.push(performance.now() - from);
      // It leaves by itself, so that Node keeps what it compiled; one that has nothing to be typed to is ended.
      terminal.type("q");
      terminal.kill(name === "bare" ? "SIGKILL" : "SIGTERM");
      await terminal.ended;
    }
  return (name) => times.get(name)!.toSorted((a, b) => a - b)[rounds >> 1]!;
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
