/**
 * The only way to write files: next to the old file under a unique name, then renamed, so that after a crash or on a full disk
 * the content is completely old or completely new. Only files that are appended to (logs, caches of replies) are written
 * differently.
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
  /** False for reproducible files, such as a cache; after a power failure this may then be the old file, or empty. */
  readonly durable?: boolean;
  /** Permissions of a new file, before the user's mask; an existing file keeps its permissions. */
  readonly mode?: number;
};

/**
 * Replaces a file, or makes a new file in an existing folder. Replaces a link at the path, and never follows it. Throws `Problem`
 * with the name of the file, which is then unchanged.
 */
export function replaceFile(path: string, content: string | Uint8Array, writing?: Writing): void {
  replaceFiles([[path, content]], writing);
}

/** Replaces files that belong together, in this order, after checking that there is room for all of them. */
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
 * Replaces one file whose content arrives in parts; writes each part on arrival and pauses after it. Replaces the old file only
 * if the new file is still `isDue` at the end.
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

/** Replaces one file from an asynchronous stream, with no more than one part in memory. */
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

/** A new file next to the file that it is to replace; removed in the end unless it has replaced that file. */
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

  /** Syncs the file to disk in another thread before it replaces the old file, because syncing a large file takes long. */
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

/** Returns the system's reason why a file could not be written, without paths. */
export const whyUnwritten = ({ code, message }: NodeJS.ErrnoException): string =>
  code === "ENOSPC" || code === "EDQUOT" ? "the disk is full" : message.split(", ")[0]!;

/** Runs a function that writes a file; rethrows the system's error as a `Problem` naming the file. */
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

/** Uses the permissions of the file to be replaced. */
function openNew(path: string, beside: string, { mode }: Writing): number {
  const before = lstatSync(path, { throwIfNoEntry: false });
  // `x` fails if anything exists at the path, so no planted link is followed.
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

/** Returns a name in the same folder that no other program, on this machine or in another container, uses at the same time. */
export const besideOf = (path: string): string =>
  join(dirname(path), `${basename(path)}.${randomBytes(6).toString("hex")}.new`);

/** Syncs the folder, because otherwise a power failure could undo a rename. Not every system can open a folder. */
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

/** Milliseconds after which a temporary file counts as abandoned. */
const abandoned = 3_600_000;

/** Removes temporary files of killed programs next to this file. */
export function removeLeft(path: string): void {
  const start = `${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(start) || !/^[0-9a-f]{12}\.new$/.test(name.slice(start.length))) continue;
      const left = join(dirname(path), name);
      if (Date.now() - lstatSync(left).mtimeMs > abandoned) rmSync(left);
    }
  } catch {
    // A file that cannot be removed does no harm.
  }
}
