/**
 * What the screen costs, beside version 0.1.0: work and bytes of a frame while 32 replies of 100 tokens a second stream into
 * the live screen, and how long a key takes to be seen. The program runs in a real pseudo-terminal; `frame-probe.ts` counts
 * its frames from inside. The bound is an app of Ink's with one line of text, of which a number changes.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planRunCell } from "../source/engine/session/run-cell.ts";
import { appbench } from "../suites/appbench/index.ts";
import { openProgram, type PseudoTerminal } from "../test/stories/pseudo-terminal.ts";
import { program, startRealTexts, startServer } from "./child-program.ts";
import { builtFirstVersion, type FirstVersion } from "./first-version.ts";
import type { Probed } from "./frame-probe.ts";
import type { Bench, LeftOut, Measurement, Reference } from "./measurement.ts";
import { publishedData } from "./published.ts";
import { cell, type PlannedRun, writeSaved } from "./saved-session.ts";

export const streams = 32;
/** Tokens of a reply that streams for half a minute. */
const tokens = 3_000;
const listed = 10_000;
const steps = 5_000;
/** Seconds in which all streams begin, and in which frames are counted. */
const warm = 5;
const counted = 12;
const presses = 40;
/** Seconds after which nothing comes of a key any more. */
const patience = 20;

/** Milliseconds and bytes. */
type Live = { readonly p50: number; readonly p95: number; readonly bytes: number; readonly key: number };
type Keys = { readonly list: number; readonly steps: number };

