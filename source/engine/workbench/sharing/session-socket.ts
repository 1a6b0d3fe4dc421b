/** Where the program that has a session open can be spoken to: a socket only its user can open, found by the session's folder. */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** The longest path of a socket on all systems, in bytes. */
const longestPath = 100;

/**
 * The socket of a session's folder; undefined where there is no place for one that is this user's alone. It does not lie in the folder:
 * paths there are too long for sockets, and other machines see them too.
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

/** Undefined where the folder is gone. */
function realPath(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

/** Makes the folder where it is not there; false where others can write into it, or made it. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === userInfo().uid && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
