/** Caches that grow by appending: what is not kept in them is only worked out, or asked for, again. */
import { appendFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Appends whole lines, making the folder where needed. Never rejects: a full disk or a read-only folder fails no run. */
export async function appendToCache(path: string, lines: string): Promise<void> {
  try {
    makeFolder(dirname(path));
    await appendFile(path, lines);
  } catch {
    // Readers pass over a line that was cut off.
  }
}
