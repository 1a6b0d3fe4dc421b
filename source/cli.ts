/** The command line: the only file that knows suites, analyses, commands and the screen. */
import { analyses } from "../analyses/index.ts";
import { suites } from "../suites/index.ts";
import { ArgumentProblem } from "./commands/arguments.ts";
import type { Command, CommandContext } from "./commands/command.ts";
import { commands } from "./commands/index.ts";
import { openFor } from "./commands/open-session.ts";
import { DataProblem } from "./engine/text/json-lines.ts";
import { ModelProblem } from "./engine/models/problem.ts";
import { packageVersion } from "./engine/settings/package-folder.ts";
import { printable } from "./engine/text/printable.ts";
import { PredictionProblem } from "./engine/prediction.ts";
import { Problem } from "./engine/problem.ts";
import { SettingsProblem } from "./engine/settings/settings.ts";

/** Things a person can mend: told in their own words, without a stack. */
const tellable = [ArgumentProblem, DataProblem, ModelProblem, PredictionProblem, Problem, SettingsProblem];

/** Runs one command line. Resolves to the exit status: 0 done, 1 something failed, 2 the command could not be understood. */
export async function main(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  // It stays when the command is done: what was written last may still be on its way.
  process.stdout.off("error", outputFailed).on("error", outputFailed);
  const release = onSignals(interrupt);
  const context: CommandContext = {
    stdout: (text) => void process.stdout.write(text),
    // Words of files and servers are among what is told there.
    stderr: (text) => void process.stderr.write(text.split("\n").map(printable).join("\n")),
    signal: interrupt.signal,
    suites,
    analyses,
  };
  try {
    return await dispatch(args, context, release);
  } catch (error) {
    // A directory where a file was meant, a file that may not be read: the system's words name it.
    const isSystem = typeof (error as NodeJS.ErrnoException).syscall === "string";
    if (!isSystem && !tellable.some((kind) => error instanceof kind)) throw error;
    context.stderr(`planwright: ${(error as Error).message}\n`);
    return 2;
  } finally {
    release();
  }
}

/**
 * Ctrl+C and its kin end what is going, which is then reported; pressed again a second later, they end the program. The
 * listeners stay after the first: packages that listen too end the program when nobody else does. Gives how to take them off.
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

/** Whoever reads our output may have enough of it (`| head`): that is no failure. */
function outputFailed(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
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
    if (rest.includes("--help") || rest.includes("-h")) {
      context.stdout(helpOn(command));
      return 0;
    }
    return command.run(rest, context);
  }
  return open(name === undefined ? rest : [name, ...rest], context, release);
}

/** `planwright [SESSION]`: the notebook; without a terminal the session is played and printed. */
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
  // Only a person at a screen can mean a notebook that is still to be written; elsewhere it is a slip of the pen.
  const workbench = await openFor(paths[0] ?? "welcome", context, { mustExist: !onScreen, drafts: onScreen });
  if (!onScreen) {
    const { execute } = await import("./commands/run.ts");
    try {
      return await execute(workbench, context, {
        cells: undefined,
        json: false,
        width: 100,
        ascii: flags.includes("--ascii"),
      });
    } finally {
      await workbench.close();
    }
  }
  // The screen gives the terminal back by itself when the program is ended.
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

/** A locale that is named and is not UTF-8 gets ASCII; where none is named, terminals of today are trusted. */
function speaksUnicode(): boolean {
  const locale = process.env["LC_ALL"] || process.env["LC_CTYPE"] || process.env["LANG"] || "UTF-8";
  return /utf-?8/i.test(locale);
}

function helpOn({ summary, usage }: Command): string {
  return `${summary}\n\n${usage.trim()}\n`;
}

const screenFlags = {
  "--ascii": "no characters beyond ASCII; by itself where the locale is not UTF-8",
  "--screen-reader": "for screen readers: ASCII without colour, in the terminal's own text",
  "--no-alternate-screen": "stays in the terminal's own text",
};

function help(all: readonly Command[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "Planwright: a notebook for the terminal about how language models plan and use tools.",
    "",
    "  planwright [SESSION]   open a notebook (sessions/welcome when none is named)",
    ...Object.entries(screenFlags).map(([flag, about]) => `    ${flag.padEnd(21)}  ${about}`),
    "",
    ...lines,
    "",
    "planwright COMMAND --help says more. Keys are listed under ? in the notebook.",
    "",
  ].join("\n");
}
