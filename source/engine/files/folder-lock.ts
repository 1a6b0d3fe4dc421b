/**
 * The lock that prevents two programs from writing into one folder: a file with the identities of its holder and of the folder,
 * so that a copy of the folder is not locked. The lock is valid while its holder runs if that can be determined, and otherwise
 * while its last write is recent. A running holder that has stopped writing loses the lock to a program that explicitly requests
 * it.
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

/**
 * Milliseconds: the interval of checks by the holder, the interval of its writes, and the time without a write after which the
 * holder may have ended.
 */
const look = 500;
const heartbeat = 15_000;
const silence = 60_000;

/** Milliseconds after which a takeover of an abandoned lock counts as interrupted. */
const takeover = 10_000;

/**
 * The holder of a lock; `silent`: milliseconds since the last heartbeat of a running process that has not answered for too long.
 */
export type LockHolder = { readonly name: string; readonly silent?: number };

export class FolderLock {
  readonly #path: string;
  /** The open lock file while the lock is held: it still belongs to this program if the folder or the lock is renamed. */
  #file: number | undefined;
  #text = Buffer.alloc(0);
  /** Identifies the locked folder, even after the folder is renamed. */
  #folder: string | undefined;
  #unwatch = () => {};
  #lost: string | undefined;

  /** `path` is the lock file, inside the folder that it locks. */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Takes the lock, with `fromSilent` also from a running process without a heartbeat for a minute; returns the holder. Throws
   * the system's error if the folder cannot be written to.
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
   * Returns the open lock file after creating it; undefined if it exists. The file already contains its text when it appears, so
   * that another program that opens the folder at the same moment does not treat it as abandoned.
   */
  #create(own: string, file: number): number | undefined {
    try {
      linkSync(own, this.#path);
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    }
    // On a disk without hard links the file is empty for a moment, which others take for one that was just written.
    try {
      const created = openSync(this.#path, "wx+");
      writeSync(created, this.#text);
      return created;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return undefined;
    }
  }

  /**
   * Returns the holder; undefined if the lock was abandoned. Compares only times of the disk, because clocks of two machines may
   * differ.
   */
  #holderOf(found: string, own: number): LockHolder | undefined {
    const holder = identityIn(found);
    const alive = this.#isHeldBy(found);
    const written = statSync(this.#path, { throwIfNoEntry: false });
    if (alive === false || written === undefined) return undefined;
    const silent = Math.abs(fstatSync(own).mtimeMs - written.mtimeMs);
    if (alive === true) return { name: `process ${holder!.pid}`, ...(silent > silence && { silent }) };
    if (silent > silence) return undefined;
    if (holder === undefined) return { name: "a program that is starting" };
    return { name: `process ${holder.pid} on ${holder.host ?? "another machine"}` };
  }

  /** Returns whether the holder runs, without taking the lock; undefined if that cannot be determined on this machine. */
  isHeld(): boolean | undefined {
    const text = textOf(this.#path);
    return text === undefined ? false : this.#isHeldBy(text);
  }

  /**
   * Returns whether the process that wrote this line runs and wrote it for this folder; undefined if that cannot be determined on
   * this machine.
   */
  #isHeldBy(line: string): boolean | undefined {
    const holder = identityIn(line);
    const alive = holder && isAlive(holder);
    return isCopied(line, dirname(this.#path), alive !== undefined) ? false : alive;
  }

  /** Replaces an abandoned lock by this program's lock, which only one program at a time may do. */
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

  /**
   * Throws `Problem` if another program has taken the lock or its folder does not exist any more, so that nothing may be written.
   */
  check(): void {
    if (this.#file !== undefined) this.#lost ??= this.#loss(this.#file);
    if (this.#lost !== undefined) throw new Problem("stopped", this.#lost);
  }

  /** Checks the lock, and throws also if the folder was moved, because files written by its path would not be in it. */
  checkInPlace(): void {
    this.check();
    if (this.#file !== undefined && inodeOf(dirname(this.#path)) !== this.#folder)
      throw new Problem("stopped", `${dirname(this.#path)} was moved away or renamed while it was open`);
  }

  /** Returns why the lock is no longer held; undefined if it is held. */
  #loss(file: number): string | undefined {
    const folder = dirname(this.#path);
    if (fstatSync(file).nlink === 0 && inodeOf(folder) !== this.#folder)
      return `${folder} was removed while it was open: nothing more is written`;
    // In its original place, the file of this name must be ours; a moved folder has another path.
    const replaced = inodeOf(folder) === this.#folder && inodeOf(this.#path) !== inodeOfFile(file);
    if (!replaced && this.#reads(file)) return undefined;
    const holder = identityIn(textOf(this.#path) ?? "");
    const who = holder === undefined ? "somebody" : `another Planwright (process ${holder.pid}${onHost(holder.host)})`;
    return `The lock of ${folder} was taken by ${who}: nothing more is written here`;
  }

  /** Another program may have written to the file. */
  #reads(file: number): boolean {
    const buffer = Buffer.alloc(this.#text.length + 1);
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)).equals(this.#text);
  }

  /** Checks twice a second whether the lock is still held, and writes its heartbeat; calls `lost` once when the lock is lost. */
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

  /** Writes rather than sets a time, so that the time is the disk's. */
  #beat(): void {
    try {
      writeSync(this.#file!, this.#text, 0, this.#text.length, 0);
    } catch {
      // The disk is full; the next heartbeat may find room.
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
 * Returns true if a line was written for another folder, of which this folder is a copy. Lines of former versions contain no
 * folder. Numbers of devices are local to a machine: `isHere` is true if the line was written on this machine.
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
