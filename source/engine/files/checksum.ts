/** A file's SHA-256 noted beside it, in the form `sha256sum --check` reads, so that a later change is noticed. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { replaceFile } from "./replace-file.ts";

/** What is added to a file's name. */
export const checksumSuffix = ".sha256";

const PIECE = 1 << 20;

/** In hexadecimal, read piece by piece: files may be larger than memory. Throws where it cannot be read. */
function checksumOf(path: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.alloc(PIECE);
  const file = openSync(path, "r");
  try {
    for (let length = 0; (length = readSync(file, piece)) > 0;) hash.update(piece.subarray(0, length));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/** Notes it beside a file that is complete. */
export function noteChecksum(path: string): void {
  replaceFile(path + checksumSuffix, `${checksumOf(path)}  ${basename(path)}\n`);
}

/** To be called before a file is replaced: what was noted does not concern the new one. */
export function forgetChecksum(path: string): void {
  rmSync(path + checksumSuffix, { force: true });
}

/** The file's own, where it is not the one noted beside it. */
export function changedChecksum(path: string): string | undefined {
  const found = checksumOf(path);
  return readFileSync(path + checksumSuffix, "utf8").split(" ")[0] === found ? undefined : found;
}
