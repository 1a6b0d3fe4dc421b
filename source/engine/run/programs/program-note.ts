/**
 * A file about a running program, with the identities of both processes, so that the next start can end the program if this
 * process was killed. A reader must be able to check that the process is still the same.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { identityIn, identityLine, processIdentity, isAlive, thisProcess } from "../../files/process-identity.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import { fallback } from "../../work/fallback.ts";

/** Returns the folder of notes on running programs; undefined if settings cannot be saved. */
export const notesOfPrograms = ({ path }: Pick<SettingsStore, "path">): string | undefined =>
  path === "" ? undefined : join(dirname(path), "started");

/** Notes that a process was started from here. Returns a function that removes the note. */
export function noteProgram(folder: string, pid: number): () => void {
  const path = join(folder, `${process.pid}-${pid}`);
  makeFolder(folder);
  replaceFile(path, `${identityLine(thisProcess())}\n${identityLine(processIdentity(pid))}\n`, { durable: false });
  return () => rmSync(path, { force: true });
}

/**
 * Ends programs that killed processes left running, each with its process group. Does not end a process whose start is unknown
 * (no `/proc`), because its number may belong to another process now.
 */
export function endForsaken(folder: string): void {
  for (const name of entriesOf(folder)) {
    const path = join(folder, name);
    const [owner, program] = linesOf(path).map(identityIn);
    if (owner === undefined || program === undefined || isAlive(owner) !== false) continue;
    const alive = isAlive(program);
    if (alive === undefined) continue;
    if (alive && program.started !== undefined) endGroup(program.pid);
    rmSync(path, { force: true });
  }
}

/** Kills a whole process group; ignores one that has ended. */
export function endGroup(leader: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // EPERM: on macOS, a group with nothing left but ended processes that were not waited for.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

const entriesOf = (folder: string): readonly string[] => fallback(() => readdirSync(folder), []);

const linesOf = (path: string): readonly string[] =>
  fallback(() => readFileSync(path, "utf8").split("\n").slice(0, 2), []);
