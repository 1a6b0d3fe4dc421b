/** What tells a file or folder from all others, whatever its name. */
import { fstatSync, statfsSync, statSync } from "node:fs";

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

/** File systems whose inode numbers are made up by the machine that looks: FUSE (sshfs), SMB, CIFS, SMB2, 9p. */
const madeUp = new Set([0x65735546, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997]);

/**
 * Device and inode of a folder as one word: the disk's own number, which other machines that mount the disk see too. Undefined if
 * there is none, or its file system's numbers are each machine's own.
 */
export function diskIdentity(folder: string): string | undefined {
  try {
    return madeUp.has(statfsSync(folder).type) ? undefined : inodeOf(folder)?.replace(" ", ":");
  } catch {
    return undefined;
  }
}
