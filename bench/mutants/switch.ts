/** In the copy: which mutant is switched on, and which are come by. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Holds the number of the one that is on. */
export const activeFile = join(import.meta.dirname, "active");

const active = existsSync(activeFile) ? Number(readFileSync(activeFile, "utf8")) : -1;

/** The mutants come by so far in this process. */
export const met = new Set<number>();

export function isActive(mutant: number): boolean {
  met.add(mutant);
  return mutant === active;
}
