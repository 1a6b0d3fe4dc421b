/**
 * The one way by which files are written: beside the old one under a name of its own, then renamed, so that a crash or a full
 * disk leaves the old or the new content, each whole. Only what is appended to (logs, caches of replies) goes another way.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { Problem } from "../problem.ts";
import type { Pieces } from "../work/pieces.ts";

export type Writing = {
  /** False for what can be made again, such as a cache: after a power cut it may then be the old one, or empty. */
  readonly durable?: boolean;
  /** Permissions of a new file, before those the user's mask takes away; a file that was there keeps its own. */
  readonly mode?: number;
};

/**
 * Replaces a file, or makes a new one in a folder that is there. A link in its place is replaced, never followed. Throws `Problem`
 * naming the file; the old one is then as it was.
 */
export function replaceFile(path: string, content: string | Uint8Array, writing?: Writing): void {
  replaceFiles([[path, content]], writing);
}

/** The same for files that belong together: none is replaced before there was room for all; then they are, in this order. */
export function replaceFiles(files: readonly (readonly [string, string | Uint8Array])[], writing: Writing = {}): void {
  const written: { readonly path: string; readonly beside: string }[] = [];
  try {
    for (const [path, content] of files) {
      const beside = besideOf(path);
      written.push({ path, beside });
      namingFile(path, () => writeNew(path, beside, content, writing));
    }
    for (const { path, beside } of written) namingFile(path, () => renameSync(beside, path));
  } catch (error) {
    for (const { beside } of written) rmSync(beside, { force: true });
    throw error;
  }
  if (writing.durable !== false)
    for (const folder of new Set(written.map(({ path }) => dirname(path)))) syncFolder(folder);
  for (const { path } of written) removeLeft(path);
}

/**
 * The same of one file whose content comes in parts, each written when it comes, with a pause behind it. Takes the old one's place
 * where it still `isDue` in the end.
 */
export function* replaceFileInPieces(
  path: string,
  parts: Iterable<Uint8Array>,
  isDue: () => boolean,
  writing: Writing = {},
): Pieces<void> {
  const growing = new GrowingFile(path, writing);
  try {
    for (const part of parts) {
      growing.append(part);
      yield;
    }
    if (isDue()) growing.takePlace();
  } finally {
    growing.end();
  }
}

/** The same of one file whose parts are waited for: no more than one is held. */
export async function replaceFileAsItComes(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const growing = new GrowingFile(path, {});
  try {
    for await (const part of parts) growing.append(part);
    await growing.keep();
    growing.takePlace();
  } finally {
    growing.end();
  }
}

/** A new file beside the one it is to replace, which is gone in the end where it has not taken its place. */
class GrowingFile {
  readonly #path: string;
  readonly #writing: Writing;
  readonly #beside: string;
  #file: number | undefined;

  constructor(path: string, writing: Writing) {
    this.#path = path;
    this.#writing = writing;
    this.#beside = besideOf(path);
    this.#file = namingFile(path, () => openNew(path, this.#beside, writing));
  }

  append(part: Uint8Array): void {
    namingFile(this.#path, () => writeAll(this.#file!, part));
  }

  /** Has it kept through a power cut before it takes its place, beside this thread: of a large file that takes a while. */
  async keep(): Promise<void> {
    const ended = Promise.withResolvers<NodeJS.ErrnoException | null>();
    fsync(this.#file!, ended.resolve);
    const error = await ended.promise;
    if (error !== null)
      namingFile(this.#path, () => {
        throw error;
      });
    this.#isKept = true;
  }
  #isKept = false;

  takePlace(): void {
    const isDurable = this.#writing.durable !== false;
    if (isDurable && !this.#isKept) namingFile(this.#path, () => fsyncSync(this.#file!));
    this.#close();
    namingFile(this.#path, () => renameSync(this.#beside, this.#path));
    if (isDurable) syncFolder(dirname(this.#path));
    removeLeft(this.#path);
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  end(): void {
    this.#close();
    rmSync(this.#beside, { force: true });
  }
}

/** What the system says of a file that could not be written, without names of ours. */
export function whyUnwritten({ code, message }: NodeJS.ErrnoException): string {
  return code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : message.split(", ")[0]!;
}

/** Does what writes a file; what the system then throws is thrown as a `Problem` that names it. */
export function namingFile<Result>(path: string, write: (path: string) => Result): Result {
  try {
    return write(path);
  } catch (error) {
    throw new Problem("tool", `Could not write ${path}: ${whyUnwritten(error as NodeJS.ErrnoException)}`);
  }
}

function writeNew(path: string, beside: string, content: string | Uint8Array, writing: Writing): void {
  const file = openNew(path, beside, writing);
  try {
    writeAll(file, typeof content === "string" ? Buffer.from(content, "utf8") : content);
    if (writing.durable !== false) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** With the permissions of the file whose place it is to take. */
function openNew(path: string, beside: string, { mode }: Writing): number {
  const before = lstatSync(path, { throwIfNoEntry: false });
  // Nobody has put anything there, a link least of all: `x` fails where there is one.
  const file = openSync(beside, "wx", mode);
  try {
    if (before?.isFile() === true) fchmodSync(file, before.mode & 0o7777);
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** A name in the same folder that no other program, here or in another container, takes at the same time. */
export function besideOf(path: string): string {
  return join(dirname(path), `${basename(path)}.${randomBytes(6).toString("hex")}.new`);
}

/** Without it, a power cut could undo a rename. Not every system can open a folder. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // The file itself is on the disk.
  }
}

/** Milliseconds after which nobody is still writing a file beside another. */
const abandoned = 3_600_000;

/** Removes what programs that were killed in the middle of writing this file left beside it. */
export function removeLeft(path: string): void {
  const start = `${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(start) || !/^[0-9a-f]{12}\.new$/.test(name.slice(start.length))) continue;
      const left = join(dirname(path), name);
      if (Date.now() - lstatSync(left).mtimeMs > abandoned) rmSync(left);
    }
  } catch {
    // What cannot be removed does no harm.
  }
}
