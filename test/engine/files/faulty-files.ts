/** A file system that fails on demand between `breakableFiles()` and the end of the test file. All other calls reach the real one. */
import fileSystem from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll } from "vitest";

/** Calls that change something, in the order they were made, as `rename /from /to`. */
export const changes: string[] = [];

let breaks: (change: string) => NodeJS.ErrnoException | undefined = () => undefined;

/** Sets the error that each later change throws, by its name and paths; undefined lets the change happen. Forgets earlier changes. */
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
 * Replaces Node's file functions with breakable ones while the tests of this file run. All modules see the change, even those imported
 * before.
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
