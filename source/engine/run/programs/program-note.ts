/**
 * What is noted of a program while it runs, so that the next start ends it where this one was killed: a file with the
 * identities of both processes. Whoever reads it must be able to tell that it still is that process.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { identityIn, identityLine, processIdentity, isAlive, thisProcess } from "../../files/process-identity.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { SettingsStore } from "../../settings/settings.ts";

/** Where running programs are noted; undefined where settings cannot be kept. */
export function notesOfPrograms({ path }: Pick<SettingsStore, "path">): string | undefined {
  return path === "" ? undefined : join(dirname(path), "started");
}

/** Notes that a process was started from here. Returns how to take that back. */
export function noteProgram(folder: string, pid: number): () => void {
  const path = join(folder, `${process.pid}-${pid}`);
  makeFolder(folder);
  replaceFile(path, `${identityLine(thisProcess())}\n${identityLine(processIdentity(pid))}\n`, { durable: false });
  return () => rmSync(path, { force: true });
}

/**
 * Ends what programs that were killed have left running, each with its process group. A process whose start is not known (there
 * is no `/proc`) is let be: its number may be another's by now.
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

/** Kills a process group, all of it; one that is gone is no objection. */
export function endGroup(leader: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // EPERM: on macOS, a group of which only what has ended but was not waited for is left.
    if (!["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").slice(0, 2);
  } catch {
    return [];
  }
}
