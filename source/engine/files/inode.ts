/** What tells a file or folder from all others, whatever its name. */
import { fstatSync, statSync } from "node:fs";

/** Undefined where there is none, or none that can be looked at. */
export function inodeOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/** The same of a file that is open. */
export function inodeOfFile(file: number): string {
  const { dev, ino } = fstatSync(file, { bigint: true });
  return `${dev} ${ino}`;
}
