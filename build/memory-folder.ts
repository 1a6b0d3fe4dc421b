/**
 * A temporary folder in memory. Tests write sessions, logs and settings as durably as the program does, and on a disk they would
 * spend a seventh of their time waiting for it.
 */
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
/** Bytes that must be free; tests use a fraction of it. Containers often have 64 MB. */
const least = 2 ** 32;

/** Returns the environment variable that names such a folder, which is removed at the end; nothing if the machine has no room. */
export function memoryFolder(): { readonly TMPDIR?: string } {
  if (process.platform !== "linux" || !existsSync(memory)) return {};
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < least) return {};
  for (const name of readdirSync(memory))
    if (isLeft(name)) rmSync(join(memory, name), { recursive: true, force: true });
  const folder = realpathSync(mkdtempSync(join(memory, `pw-${process.pid}-`)));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { TMPDIR: folder };
}

/** True if the process that made it is gone: it was killed. */
function isLeft(name: string): boolean {
  const maker = /^pw-(\d+)-/.exec(name)?.[1];
  return maker !== undefined && !existsSync(`/proc/${maker}`);
}
