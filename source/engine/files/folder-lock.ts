/**
 * The lock that keeps two programs from writing into one folder: a file with the identity of its holder and of the folder, so that
 * a copy of the folder is free. It is kept for as long as the holder lives, where that can be seen, and elsewhere for as long as it
 * was written a short time ago. A holder that lives and writes no more gives way to who asks for that by name.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { Problem } from "../problem.ts";
import { type Clock, repeatedly } from "../work/clock.ts";
import { diskIdentity, inodeOf, inodeOfFile } from "./inode.ts";
import { besideOf, removeLeft } from "./replace-file.ts";
import { identityLine, isAlive, identityIn, thisProcess } from "./process-identity.ts";

/** Milliseconds: how often a holder looks whether it still holds, how often it writes, and after how long without it may be gone. */
const look = 500;
const heartbeat = 15_000;
const silence = 60_000;

/** Milliseconds after which a program that was taking over an abandoned lock was killed in the middle of it. */
const takeover = 10_000;

/** Who has a lock; `silent`: milliseconds since the last heartbeat of a process that lives, once these are too many. */
export type LockHolder = { readonly name: string; readonly silent?: number };

export class FolderLock {
  readonly #path: string;
  /** The open file of the lock while it is held: it is still ours when folder or lock have another name. */
  #file: number | undefined;
  #text = Buffer.alloc(0);
  /** The folder it is in, whatever its name. */
  #folder: string | undefined;
  #unwatch = () => {};
  #lost: string | undefined;

