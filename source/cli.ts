/** The command line: the only file that knows suites, analyses, commands and the screen. */
import { writeSync } from "node:fs";
import { analyses } from "../analyses/index.ts";
import { suites } from "../suites/index.ts";
import { ArgumentProblem } from "./commands/arguments.ts";
import type { Command, CommandContext } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { openFor } from "./commands/open-session.ts";
import { printedText, speaksUnicode } from "./commands/output.ts";
import { DataProblem } from "./engine/text/json-lines.ts";
import { whyUnwritten } from "./engine/files/replace-file.ts";
import { ModelProblem } from "./engine/models/problem.ts";
import { packageVersion } from "./engine/settings/package-folder.ts";
import { PredictionProblem } from "./engine/prediction.ts";
import { Problem } from "./engine/problem.ts";
import { SettingsProblem } from "./engine/settings/settings.ts";

export { printedBug } from "./commands/output.ts";
export { keepProgramFiles } from "./engine/work/program-files.ts";

/** Errors the user can do something about: shown as a message, without a stack trace. */
const reportable = [ArgumentProblem, DataProblem, ModelProblem, PredictionProblem, Problem, SettingsProblem];

/** Runs one command line. Resolves to the exit status: 0 done, 1 something failed, 2 the command could not be understood. */
export async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  // It stays after the command: output may still be in transit.
  for (const output of [process.stdout, process.stderr]) output.off("error", outputFailed).on("error", outputFailed);
  const release = onSignals(interrupt);
  const context: CommandContext = {
    stdout: (text) => void process.stdout.write(printedText(text)),
    stderr: (text) => void process.stderr.write(printedText(text)),
    signal: interrupt.signal,
    suites,
    analyses,
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: (question) => askedOf(question, interrupt.signal) } : {}),
  };
  try {
    return await dispatch(args, context, release);
  } catch (error) {
    // A directory in place of a file, a file without permission: the message of the system names it.
    const isSystem = typeof (error as NodeJS.ErrnoException).syscall === "string";
    if (!isSystem && !reportable.some((kind) => error instanceof kind)) throw error;
    context.stderr(`planwright: ${(error as Error).message}\n`);
    return 2;
  } finally {
    release();
  }
}

/** On the terminal, whatever stands in the place of standard output; anything but yes is no. */
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
 * Ctrl+C and other signals interrupt the command, which then reports what it has; a second later, they end the program. The
 * listeners stay after the first signal: some packages end the program when nobody else listens. Returns their removal.
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
 * The reader of our output may close it early (`| head`): that is no failure. A terminal that is closed ends the program, and so does
 * a disk that is full.
 */
function outputFailed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  if (error.code === "EIO") process.exit(129);
  if (error.syscall === undefined) throw error;
  // Where this cannot be written either, the status says it.
  try {
    writeSync(2, `planwright: Could not write what was to be printed: ${whyUnwritten(error)}\n`);
  } finally {
    process.exit(1);
  }
}

async function dispatch(
  [name, ...rest]: readonly string[],
  context: CommandContext,
  release: () => void,
): Promise<number> {
  if (name === "--version" || name === "version") {
    context.stdout(`${packageVersion()}\n`);
    return 0;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    const about = commands.find((each) => each.name === rest[0]);
    context.stdout(about === undefined ? help(commands) : helpOn(about));
    return 0;
  }
  const command = commands.find((each) => each.name === name);
  if (command !== undefined) {
    // Behind `--` stand the words of another program.
    const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
    if (own.includes("--help") || own.includes("-h")) {
      context.stdout(helpOn(command));
      return 0;
    }
    return command.run(rest, context);
  }
  return open(name === undefined ? rest : [name, ...rest], context, release);
}

/** `planwright [SESSION]`: the notebook; without a terminal, the session is executed and printed. */
async function open(args: readonly string[], context: CommandContext, release: () => void): Promise<number> {
  const flags = args.filter((arg) => arg.startsWith("--"));
  const paths = args.filter((arg) => !arg.startsWith("--"));
  if (flags.includes("--help")) {
    context.stdout(help(commands));
    return 0;
  }
  const unknown = flags.find((flag) => !Object.hasOwn(screenFlags, flag));
  if (unknown !== undefined || paths.length > 1) {
    const known = commands.map((each) => each.name).join(", ");
    throw new ArgumentProblem(`Expected a session or one of the commands ${known}, got \`${args.join(" ")}\``);
  }
  const onScreen = process.stdin.isTTY && process.stdout.isTTY;
  // Only in the notebook can a session be new; elsewhere a missing one is a typing error.
  const workbench = await openFor(paths[0] ?? "welcome", context, { mustExist: !onScreen, drafts: onScreen });
  if (!onScreen) {
    const { execute } = await import("./commands/run.ts");
    try {
      return await execute(workbench, context, {
        cells: undefined,
        json: false,
        width: 100,
        ascii: flags.includes("--ascii") || !speaksUnicode(),
      });
    } finally {
      await workbench.close();
    }
  }
  // The screen has its own signal handlers, which restore the terminal.
  release();
  const { startTerminal } = await import("./terminal/start.tsx");
  await startTerminal(workbench, {
    stdin: process.stdin,
    stdout: process.stdout,
    colour: (process.env["NO_COLOR"] ?? "") === "",
    ascii: flags.includes("--ascii") || !speaksUnicode(),
    alternateScreen: !flags.includes("--no-alternate-screen"),
    screenReader: flags.includes("--screen-reader"),
  });
  const { farewell } = await import("./commands/farewell.ts");
  context.stdout(await farewell(workbench));
  await workbench.close();
  return workbench.bugs > 0 ? 1 : 0;
}

function helpOn({ summary, usage }: Command): string {
  return `${summary}\n\n${usage.trim()}\n`;
}

const screenFlags = {
  "--ascii": "ASCII characters only; the default where the locale is not UTF-8",
  "--screen-reader": "for screen readers: ASCII without colour or alternate screen",
  "--no-alternate-screen": "leaves the screen in the scrollback",
};

function help(all: readonly Command[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "Planwright: a notebook for the terminal to study how language models plan and use tools.",
    "",
    "  planwright [SESSION]   open a notebook (sessions/welcome when none is named)",
    ...Object.entries(screenFlags).map(([flag, about]) => `    ${flag.padEnd(21)}  ${about}`),
    "",
    ...lines,
    "",
    "planwright COMMAND --help shows the options of a command. In the notebook, ? lists all keys.",
    "",
  ].join("\n");
}
