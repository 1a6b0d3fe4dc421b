/** Files that version 0.1.0 left in the folders of installed data. */
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { carryOver } from "../files/replace-folder.ts";

/** Version 0.1.0's record of an installation, which is not part of the data. */
export const installationNote = "dataset.txt";

/**
 * Returns users' folders that version 0.1.0 left in `NAME.new`, because it was killed after moving them to `NAME.new` and before
 * replacing the old folder.
 */
export const leftBehind = (target: string, kept: readonly string[]): readonly string[] =>
  kept.filter((name) => existsSync(join(`${target}.new`, name)));

/** Moves these folders back. */
export function bringBack(target: string, kept: readonly string[]): void {
  for (const name of leftBehind(target, kept)) {
    const [from, to] = [join(`${target}.new`, name), join(target, name)];
    makeFolder(target);
    if (existsSync(to)) carryOver(from, to);
    else renameSync(from, to);
    rmSync(from, { recursive: true, force: true });
  }
}
