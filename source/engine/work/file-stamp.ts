import { statSync } from "node:fs";

/** What tells one content of a file from another without reading it; undefined where there is no file. */
export function stampOf(file: string | URL): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}
