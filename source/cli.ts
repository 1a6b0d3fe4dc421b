/** The command line: the only file that knows suites, analyses, commands and the screen. */
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { ThreadData } from "./analysis-thread.ts";
import { ArgumentProblem, readArguments } from "./commands/shell/arguments.ts";
import { type Command, type CommandContext, longestEnding, type OwnFile } from "./commands/shell/command.ts";
import { ErrorOutput, printedText, speaksUnicode } from "./commands/shell/output.ts";
import { withExtensions, withFiles } from "./commands/shell/user-settings.ts";
import { screenFlags, type ScreenLook, screenLook } from "./commands/session/screen-flags.ts";
import { DataProblem } from "./engine/text/json-lines.ts";
import { whyUnwritten } from "./engine/files/replace-file.ts";
import { ModelProblem } from "./engine/models/problem.ts";
import type { Notebooks, OtherNotebook } from "./terminal/terminal.ts";
import { packageVersion } from "./engine/settings/package-folder.ts";
import { PredictionProblem } from "./engine/prediction.ts";
import { Problem } from "./engine/problem.ts";
import { openSettings, type Settings, SettingsProblem, type SettingsStore } from "./engine/settings/settings.ts";
import { similarName } from "./engine/text/similar-name.ts";
import type { SessionWorkbench } from "./engine/workbench/session-workbench.ts";
import { mostNew } from "./engine/work/lean-heap.ts";
import { ExtensionProblem } from "./extension/definition.ts";

export { printedBug } from "./commands/shell/output.ts";
export { keepProgramFiles } from "./engine/work/program-files.ts";

/** Errors that the user can fix: they are shown as a message, without a stack trace. */
const reportable = [
  ArgumentProblem,
  DataProblem,
  ExtensionProblem,
  ModelProblem,
  PredictionProblem,
  Problem,
  SettingsProblem,
];

function isReportable(error: unknown): error is Error {
  // For example a directory in place of a file, or a missing permission; the system's message names the path.
  const isSystem = typeof (error as NodeJS.ErrnoException).syscall === "string";
  return isSystem || reportable.some((kind) => error instanceof kind);
}

/** Runs one command line. Resolves to the exit status: 0 done, 1 something failed, 2 the command could not be understood. */
export async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  // The listener stays after the command, because output may still be pending.
  for (const output of [process.stdout, process.stderr]) output.off("error", outputFailed).on("error", outputFailed);
  if (args[0] === "--version" || args[0] === "version") {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const [{ suites }, { analyses }] = await Promise.all([import("../suites/index.ts"), import("../analyses/index.ts")]);
  const release = onSignals(interrupt);
  const errors = new ErrorOutput(process.stderr);
  const context: CommandContext = {
    stdout: (text) => void process.stdout.write(printedText(text)),
    stderr: (text) => errors.print(text),
    ...(process.stdout.isTTY ? { showPage } : {}),
    ...(process.stderr.isTTY && process.env["TERM"] !== "dumb" ? { redraw: (lines) => errors.redraw(lines) } : {}),
    signal: interrupt.signal,
    suites,
    analyses,
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: (question) => askedOf(question, interrupt.signal) } : {}),
    // The screen has its own signal handlers, which restore the terminal.
    ...(process.stdin.isTTY && process.stdout.isTTY
      ? { show: (workbench, look) => show(workbench, look, context, release) }
      : {}),
    startThread,
  };
  try {
    const { files, rest } = withFiles(args);
    return await dispatch(rest, context, files);
  } catch (error) {
    if (!isReportable(error)) throw error;
    context.stderr(`planwright: ${error.message}\n`);
    return 2;
  } finally {
    release();
  }
}

/** Uses the terminal's own 16 colours, because the background of the terminal is not known. */
async function showPage(markdown: string, columns: number): Promise<void> {
  const [{ noteLines }, { openTheme }] = await Promise.all([
    import("./terminal/notebook/note-lines.ts"),
    import("./terminal/drawing/theme.ts"),
  ]);
  const { colour, ascii } = abilitiesOf({ ascii: false, screenReader: false });
  const theme = openTheme({ colour, ascii, depth: 16 });
  // Comments in a page are for whoever edits it.
  const lines = noteLines(markdown.replaceAll(/<!--[^>]*-->\n*/g, ""), columns, theme.symbols);
  process.stdout.write(lines.map((line) => `${theme.paint(line)}\n`).join(""));
}
/** The size of the heap for new objects in a thread, equal to the limit that `keepHeapLean` sets in this thread. */
const resourceLimits = { maxYoungGenerationSizeMb: mostNew / 1024 / 1024 };

