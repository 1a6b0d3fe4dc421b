/**
 * The socket of the program that has a session open. Only its user can connect to it; other programs derive its path from the
 * session's folder.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fallback } from "../../work/fallback.ts";

/** Maximum path length of a socket that all systems accept, in bytes. */
const longestPath = 100;

/**
 * Returns the socket of a session's folder; undefined if no folder is private to this user. The socket is outside the session's
 * folder, whose path may be too long for a socket and may be shared with other machines.
 */
export function socketPath(folder: string): string | undefined {
  const real = realPath(folder);
  if (real === undefined) return undefined;
  const name = createHash("sha256").update(real).digest("hex").slice(0, 24);
  if (process.platform === "win32") return `\\\\.\\pipe\\planwright-${userInfo().username}-${name}`;
  const own = process.env["XDG_RUNTIME_DIR"];
  for (const base of own === undefined ? [tmpdir()] : [own, tmpdir()]) {
    const path = join(base, `planwright-${userInfo().uid}`, `${name}.sock`);
    if (Buffer.byteLength(path) <= longestPath && isOwn(join(path, ".."))) return path;
  }
  return undefined;
}

/** Returns undefined if the folder does not exist. */
const realPath = (folder: string): string | undefined => fallback(() => realpathSync(folder));

/** Creates the folder if it is missing; returns false if another user made it or can write to it. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
