/**
 * The append-only log of one run: a file of JSON Lines, written once per frame. What a power cut leaves: everything up to half
 * a second before the last task that was scored, as the disk was told to keep it by then; a program that is killed loses a
 * frame at most.
 */
import { closeSync, existsSync, fsync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { writableEvent } from "./event-schema.ts";
import { type EncodedLine, LogEncoder } from "./log-codec.ts";
import type { LogIndex } from "./log-index.ts";
import { emptyLog, type LogEnd } from "./log-reader.ts";
import { inodeOf, inodeOfFile } from "../../files/inode.ts";
import { Problem } from "../../problem.ts";
import { lineBytes, longBytes, releaseBytes, releaseText } from "../../text/release-bytes.ts";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";
import type { Event, RunEvent, TaskEvent } from "../../types.ts";

/** Milliseconds between writes. A crash loses at most this much. */
const frame = 50;
/** Milliseconds after which a score is on disk for good, and with it everything before it. */
const unsynced = 500;

type Unstamped<E> = E extends Event ? Omit<E, "seq" | "at"> & { readonly at?: number } : never;
export type NewEvent = Unstamped<TaskEvent> | Unstamped<RunEvent>;

/** Has a file's contents kept through a power cut, beside this thread. */
export type Sync = (file: number, done: (error: Error | null) => void) => void;

export type LogOptions = {
  /** Gets every event at once, up to a frame before it is on disk. */
  readonly take?: (event: Event) => void;
  readonly clock?: Clock;
  /** Grows with the log; it must reach as far as that does. */
  readonly index?: LogIndex;
  readonly sync?: Sync;
  /** Throws `Problem` where nothing may be written any more. */
  readonly check?: () => void;
};

/** Logs that a program ending in the middle of things still has to write out. */
const open = new Set<Log>();
process.on("exit", () => {
  for (const log of open) log.flush();
});

export class Log {
  readonly path: string;
  #file: number | undefined;
  readonly #encoder: LogEncoder;
  readonly #pending: EncodedLine[] = [];
  #seq = 0;
  #bytes: number;
  /** Letters of the last line if it was a long one, else 0. */
  #longLine = 0;
  #timer: Timer | undefined;
  #syncTimer: Timer | undefined;
  /** Why the file could not be written to. */
  #broken: Error | undefined;
  readonly #clock: Clock;
  readonly #take: (event: Event) => void;
  readonly #index: LogIndex | undefined;
  readonly #sync: Sync;
  readonly #check: () => void;

  /** Opens for appending, after what `readLog` found in it; the file and its folder are made when missing. */
  constructor(path: string, end: LogEnd = emptyLog, options: LogOptions = {}) {
    const { take = () => {}, clock = machineClock, index, sync = fsync, check = () => {} } = options;
    this.path = path;
    this.#clock = clock;
    this.#take = take;
    this.#index = index;
    this.#sync = sync;
    this.#check = check;
    mkdirSync(dirname(path), { recursive: true });
    const isNew = !existsSync(path);
    this.#file = openSync(path, "a+");
    if (isNew) keepName(dirname(path));
    if (end.torn) ftruncateSync(this.#file, end.bytes);
    this.#encoder = new LogEncoder(String(end.bytes));
    this.#seq = end.lastSeq + 1;
    this.#bytes = end.bytes;
    open.add(this);
  }

  /** Throws `Problem` for what could not be read again, and writes nothing then. */
  append(event: NewEvent): Event {
    if (this.#file === undefined)
      throw new Error(`Expected the log ${this.path} to be open, got an event after it was closed`);
    if (this.#broken !== undefined) throw this.#broken;
    const stamped = writableEvent({ seq: this.#seq, at: Date.now(), ...event });
    this.#seq += 1;
    // The line before this one is written, so its text is garbage by now.
    releaseText(this.#longLine);
    const lines = this.#encoder.encode(stamped);
    const longest = Math.max(...lines.map(({ text }) => text.length));
    const isLong = longest > longBytes;
    // A long line is written alone and at once: waiting, joined with others and as bytes it would be in memory four times.
    if (isLong) {
      this.#flushSoon();
      releaseText(longest);
    }
    this.#longLine = isLong ? longest : 0;
    this.#pending.push(...lines);
    if (isLong) this.#flushSoon();
    else this.#timer ??= this.#clock.setTimeout(() => this.#flushSoon(), frame);
    if (stamped.type === "scored") this.#syncTimer ??= this.#clock.setTimeout(() => this.#syncSoon(), unsynced);
    this.#take(stamped);
    return stamped;
  }

  /** Nobody waits for a timer: an error in it is thrown at the next append, and from then on. */
  #flushSoon(): void {
    try {
      this.flush();
    } catch {
      // Kept in `#broken`.
    }
  }

  #syncSoon(): void {
    this.#syncTimer = undefined;
    this.#flushSoon();
    if (this.#file === undefined || this.#broken !== undefined) return;
    this.#sync(this.#file, (error) => {
      // Closing has synced it in the meantime, or said why not.
      if (error !== null && this.#file !== undefined) this.#broken ??= unwritten(this.path, error);
    });
  }

  /** Writes what is pending. Throws what the file system throws: a full disk must not pass unseen. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0 || this.#file === undefined) return;
    const lines = this.#pending.splice(0).map(({ text, owner }) => ({ bytes: lineBytes(text), owner }));
    const bytes = lines.length === 1 ? lines[0]!.bytes : Buffer.concat(lines.map((line) => line.bytes));
    this.#mustHold();
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#broken = unwritten(this.path, error as NodeJS.ErrnoException);
      // Half a line would run into the first line of the next invocation.
      try {
        ftruncateSync(this.#file, this.#bytes);
      } catch {
        // Reading leaves out a torn line as well.
      }
      throw this.#broken;
    }
    for (const line of lines) this.#index?.take(line.owner, line.bytes);
    this.#index?.save();
    if (bytes.length > longBytes) for (const each of [bytes, ...lines.map((line) => line.bytes)]) releaseBytes(each);
  }

  /** Writes what is pending and waits until the disk has it for good. Throws like `flush`. */
  keep(): void {
    this.flush();
    if (this.#file !== undefined) fsyncSync(this.#file);
  }

  /** Where the folder is another program's by now, not even a torn line may be taken back. */
  #mustHold(): void {
    try {
      this.#check();
    } catch (problem) {
      this.#broken = problem as Error;
      throw problem;
    }
  }

  /** Looks whether the file is still in its place: nothing can be appended from then on where it is not. */
  look(): void {
    if (this.#file === undefined || inodeOf(this.path) === inodeOfFile(this.#file)) return;
    this.#broken ??= new Problem("tool", `${this.path} was taken away: what this run does can be kept no longer`);
  }

  /** True once something could not be written: what was taken since is not in the file. */
  get broken(): boolean {
    return this.#broken !== undefined;
  }

  /** Where the log ends once everything is on disk. */
  end(): LogEnd {
    this.flush();
    return { bytes: this.#bytes, torn: false, lastSeq: this.#seq - 1 };
  }

  close(): void {
    if (this.#file === undefined) return;
    this.flush();
    this.#clock.clearTimeout(this.#syncTimer);
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
    open.delete(this);
    try {
      this.#check();
      this.#index?.endBlock();
      this.#index?.save();
    } catch {
      // What lies beside the log is another program's by now.
    }
    this.#index?.close();
  }
}

/** A new file is found after a power cut only if its folder's list of names was kept too. */
function keepName(folder: string): void {
  try {
    const list = openSync(folder, "r");
    fsyncSync(list);
    closeSync(list);
  } catch {
    // Not every system opens folders; those that do not keep names by themselves.
  }
}

function unwritten(path: string, { code, message }: NodeJS.ErrnoException): Error {
  const why = code === "ENOSPC" || code === "EDQUOT" ? "The disk is full" : message;
  return new Problem("tool", `${why}: could not go on writing ${path}`);
}
