/**
 * A file system that breaks when a test wants it to: `vi.mock("node:fs", async (original) => faulty(await original()))`. What
 * does not break is the machine's own.
 */
import type FileSystem from "node:fs";

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

/** As a disk without room: nothing can be written; folders and renames still work. */
export function fillDisk(): void {
  breakWhere((change) => (change.startsWith("write ") ? systemError("ENOSPC", "no space left on device") : undefined));
}

/** As a program killed at its change number `at`, from 0: neither that nor any later change happens. */
export function dieAt(at: number): void {
  let count = 0;
  breakWhere(() => (count++ >= at ? systemError("EKILLED", "the program is gone") : undefined));
}

const changing = ["writeSync", "writeFileSync", "renameSync", "rmSync", "mkdirSync", "linkSync", "fsyncSync"] as const;

export function faulty(real: typeof FileSystem): typeof FileSystem {
  const replaced = changing.map((name) => {
    const act = real[name] as (...given: unknown[]) => unknown;
    const word = name.replace(/(File)?Sync$/, "");
    return [
      name,
      (...given: unknown[]) => {
        const change = [word, ...given.filter((each) => typeof each === "string" && word !== "write")].join(" ");
        const error = breaks(word === "write" ? `write ${String(given[0])}` : change);
        if (error !== undefined) throw error;
        changes.push(change);
        return act(...given);
      },
    ] as const;
  });
  return { ...real, ...Object.fromEntries(replaced) };
}
