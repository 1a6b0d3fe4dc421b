import { statSync } from "node:fs";

/** What tells one content of a file from another without reading it; undefined where there is no file. Never throws. */
export function stampOf(file: string | URL): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  } catch (error) {
    // As in a folder that may be read no more.
    return (error as NodeJS.ErrnoException).code;
  }
}
