/** Folders that are written to, wherever a person says. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those it lies in, where they are missing. Throws the system's error where that cannot be done; Node's
 * own recursive `mkdir` tries without end in file systems that take no folders, such as /proc.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another program may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}
