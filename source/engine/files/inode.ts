/** Identifies a file or folder, even after it is renamed. */
import { fstatSync, statfsSync, statSync } from "node:fs";
import { fallback } from "../work/fallback.ts";

/** Returns the identity of a file; undefined if the file does not exist or cannot be examined. */
export function inodeOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/** Identifies an open file as `inodeOf` does. */
export function inodeOfFile(file: number): string {
  const { dev, ino } = fstatSync(file, { bigint: true });
  return `${dev} ${ino}`;
}

/** File systems whose clients make up inode numbers: FUSE (sshfs), SMB, CIFS, SMB2, 9p. */
const madeUp = new Set([0x65735546, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997]);

/**
 * Returns device and inode of a folder as one word, with the disk's own number, which is the same on other machines that mount
 * the disk. Undefined without such a number, or if the numbers of its file system are local to each machine.
 */
export const diskIdentity = (folder: string): string | undefined =>
  fallback(() => (madeUp.has(statfsSync(folder).type) ? undefined : inodeOf(folder)?.replace(" ", ":")));