export const bench: Bench = async () => {
  const first = builtFirstVersion();
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-frames-"));
  try {
    return [...(await live(first, folder)), ...(await keys(first, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const programOf = ({ folder }: { readonly folder: string }) => join(folder, "dist", "cli.js");

async function live(first: FirstVersion, folder: string): Promise<readonly (Measurement | LeftOut)[]> {
  const data = await publishedData("appbench", "test_mm.json");
  // The sample has too few tasks.
  if (data === undefined) return [{ of: "frames of the live screen", leftOut: "no published AppBench data" }];
  const server = await startServer(["--lorem", "--latency", "20", "--tokens", String(tokens), "--pace", "10"]);
  try {
    const lines: Measurement[] = [];
    for (const [columns, rows, goal] of [
      [200, 60, 50 / 192],
      [80, 24, 30 / 104],
    ] as const) {
      const measure = (file: string) => streamed(file, folder, { url: server.url, data, columns, rows });
      const ours = await measure(program);
      const theirs = "leftOut" in first ? undefined : await measure(programOf(first));
      const empty = await emptyApp(join(folder, `empty-${columns}`), columns, rows);
      const line = (what: string, of: keyof Live, unit: string, aim: number): Measurement => ({
        what: `${what}, live with ${streams} streams of 100 tokens/s at ${columns}x${rows}`,
        ours: ours[of],
        unit,
        beside: besideOf(first, theirs?.[of]),
        goal: aim,
        bound: { of: emptyInk, value: empty[of] },
      });
      if (columns === 200)
        lines.push(
          line("work of a frame, p50", "p50", "ms", 6 / 36),
          line("work of a frame, p95", "p95", "ms", 12 / 109),
          line("bytes of a frame, mean", "bytes", "bytes", 1.5 / 5),
        );
      lines.push(line("key to changed place, p95", "key", "ms", goal));
      if (columns === 200) lines.push(...(await besideFiller(ours, folder, { data, columns, rows })));
    }
    return lines;
  } finally {
    server.stop();
  }
}

/** The same with replies of JSON, Chinese and code. */
async function besideFiller(filler: Live, folder: string, watch: Omit<Watch, "url">): Promise<readonly Measurement[]> {
  const server = await startRealTexts(tokens, 10);
  try {
    const real = await streamed(program, folder, { ...watch, url: server.url });
    const line = (what: string, of: keyof Live, unit: string): Measurement => ({
      what: `${what}, live with ${streams} streams of JSON, Chinese and code at ${watch.columns}x${watch.rows}`,
      ours: real[of],
      unit,
      beside: { of: "streams of filler text", value: filler[of] },
      goal: 1.5,
      bound: { of: "streams of filler text", value: filler[of] },
    });
    return [
      line("work of a frame, p50", "p50", "ms"),
      line("work of a frame, p95", "p95", "ms"),
      line("key to changed place, p95", "key", "ms"),
    ];
  } finally {
    server.stop();
  }
}

function besideOf(first: FirstVersion, value: number | undefined): Reference | LeftOut {
  return "leftOut" in first || value === undefined ? { ...first, leftOut: "not built" } : { of: first.of, value };
}

type Watch = {
  readonly url: string;
  readonly data: string;
  readonly columns: number;
  readonly rows: number;
};

/** Starts a run of the published tasks with its live screen open (`flags` are for Node), and leaves what the program counted in a file when it ends. */
export async function watchRun(
  file: string,
  folder: string,
  { url, data, columns, rows }: Watch,
  trials = 1,
  flags: readonly string[] = [],
): Promise<{ readonly terminal: PseudoTerminal; end(): Promise<Probed> }> {
  const own = mkdtempSync(join(folder, "run-"));
  const session = join(own, "sessions", "streams");
  mkdirSync(session, { recursive: true });
  mkdirSync(join(own, "settings"));
  const endpoint = { name: "local", baseUrl: url, concurrency: streams, identify: false };
  writeFileSync(
    join(own, "settings", "settings.json"),
    JSON.stringify({ endpoints: [endpoint], data: { appbench: data } }),
  );
  const trial = Array.from({ length: trials }, (_, index) => index + 1).join(", ");
  const run = `suite: appbench\nsplit: all\nlimit: 800\nmodel: local/lorem\nprompting: flat\ntrial: [${trial}]\n`;
  writeFileSync(join(session, "session.md"), `\`\`\`run main\n${run}\`\`\`\n`);
  const counts = join(own, "frames.json");
  const probe = join(import.meta.dirname, "frame-probe.ts");
  const terminal = openProgram({
    args: [session],
    folder: own,
    columns,
    rows,
    shell: [process.execPath, ...flags, "--import", probe, file],
    env: { PLANWRIGHT_FRAMES: counts },
  });
  await terminal.waitFor(/run main/);
  terminal.type("r");
  // With several runs, `o` opens the active one: live in 0.1.0, its tasks since then, from which `L` opens the live view.
  await terminal.waitFor(/▸ \d+ running|running \d/);
  terminal.type("oL");
  await terminal.waitFor(/following the newest/);
  return {
    terminal,
    async end() {
      terminal.kill("SIGTERM");
      await terminal.ended;
      return JSON.parse(readFileSync(counts, "utf8")) as Probed;
    },
  };
}

async function streamed(file: string, folder: string, watch: Watch): Promise<Live> {
  const { terminal, end } = await watchRun(file, folder, watch);
  await seconds(warm + counted);
  const over = performance.now();
  const key = await pressed(terminal, ["h", "l"], () => boardCursor(terminal));
  const { frames } = await end();
  // Before the keys: the last frame is about as old as this moment.
  const last = (frames.at(-1)?.[0] ?? 0) - (performance.now() - over) / 1000;
  const within = frames.filter(([at]) => at > last - counted && at <= last);
  if (within.length === 0) throw new Error("Expected frames while replies stream in, got none");
  const work = within.map(([, milliseconds]) => milliseconds);
  const bytes = within.reduce((sum, [, , each]) => sum + each, 0) / within.length;
  return { p50: quantile(work, 0.5), p95: quantile(work, 0.95), bytes, key };
}

const emptyInk = "an empty Ink app";

/** Measures an app with one line in which a number changes by itself or with every key. */
async function emptyApp(folder: string, columns: number, rows: number): Promise<Live> {
  mkdirSync(folder, { recursive: true });
  const counts = join(folder, "frames.json");
  const open = async (counting: string) => {
    const probed = [process.execPath, "--import", join(import.meta.dirname, "frame-probe.ts")] as const;
    const shell = [...probed, join(import.meta.dirname, "empty-app.ts")] as const;
    const env = { PLANWRIGHT_FRAMES: counts };
    const terminal = openProgram({ args: [counting], folder, columns, rows, shell, env });
    await terminal.waitFor(/run main \d/);
    return terminal;
  };
  const end = async (terminal: PseudoTerminal) => {
    terminal.kill("SIGTERM");
    await terminal.ended;
  };
  const ticking = await open("ticks");
  await seconds(warm);
  await end(ticking);
  // The first frames are of a program that is not compiled yet.
  const frames = (JSON.parse(readFileSync(counts, "utf8")) as Probed).frames.filter(([at]) => at > 2);
  const pressing = await open("keys");
  const key = await pressed(pressing, ["j", "k"], () => pressing.screen());
  await end(pressing);
  const work = frames.map(([, milliseconds]) => milliseconds);
  const bytes = frames.reduce((sum, [, , each]) => sum + each, 0) / frames.length;
  return { p50: quantile(work, 0.5), p95: quantile(work, 0.95), bytes, key };
}

/** Finds the brackets around the chosen task on the board. */
function boardCursor({ terminal }: PseudoTerminal): string {
  for (let row = 3; row < 10; row++) {
    const found = /\[\S\]/.exec(terminal.buffer.active.getLine(row)?.translateToString(true) ?? "");
    if (found !== null) return `${row} ${found.index}`;
  }
  return "";
}

async function keys(first: FirstVersion, folder: string): Promise<readonly Measurement[]> {
  const own = planRunCell(cell, { suites: [appbench], defaultData: () => "sample" }).runs[0]!;
  const ours = await pressedEverywhere(program, join(folder, "ours"), own);
  let theirs: Keys | undefined;
  if (!("leftOut" in first)) {
    const { folder: sources } = first;
    const planner = (await import(join(sources, "source", "engine", "run-cell.ts"))) as {
      planRunCell: (source: string, context: object) => { readonly runs: readonly PlannedRun[] };
    };
    const suite = (await import(join(sources, "suites", "appbench", "index.ts"))) as { appbench: object };
    const planned = planner.planRunCell(cell, { suites: [suite.appbench], defaultData: () => "sample" }).runs[0]!;
    theirs = await pressedEverywhere(programOf(first), join(folder, "first"), planned);
  }
  const empty = await emptyApp(join(folder, "empty"), 200, 60);
  const line = (what: string, of: keyof Keys, before: number): Measurement => ({
    what: `any key ${what}, p95, at 200x60`,
    ours: ours[of],
    unit: "ms",
    beside: besideOf(first, theirs?.[of]),
    goal: 50 / before,
    bound: { of: emptyInk, value: empty.key },
  });
  return [line(`in a list of ${listed} tasks`, "list", 75), line(`in a trajectory of ${steps} steps`, "steps", 297)];
}

const [enter, escape, pageDown] = ["\r", "\u001b", "\u001b[6~"];

async function pressedEverywhere(file: string, folder: string, planned: PlannedRun): Promise<Keys> {
  const session = join(folder, "session");
  writeSaved(session, planned, listed, steps);
  const shell = [process.execPath, file] as const;
  const terminal = openProgram({ args: [session], folder, columns: 200, rows: 60, shell });
  await terminal.waitFor(/10,?000/);
  // The figure of the last cell, and all tasks behind the last value of its only row.
  terminal.type("G");
  await terminal.waitFor(/by category[\s\S]* 10000/);
  terminal.type("o");
  await terminal.waitFor(/Enter tasks/);
  terminal.type("l".repeat(12));
  await terminal.waitFor(/▸10000/);
  terminal.type(enter);
  await terminal.waitFor(/1\/10000/);
  const screen = () => terminal.screen();
  const list = await pressed(terminal, ["j", "j", pageDown, "k", "s", "S", "G", "g"], screen);
  // The list as it was at first, which a wide window keeps as it was left: its first task is the long one.
  terminal.type("Sg");
  await terminal.waitFor(/1\/10000 {2}as listed\s/);
  terminal.type(escape);
  await terminal.waitFor(/Enter tasks/);
  terminal.type(enter);
  await terminal.waitFor(/1\/10000 {2}as listed\s/);
  terminal.type(enter);
  await terminal.waitFor(/Steps/);
  terminal.type("2");
  await terminal.waitFor(/lines 1 to \d+ of \d{5}/);
  const inSteps = await pressed(terminal, ["j", "j", pageDown, "k", "G", "k", "w", "w", "g", "\t", "2"], screen);
  terminal.kill("SIGTERM");
  await terminal.ended;
  return { list, steps: inSteps };
}

/** Presses these keys over and over; each changes what `look` sees. The 95th percentile of the milliseconds until it has. */
async function pressed(terminal: PseudoTerminal, pressedKeys: readonly string[], look: () => string): Promise<number> {
  const times: number[] = [];
  for (let press = 0; press < presses; press++) {
    const before = look();
    const from = performance.now();
    const changed = new Promise<void>((resolve) => {
      const watching = terminal.terminal.onWriteParsed(() => {
        if (look() === before) return;
        watching.dispose();
        resolve();
      });
    });
    const key = pressedKeys[press % pressedKeys.length]!;
    terminal.type(key);
    const never = seconds(patience).then(() => {
      throw new Error(`Expected the key ${JSON.stringify(key)} to change the screen\n${terminal.screen()}`);
    });
    await Promise.race([changed, never]);
    never.catch(() => {});
    times.push(performance.now() - from);
    await seconds(0.15);
  }
  return quantile(times, 0.95);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!;
}

export const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1000));
