/**
 * Measures what ended tasks and questions leave in memory and on the disk: runs of tasks that take no time, by the program without a
 * screen and in its window, how fast SIGTERM ends them, and files of a million questions. With `--largest`, a million tasks are run
 * twice, opened, listed, compared and exported.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProgram } from "../test/stories/pseudo-terminal.ts";
import { measured, program } from "./child-program.ts";
import { seconds } from "./frames.ts";
import type { Bench, Compared } from "./measurement.ts";
import { logBytes, peakOf, peakWithin, residentMegabytes, type Watched, watched } from "./watched-memory.ts";
import type { QuestionsWeight } from "./weight-load.ts";

const sizes = { usual: 40_000, large: 200_000, largest: 1_000_000 };
/** Ended tasks from which on memory is to stay as it is. */
const begun = 20_000;
/** The share of the tasks after which a run is ended by a signal; the same command does the rest. */
const stopped = 0.9;
/** MB, and seconds. */
const [most, soon] = [400, 5];
const sizesOfFiles = [
  { questions: 1_000_000, seconds: 1 },
  { questions: 100_000, seconds: 0.3 },
];
const none = { unknown: "what a program needs at least depends on it" };

const cell = (name: string, model: string) =>
  `\`\`\`run ${name}\nsuite: own\nfrom: questions.csv\nmodel: ${model}\n\`\`\`\n\n`;
const compared = "```analysis pairs\npane: compare\n```\n";

