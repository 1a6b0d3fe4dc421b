/** Appends lines to a file that several programs read while it grows. */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { namingFile } from "./replace-file.ts";

/**
 * Appends lines, after `head` in a new file. If a crash left an incomplete last line, ends that line first. Throws `Problem` with
 * the name of the file.
 */
export function appendLines(path: string, head: string, lines: string): void {
  namingFile(path, () => {
    const file = openSync(path, "a+", 0o644);
    try {
      const { size } = fstatSync(file);
      const last = Buffer.alloc(1);
      if (size > 0) readSync(file, last, 0, 1, size - 1);
      const before = size === 0 ? head : last[0] === 10 ? "" : "\n";
      const bytes = Buffer.from(before + lines, "utf8");
      for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  });
}
