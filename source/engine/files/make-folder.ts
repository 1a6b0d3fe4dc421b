/** Creates folders at paths that the user gives. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and its missing parents. Throws the system's error if that fails; Node's own recursive `mkdir` never returns
 * in file systems without folders, such as /proc.
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