export const bench: Bench = async function* ({ most: size }) {
  const folder = mkdtempSync(join(tmpdir(), "planwright-bench-weight-"));
  process.env["PLANWRIGHT_CONFIG_DIR"] = join(folder, "settings");
  const tasks = sizes[size];
  try {
    const headless = sessionIn(folder, "headless", tasks, cell("main", "builtin/oracle"));
    // A task takes the same bytes of the log, but for its number.
    const bytes = tasks * (await bytesOfTask(folder));
    const first = await watched(headless, ["run", headless], (log) => log >= stopped * bytes);
    const rest = await watched(headless, ["run", headless]);
    yield* runLines(tasks, first, headless);
    if (size === "largest") yield* millionLines(folder, headless, tasks);
    else yield* windowLines(tasks, await inWindow(folder, tasks));
    if (logBytes(headless) === 0) throw new Error(`Expected a log after ${rest.seconds} s`);
    yield* await questionLines(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function sessionIn(folder: string, name: string, tasks: number, document: string): string {
  const session = join(folder, name);
  mkdirSync(session);
  const lines = Array.from({ length: tasks }, (_, index) => `What is ${index} plus one?,${index + 1},${index % 5}\n`);
  writeFileSync(join(session, "questions.csv"), `question,answer,level\n${lines.join("")}`);
  writeFileSync(join(session, "session.md"), document);
  return session;
}

async function bytesOfTask(folder: string): Promise<number> {
  const few = 1_000;
  const session = sessionIn(folder, "few", few, cell("main", "builtin/oracle"));
  await watched(session, ["run", session]);
  return logBytes(session) / few;
}

/** The highest memory at the end of a run beside that after its first tasks. */
function flatLine(where: string, tasks: number, run: Watched): Compared {
  const bytes = run.looks.at(-1)!.log;
  const share = begun / tasks;
  return {
    what: `memory of the program ${where} in the second half of ${tasks} tasks`,
    ours: peakWithin(run, bytes, 0.5, 1),
    unit: "MB",
    beside: { of: `around task ${begun.toLocaleString("en")}`, value: peakWithin(run, bytes, share / 2, share) },
    ...(tasks <= sizes.large && { goal: 1.35 }),
    bound: none,
  };
}

function peakLine(where: string, tasks: number, { looks }: Watched): Compared {
  return {
    what: `highest memory of the program ${where} with ${tasks} tasks`,
    ours: peakOf(looks),
    unit: "MB",
    beside: { of: `${most} MB`, value: most },
    ...(tasks <= sizes.large && { goal: 1 }),
    bound: none,
  };
}

function leavingLine(where: string, tasks: number, { leaving = 0 }: Watched): Compared {
  return {
    what: `from SIGTERM ${where} in a run of ${tasks} tasks to the end of the program`,
    ours: leaving,
    unit: "s",
    beside: { of: `${soon} s`, value: soon },
    goal: 1,
    bound: none,
  };
}

function runLines(tasks: number, run: Watched, session: string): readonly Compared[] {
  const where = "without a screen";
  const [folder] = readdirSync(join(session, "runs"));
  const sizeOf = (name: string) =>
    (statSync(join(session, "runs", folder!, name), { throwIfNoEntry: false })?.size ?? 0) / 1e6;
  return [
    peakLine(where, tasks, run),
    flatLine(where, tasks, run),
    leavingLine(where, tasks, run),
    {
      what: `rows of ${tasks} tasks on the disk, which repeat their scores`,
      ours: sizeOf("rows.jsonl") + sizeOf("rows.zst"),
      unit: "MB",
      beside: { of: "their log", value: sizeOf("events.jsonl") },
      goal: 0.1,
      bound: none,
    },
  ];
}

/** The same in the notebook on the screen, ended by the signal when its tasks have ended. */
async function inWindow(folder: string, tasks: number): Promise<Watched> {
  const session = sessionIn(folder, "window", tasks, cell("main", "builtin/oracle"));
  const terminal = openProgram({ args: [session], folder, columns: 120, rows: 40, shell: [process.execPath, program] });
  const from = performance.now();
  const looks: Watched["looks"][number][] = [];
  await terminal.waitFor(/run main/);
  terminal.type("r");
  const isOver = () => new RegExp(`(${tasks.toLocaleString("en")}|${tasks}) right`).test(terminal.screen());
  while (!isOver()) {
    await seconds(0.25);
    const at = (performance.now() - from) / 1000;
    looks.push({ at, log: logBytes(session), resident: residentMegabytes(terminal.pid) });
  }
  const signalled = performance.now();
  terminal.kill("SIGTERM");
  await terminal.ended;
  const now = performance.now();
  return { looks, seconds: (now - from) / 1000, leaving: (now - signalled) / 1000 };
}

const windowLines = (tasks: number, run: Watched): readonly Compared[] => {
  const where = "in its window";
  return [peakLine(where, tasks, run), flatLine(where, tasks, run), leavingLine(where, tasks, run)];
};

/** What one does with a run of a million tasks: each command's time and highest memory beside those of the run itself. */
async function* millionLines(folder: string, session: string, tasks: number): AsyncGenerator<Compared> {
  const both = cell("main", "builtin/oracle") + cell("other", "builtin/slips?rate=0.1") + compared;
  writeFileSync(join(session, "session.md"), both);
  const run = await watched(session, ["run", session, "--cells", "other"]);
  const commands = {
    "executed, and compared with another": run,
    "compared with another": await watched(session, ["run", session]),
    listed: await watched(session, ["list", folder]),
    "exported to Parquet": await watched(session, exportOf(session, join(folder, "out"))),
  };
  for (const [name, { looks, seconds: time }] of Object.entries(commands)) {
    yield {
      what: `a run of ${tasks} tasks ${name}`,
      ours: time,
      unit: "s",
      beside: { of: "executing it", value: run.seconds },
      bound: none,
    };
    yield {
      what: `a run of ${tasks} tasks ${name}: highest memory`,
      ours: peakOf(looks),
      unit: "MB",
      beside: { of: "executing it", value: peakOf(run.looks) },
      bound: none,
    };
  }
  const opened = await opening(folder, session, /run main[\s\S]*right/);
  yield {
    what: `a run of ${tasks} tasks opened, until its counts are on the screen`,
    ours: opened.seconds,
    unit: "s",
    beside: { of: "executing it", value: run.seconds },
    bound: none,
  };
}

const exportOf = (session: string, out: string) =>
  ["export", session, "--cells", "main", "--rows", "parquet", "--out", out] as const;

/** Opens a notebook until this is on its screen; its highest memory, in MB, is that until `ready` is. */
async function opening(folder: string, session: string, until: RegExp, ready = until) {
  const from = performance.now();
  const terminal = openProgram({ args: [session], folder, columns: 120, rows: 40, shell: [process.execPath, program] });
  await terminal.waitFor(until);
  const taken = (performance.now() - from) / 1000;
  await terminal.waitFor(ready);
  const memory = residentMegabytes(terminal.pid, "VmHWM");
  terminal.kill("SIGTERM");
  await terminal.ended;
  return { seconds: taken, memory };
}

const forms = {
  CSV: (index: number) => `What is ${index} plus one?,${index + 1},1\n`,
  "quoted CSV": (index: number) => `"What is ""${index}"", plus one?","${index + 1}",1\n`,
  "JSON Lines": (index: number) =>
    `${JSON.stringify({ question: `What is ${index} plus one?`, answer: String(index + 1), level: 1 })}\n`,
};

async function questionLines(folder: string): Promise<readonly Compared[]> {
  const found: Compared[] = [];
  for (const [form, lineOf] of Object.entries(forms))
    for (const { questions, seconds: wanted } of sizesOfFiles) {
      const name = form === "JSON Lines" ? "questions.jsonl" : "questions.csv";
      const session = join(folder, `${form} ${questions}`);
      mkdirSync(session);
      const head = form === "JSON Lines" ? "" : "question,answer,level\n";
      writeFileSync(join(session, name), head + Array.from({ length: questions }, (_, at) => lineOf(at)).join(""));
      writeFileSync(join(session, "session.md"), cell("main", "builtin/oracle").replace("questions.csv", name));
      const read = await measured<QuestionsWeight>("weight-load.ts", join(session, name));
      const opened = await opening(folder, session, /run main/, /r runs/);
      const what = `${questions} questions of ${form}`;
      const time = { unit: "s", beside: { of: `${wanted} s`, value: wanted }, goal: 1, bound: none };
      const memory = { unit: "MB", beside: { of: "250 MB", value: 250 }, goal: 1, bound: none };
      found.push(
        { what: `${what} read`, ours: read.seconds, ...time },
        { what: `a notebook of ${what}, to the first frame`, ours: opened.seconds, ...time },
        { what: `${what}: memory to read them`, ours: read.memory, ...memory },
        { what: `a notebook of ${what}: highest memory of the program`, ours: opened.memory, ...memory },
      );
      rmSync(session, { recursive: true, force: true });
    }
  return found;
}