  /** `path`: the lock file, in the folder it is for. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes the lock, if `fromSilent` also from a process that lives and has not written its heartbeat for a minute; returns who has
   * it. Throws what the system throws if the folder cannot be written to.
   */
  take(fromSilent = false): LockHolder | undefined {
    const own = besideOf(this.#path);
    const words = [
      identityLine(thisProcess()),
      randomBytes(6).toString("hex"),
      diskIdentity(dirname(this.#path)) ?? "-",
    ];
    this.#text = Buffer.from(`${words.join(" ")}\n`, "utf8");
    const holds = (found: string) => {
      const holder = this.#holderOf(found, file);
      return fromSilent && holder?.silent !== undefined ? undefined : holder;
    };
    const file = openSync(own, "wx+");
    try {
      writeSync(file, this.#text);
      for (;;) {
        this.#file = this.#create(own, file);
        if (this.#file !== undefined) break;
        const found = textOf(this.#path);
        // It was released in between.
        if (found === undefined) continue;
        const holder = holds(found);
        if (holder !== undefined) return holder;
        if (!this.#takeOver(own, found, holds)) continue;
        this.#file = file;
        break;
      }
      this.#folder = inodeOf(dirname(this.#path));
      removeLeft(this.#path);
      return undefined;
    } finally {
      rmSync(own, { force: true });
      if (this.#file !== file) closeSync(file);
    }
  }

  /**
   * The open lock file once it is created; undefined where there is one already. It appears with its text in it, so that another
   * program that opens the folder at the same moment does not take it for an abandoned one.
   */
  #create(own: string, file: number): number | undefined {
    try {
      linkSync(own, this.#path);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    }
    // A disk without hard links: for a moment the file is empty, which others take for one that was just written.
    try {
      const created = openSync(this.#path, "wx+");
      writeSync(created, this.#text);
      return created;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return undefined;
    }
  }

  /** Who has the lock; undefined where it was abandoned. Both times are the disk's: clocks of two machines may differ. */
  #holderOf(found: string, own: number): LockHolder | undefined {
    const holder = identityIn(found);
    const alive = this.#isHeldBy(found);
    const written = statSync(this.#path, { throwIfNoEntry: false });
    if (alive === false || written === undefined) return undefined;
    const silent = Math.abs(fstatSync(own).mtimeMs - written.mtimeMs);
    if (alive === true) return { name: `process ${holder!.pid}`, ...(silent > silence && { silent }) };
    if (silent > silence) return undefined;
    if (holder === undefined) return { name: "a program just starting" };
    return { name: `process ${holder.pid} on ${holder.host ?? "another machine"}` };
  }

  /** Whether its holder lives, without asking for it; undefined where that cannot be seen from here. */
  isHeld(): boolean | undefined {
    const text = textOf(this.#path);
    return text === undefined ? false : this.#isHeldBy(text);
  }

  /** Whether who wrote this line lives and wrote it for this folder; undefined if that cannot be seen from here. */
  #isHeldBy(line: string): boolean | undefined {
    const holder = identityIn(line);
    const alive = holder && isAlive(holder);
    return isCopied(line, dirname(this.#path), alive !== undefined) ? false : alive;
  }

  /** Puts this program's lock in the place of an abandoned one, which only one program at a time may do. */
  #takeOver(own: string, found: string, holds: (found: string) => LockHolder | undefined): boolean {
    const alone = `${this.#path}.takeover`;
    try {
      mkdirSync(alone);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const since = statSync(alone, { throwIfNoEntry: false })?.mtimeMs;
      if (since !== undefined && Date.now() - since > takeover) rmSync(alone, { recursive: true, force: true });
      else pause(5);
      return false;
    }
    try {
      // Another program may have been faster, or the holder was only suspended.
      if (textOf(this.#path) !== found || holds(found) !== undefined) return false;
      renameSync(own, this.#path);
      return true;
    } finally {
      rmdirSync(alone);
    }
  }

  /** Throws `Problem` where the lock was taken away, or its folder is gone: nothing may be written any more. */
  check(): void {
    if (this.#file !== undefined) this.#lost ??= this.#loss(this.#file);
    if (this.#lost !== undefined) throw new Problem("stopped", this.#lost);
  }

  /** The same, and where the folder is not in its place any more: what is written by its path would not lie in it. */
  checkInPlace(): void {
    this.check();
    if (this.#file !== undefined && inodeOf(dirname(this.#path)) !== this.#folder)
      throw new Problem("stopped", `${dirname(this.#path)} was moved away or renamed while it was open`);
  }

  /** Why it is not held any more; undefined where it is. */
  #loss(file: number): string | undefined {
    const folder = dirname(this.#path);
    if (fstatSync(file).nlink === 0 && inodeOf(folder) !== this.#folder)
      return `${folder} was removed while it was open: nothing more is written`;
    // In its place, the file of this name must be ours; elsewhere it goes by another path.
    const replaced = inodeOf(folder) === this.#folder && inodeOf(this.#path) !== inodeOfFile(file);
    if (!replaced && this.#reads(file)) return undefined;
    const holder = identityIn(textOf(this.#path) ?? "");
    const who = holder === undefined ? "somebody" : `another Planwright (process ${holder.pid}${onHost(holder.host)})`;
    return `The lock of ${folder} was taken by ${who}: nothing more is written here`;
  }

  /** Somebody may have written into the file itself. */
  #reads(file: number): boolean {
    const buffer = Buffer.alloc(this.#text.length + 1);
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)).equals(this.#text);
  }

  /** Looks twice a second whether the lock is still held, and writes its heartbeat; `lost` is called once, where it is not. */
  watch(clock: Clock, lost: (why: string) => void): void {
    let beaten = clock.now();
    this.#unwatch = repeatedly(clock, look, () => {
      try {
        this.check();
      } catch (problem) {
        this.#unwatch();
        return lost((problem as Error).message);
      }
      if (clock.now() - beaten < heartbeat) return;
      this.#beat();
      beaten = clock.now();
    });
  }

  /** By writing rather than by setting a time, so that the time is the disk's. */
  #beat(): void {
    try {
      writeSync(this.#file!, this.#text, 0, this.#text.length, 0);
    } catch {
      // A full disk: the next one may find room.
    }
  }

  release(): void {
    this.#unwatch();
    if (this.#file === undefined) return;
    const file = this.#file;
    const ours =
      this.#lost === undefined && this.#loss(file) === undefined && inodeOf(this.#path) === inodeOfFile(file);
    if (ours) rmSync(this.#path, { force: true });
    this.#file = undefined;
    closeSync(file);
  }
}

/**
 * Whether a line was written for another folder, of which this one is a copy. Lines of former versions name none. Numbers of devices
 * are each machine's own: `isHere` is true if the line was written on this one.
 */
function isCopied(line: string, folder: string, isHere: boolean): boolean {
  const [written, now] = [line.trim().split(" ")[6], diskIdentity(folder)];
  if (written === undefined || now === undefined || !/^\d+:\d+$/.test(written)) return false;
  return isHere ? written !== now : written.split(":")[1] !== now.split(":")[1];
}

const onHost = (host: string | undefined) => (host === undefined ? "" : ` on ${host}`);

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