/** Discards the thread's output, which would overwrite the notebook on the screen. */
function startThread(session: string, own: readonly OwnFile[], standIn?: string): Worker {
  const file = import.meta.url.endsWith(".ts") ? "./analysis-thread.ts" : "./analysis-thread.js";
  const data: ThreadData = { session, own, standIn };
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: data,
    stdout: true,
    stderr: true,
    resourceLimits,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
}

/** Asks on the terminal, even if standard output is redirected; every answer except yes means no. */
async function askedOf(question: string, signal: AbortSignal): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await lines.question(`${printedText(question)} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/**
 * Interrupts the command on Ctrl+C and other signals; the command then reports its results so far. Signals more than a second
 * later end the program. The listeners stay after the first signal, because some packages end the program if there is no other
 * listener. Returns a function that removes the listeners.
 */
function onSignals(interrupt: AbortController): () => void {
  let first: number | undefined;
  const abort = () => {
    if (first !== undefined && performance.now() - first > 1000) process.exit(130);
    first ??= performance.now();
    interrupt.abort();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, abort);
  return () => {
    for (const name of signals) process.off(name, abort);
  };
}

/**
 * A reader may close the program's output early (`| head`), which is not a failure. A closed terminal or a full disk ends the
 * program.
 */
function outputFailed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  if (error.code === "EIO") process.exit(129);
  if (error.syscall === undefined) throw error;
  // If this cannot be written either, only the exit status reports it.
  try {
    writeSync(2, `planwright: Could not write the output: ${whyUnwritten(error)}\n`);
  } finally {
    process.exit(1);
  }
}

/** Ends the program this many milliseconds after an interruption, even if it still waits; all written files are complete. */
function endAfter(milliseconds: number, { signal }: CommandContext): void {
  const end = () => {
    writeSync(
      2,
      "planwright: The program ended before all tasks had stopped. Saved results are intact; run the same command again to continue\n",
    );
    process.exit(1);
  };
  signal.addEventListener("abort", () => void setTimeout(end, milliseconds).unref(), { once: true });
}

async function dispatch(
  [name, ...rest]: readonly string[],
  context: CommandContext,
  files: readonly string[] = [],
): Promise<number> {
  const { commands } = await import("./commands/index.ts");
  if (name === "--help" || name === "-h") return dispatch(["help"], context);
  const command = commands.find((each) => each.name === name);
  if (command === undefined) endAfter(longestEnding, context);
  else {
    if (command.longestEnding !== undefined) endAfter(command.longestEnding, context);
    // Arguments after `--` belong to another program.
    const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
    if (own.includes("--help") || own.includes("-h")) return dispatch(["help", command.name], context);
    // Help works even if a user's file cannot be used.
    return command.run(rest, name === "help" ? context : await withExtensions(context, files));
  }
  return open(name === undefined ? rest : [name, ...rest], commands, await withExtensions(context, files));
}

/** `planwright [SESSION]`: opens the notebook; without a terminal, executes and prints the session. */
async function open(args: readonly string[], commands: readonly Command[], context: CommandContext): Promise<number> {
  if (args.includes("--help")) return dispatch(["help"], context);
  // Another thread compiles the screen's layout while this one opens the session.
  if (context.show !== undefined) void import("./terminal/start.tsx");
  const { isSession, openFor, sessionNames } = await import("./commands/session/open-session.ts");
  const misunderstood = (words: readonly string[]) =>
    notUnderstood(
      args,
      words,
      commands.map(({ name }) => name),
      sessionNames(),
    );
  const unknown = args.find((arg) => arg.startsWith("-") && !Object.hasOwn(screenFlags, arg.split("=")[0]!.slice(2)));
  if (unknown !== undefined) throw misunderstood([isSession(args[0]!) ? unknown : args[0]!]);
  const given = readArguments(args, screenFlags);
  const look = screenLook(given);
  const paths = given.positionals;
  if (args.length === 0 && context.show !== undefined) {
    const settings = await openSettings();
    const { firstSteps, isFirstStart } = await import("./commands/session/first-steps.ts");
    if (isFirstStart(settings)) return context.show(await firstSteps(context, settings), look);
  }
  const path = paths[0] ?? "welcome";
  // A word that is neither a session nor a command is a typing error and creates nothing.
  if (paths.length > 1 || !isSession(path)) throw misunderstood(paths);
  const workbench = await openFor(path, context, {
    mustExist: true,
    drafts: context.show !== undefined,
    takeOver: given.flag("take-over"),
  });
  if (context.show !== undefined) return context.show(workbench, look);
  const { execute } = await import("./commands/session/run.ts");
  try {
    const ascii = look.ascii || !speaksUnicode();
    return await execute(workbench, context, { cells: undefined, json: false, width: 100, ascii });
  } finally {
    await workbench.close();
  }
}

/** Reports an invalid command line and suggests the intended command. */
function notUnderstood(
  args: readonly string[],
  [first = ""]: readonly string[],
  names: readonly string[],
  sessions: readonly string[],
): ArgumentProblem {
  const flags = Object.keys(screenFlags).map((name) => `--${name}`);
  const similar = similarName(first, [...names, ...sessions, ...flags]);
  const isFlag = first.startsWith("-");
  const expected =
    similar !== undefined
      ? `a session or a command (did you mean \`${similar}\`?)`
      : isFlag
        ? `a session, a command, or one of ${flags.join(", ")}`
        : `a session or one of the commands ${names.join(", ")}`;
  const instead = args.length === 1 && first !== "" && !isFlag ? `; \`planwright new ${first}\` creates a session` : "";
  return new ArgumentProblem(`Expected ${expected}, got \`${args.join(" ")}\`${instead}`);
}

/** Shows this notebook and the notebooks opened from it, until the user quits. */
async function show(
  first: SessionWorkbench,
  look: ScreenLook,
  context: CommandContext,
  release: () => void,
): Promise<number> {
  const abilities = abilitiesOf(look);
  const { askedGround, coloursOf } = await import("./terminal/drawing/ground.ts");
  // The terminal answers while the screen is loaded.
  const [{ endOnSignals, startTerminal }, ground] = await Promise.all([
    import("./terminal/start.tsx"),
    look.ground ?? (abilities.colour ? askedGround(process.stdin, process.stdout) : undefined),
  ]);
  const { stdin, stdout: screen } = process;
  const settings = await openSettings();
  const { rememberSession } = await import("./commands/session/recent-sessions.ts");
  const { farewell, leftToWorkers } = await import("./commands/session/interruption.ts");
  if (context.signal.aborted) {
    await first.close();
    return 130;
  }
  let bugs = 0;
  let greeting: string | undefined;
  for (let workbench = first; ;) {
    const { folder } = workbench;
    const current = workbench;
    const lastWords = () => context.stderr(leftToWorkers(current));
    workbench.takeUp();
    rememberSession(settings, folder);
    // From here on the screen handles signals.
    release();
    const next = await startTerminal(workbench, {
      ...look,
      ...abilities,
      mouse: look.mouse || settings.read().mouse === true,
      pictures: picturesOf(settings.read()),
      stdin,
      stdout: screen,
      ground,
      depth: look.depth ?? coloursOf(screen),
      notebooks: await otherNotebooks(folder, settings, context.suites),
      greeting,
      lastWords,
    });
    release = endOnSignals(lastWords);
    context.stdout(await farewell(workbench));
    await workbench.close();
    bugs += workbench.bugs;
    if (next === undefined) return bugs > 0 ? 1 : 0;
    ({ workbench, greeting } = await opened(next, folder, context));
  }
}

const picturesOf = ({ pictures = "off" }: Settings) => (pictures === "off" ? undefined : pictures);

async function otherNotebooks(
  folder: string,
  settings: SettingsStore,
  suites: CommandContext["suites"],
): Promise<Notebooks> {
  const { knownNotebooks, notebookProblem } = await import("./commands/session/recent-sessions.ts");
  const { runsBelow } = await import("./engine/workbench/library/listed-run.ts");
  return {
    known: () => knownNotebooks(settings, folder),
    problem: notebookProblem,
    runs: () => runsBelow(process.cwd(), suites, settings),
  };
}

/** Returns what the terminal can show, by its kind and the flags. */
function abilitiesOf(look: Pick<ScreenLook, "ascii" | "screenReader">) {
  const terminal = process.env["TERM"];
  const obeysNothing = terminal === "dumb";
  const screenReader = look.screenReader || obeysNothing;
  return {
    screenReader,
    obeysNothing,
    colour: (process.env["NO_COLOR"] ?? "") === "" && !screenReader,
    // The font of the Linux console has neither check marks nor Braille.
    ascii: look.ascii || terminal === "linux" || !speaksUnicode(),
  };
}

/** Opens the chosen notebook. If it cannot be opened, opens the previous notebook again and reports the reason. */
async function opened({ path, isNew }: OtherNotebook, left: string, context: CommandContext) {
  const { openFor } = await import("./commands/session/open-session.ts");
  try {
    return { workbench: await openFor(path, context, { mustExist: !isNew, drafts: true }), greeting: undefined };
  } catch (error) {
    if (!isReportable(error)) throw error;
    return { workbench: await openFor(left, context, { drafts: true }), greeting: error.message };
  }
}
