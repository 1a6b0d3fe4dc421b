/**
 * A file system that breaks when a test wants it to, between `breakableFiles()` and the end of the file of tests. What does not
 * break is the machine's own.
 */
import fileSystem from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll } from "vitest";

/** Calls that change something, in the order they were made, as `rename /from /to`. */
export const changes: string[] = [];

let breaks: (change: string) => NodeJS.ErrnoException | undefined = () => undefined;

/** From now on: what every change throws, by its name and paths; undefined lets it happen. Forgets earlier changes. */
export function breakWhere(rule: (change: string) => NodeJS.ErrnoException | undefined = () => undefined): void {
  breaks = rule;
  changes.length = 0;
}

export function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}, write`), { code, syscall: "write" });
}

/** Acts like a disk without room: nothing can be written; folders and renames still work. */
export function fillDisk(): void {
  breakWhere((change) => (change.startsWith("write ") ? systemError("ENOSPC", "no space left on device") : undefined));
}

/** Acts like a program killed at its change number `at`, from 0: neither that nor any later change happens. */
export function dieAt(at: number): void {
  let count = 0;
  breakWhere(() => (count++ >= at ? systemError("EKILLED", "the program is gone") : undefined));
}

const changing = ["writeSync", "writeFileSync", "renameSync", "rmSync", "mkdirSync", "linkSync", "fsyncSync"] as const;

/**
 * Puts calls that break in the place of the machine's own while the tests of this file run. Node's module itself is changed, which
 * all modules see, those too that were imported before.
 */
export function breakableFiles(): void {
  const own = Object.fromEntries(changing.map((name) => [name, fileSystem[name]]));
  const put = (calls: Readonly<Record<string, unknown>>) => {
    Object.assign(fileSystem, calls);
    syncBuiltinESMExports();
  };
  beforeAll(() => {
    breakWhere();
    put(Object.fromEntries(changing.map((name) => [name, breakable(name)])));
  });
  afterAll(() => put(own));
}

function breakable(name: (typeof changing)[number]): (...given: unknown[]) => unknown {
  const act = fileSystem[name] as (...given: unknown[]) => unknown;
  const word = name.replace(/(File)?Sync$/, "");
  return (...given) => {
    const change = [word, ...given.filter((each) => typeof each === "string" && word !== "write")].join(" ");
    const error = breaks(word === "write" ? `write ${String(given[0])}` : change);
    if (error !== undefined) throw error;
    changes.push(change);
    return act(...given);
  };
}
