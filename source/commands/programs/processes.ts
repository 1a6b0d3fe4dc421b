/** `planwright processes`: lists, changes and tests the user's programs that provide their own tasks. */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../engine/files/make-folder.ts";
import { replaceFile } from "../../engine/files/replace-file.ts";
import { Problem } from "../../engine/problem.ts";
import { tasksFileOf } from "../../engine/run/agents/processes.ts";
import { notesOfPrograms } from "../../engine/run/programs/program-note.ts";
import type { SettingsStore } from "../../engine/settings/settings.ts";
import type { UserProcess } from "../../engine/settings/user-program.ts";
import { counted } from "../../engine/text/counted.ts";
import { printable } from "../../engine/text/printable.ts";
import { machineClock } from "../../engine/work/clock.ts";
import { ArgumentProblem } from "../shell/arguments.ts";
import type { Command, CommandContext } from "../shell/command.ts";
import {
  programCommand,
  programFlags,
  programLine,
  programOf,
  type ProgramList,
  programUsage,
  refuseTaken,
  withProgram,
} from "./program-list.ts";

/** Default time limit of a task in seconds. */
const usualSeconds = 600;

const { keep: _, ...flags } = programFlags;

const processes: ProgramList<UserProcess> = {
  command: "processes",
  kind: "a process",
  none: "No processes yet; `planwright processes add` adds one",
  of: ({ processes: kept = [] }) => kept,
  kept: (kept) => ({ processes: kept }),
  text: (process) =>
    `${programLine(process, (process.command ?? []).join(" "))}\n  ${describedIn(process)}, ${counted(process.reported.atOnce, "task")} at once`,
  add(name, read, command, store, context) {
    if (command === undefined) throw new ArgumentProblem("Expected a command after `--`, got none");
    refuseTaken(processes, store.read(), name, read);
    return test(programOf(name, read, command, usualSeconds), store, context);
  },
  test: (process, store, context) => test(process, store, context),
  removed: (process, store) => forgetTasks(store, process),
};

export const processesCommand: Command = {
  name: "processes",
  summary: "add, list, test or remove processes: your own programs that provide tasks and score them",
  usage: `planwright processes add NAME [--env NAME,NAME=VARIABLE] [--seconds N] [--megabytes N] [--replace] -- COMMAND [ARGUMENT...]
planwright processes list [--json]
planwright processes test NAME
planwright processes remove NAME

A run cell names a process: \`suite: process\` and \`process: NAME\`. It reads and writes one JSON value per line, and may ask the
run's models; documentation/processes.md describes the lines and has bridges to Inspect and verifiers. Only your settings contain the
command, never a session, and the sessions of a folder may use a process once you have allowed it.

add starts the process and saves its description and its tasks, which are part of each run's identity. test asks for
them again: if they have changed, later results belong to other runs.

${programUsage
  .split("\n")
  .filter((line) => !line.startsWith("--keep"))
  .join("\n")}`,
  takes: [{ words: ["add", "list", "test", "remove"] }, "text"],
  flags,
  run: (args, context) => programCommand(processes, args, flags, context),
};

const describedIn = ({ reported }: UserProcess): string =>
  `${[reported.name, reported.version].filter((text) => text !== "").join(" ")}, ${counted(reported.tasks, "task")}`;

/** Requests a process's tasks, prints a few and saves all of them. Resolves to 1 if the process failed; then no task is saved. */
async function test(
  process: Omit<UserProcess, "reported">,
  store: SettingsStore,
  { stdout, stderr, signal }: CommandContext,
): Promise<number> {
  const { checkProcess } = await import("../../engine/settings/settings-check.ts");
  // Rejects settings that cannot be saved before the process starts.
  const unasked = { name: "", version: "", atOnce: 1, tasks: 1, hash: "0".repeat(16) };
  const asked = checkProcess({ ...process, reported: unasked });
  const { ServedProcess } = await import("../../engine/run/agents/served-process.ts");
  const { taskLines } = await import("../../engine/run/agents/task-list.ts");
  try {
    const running = await ServedProcess.start(asked, { notes: notesOfPrograms(store), clock: machineClock }, () => {});
    const listed = await running.list(signal).finally(() => running.end());
    const lines = taskLines(listed);
    const hash = createHash("sha256").update(lines).digest("hex").slice(0, 16);
    const tested = { ...asked, reported: { ...running.hello, tasks: listed.length, hash } };
    const before = processes.of(store.read()).find(({ name }) => name === process.name);
    const path = tasksFileOf(store, tested);
    makeFolder(dirname(path));
    replaceFile(path, lines);
    store.change((settings) => withProgram(processes, settings, tested));
    if (before !== undefined) forgetTasks(store, before);
    stdout(
      `${printable(`${process.name}: ${describedIn(tested)}`)}, ${counted(tested.reported.atOnce, "task")} at once\n`,
    );
    for (const line of lines.split("\n", 3).filter((each) => each !== "")) {
      const { id, question } = JSON.parse(line) as { readonly id: string; readonly question: string };
      stdout(`  ${printable(`${id}: ${question}`.slice(0, 100))}\n`);
    }
    return 0;
  } catch (error) {
    if (!signal.aborted && !(error instanceof Problem)) throw error;
    stderr(`${printable((error as Error).message)}\n`);
    return 1;
  }
}

/** Removes the tasks of a process, unless another process has the same. */
function forgetTasks(store: SettingsStore, process: UserProcess): void {
  const isUsed = processes.of(store.read()).some(({ reported }) => reported.hash === process.reported.hash);
  if (!isUsed) rmSync(tasksFileOf(store, process), { force: true });
}
