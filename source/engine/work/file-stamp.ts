import { statSync } from "node:fs";

/** Identifies the content of a file without reading it; undefined if the file does not exist. Never throws. */
export function stampOf(file: string | URL): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  } catch (error) {
    // The folder may have become unreadable, for example.
    return (error as NodeJS.ErrnoException).code;
  }
}
