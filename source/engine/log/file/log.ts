/**
 * The append-only log of one run: a JSON Lines file, written once per frame. A power failure loses at most what was written later
 * than half a second before the last scored task, because the disk has synced everything before. A killed program loses at most
 * one frame.
 */
import { formats } from "../../settings/format.ts";
import { closeSync, fsync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { writableEvent } from "./event-schema.ts";
import { type EncodedLine, LogEncoder } from "./log-codec.ts";
import type { LogIndex } from "./log-index.ts";
import { emptyLog, type LogEnd } from "./log-reader.ts";
import { inodeOf, inodeOfFile } from "../../files/inode.ts";
import { Problem } from "../../problem.ts";
import { lineBytes, longBytes, releaseBytes, releaseText } from "../../work/release-bytes.ts";
import { type Clock, machineClock, type Timer } from "../../work/clock.ts";
import type { Event, RunEvent, TaskEvent } from "../../types.ts";

/** Milliseconds between writes. A crash loses at most this much. */
const frame = 50;
/** Milliseconds until a score and everything before it are synced to disk. */
const unsynced = 500;

type Unstamped<E> = E extends Event ? Omit<E, "seq" | "at"> & { readonly at?: number } : never;
export type NewEvent = Unstamped<TaskEvent> | Unstamped<RunEvent>;

/** Syncs a file to disk in the background. */
export type Sync = (file: number, done: (error: Error | null) => void) => void;

export type LogOptions = {
  /** Called with every event immediately, up to a frame before it is on disk. */
  readonly take?: (event: Event) => void;
  readonly clock?: Clock;
  /** Grows with the log; must cover the existing part of the log already. */
  readonly index?: LogIndex;
  readonly sync?: Sync;
  /** Throws `Problem` if nothing more may be written. */
  readonly check?: () => void;
};

/** Logs that must be flushed if the program ends unexpectedly. */
const open = new Set<Log>();
process.on("exit", () => {
  for (const log of open) log.flush();
});

export class Log {
  readonly path: string;
  #file: number | undefined;
  readonly #encoder: LogEncoder;
  readonly #pending: EncodedLine[] = [];
  #seq: number;
  #bytes: number;
  /** Length of the last line. */
  #lastLine = 0;
  #timer: Timer | undefined;
  #syncTimer: Timer | undefined;
  /** The error that made the file unwritable. */
  #broken: Error | undefined;
  readonly #clock: Clock;
  readonly #take: (event: Event) => void;
  readonly #index: LogIndex | undefined;
  readonly #sync: Sync;
  readonly #check: () => void;

  /** Opens the log for appending at the end that `readLog` found; creates the file and its folder if missing. */
  constructor(path: string, end: LogEnd = emptyLog, options: LogOptions = {}) {
    const { take = () => {}, clock = machineClock, index, sync = fsync, check = () => {} } = options;
    this.path = path;
    this.#clock = clock;
    this.#take = take;
    this.#index = index;
    this.#sync = sync;
    this.#check = check;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, "a+");
    keepName(dirname(path));
    if (end.torn) ftruncateSync(this.#file, end.bytes);
    this.#encoder = new LogEncoder(String(end.bytes));
    this.#seq = end.lastSeq + 1;
    this.#bytes = end.bytes;
    open.add(this);
  }

  /** Throws `Problem` and writes nothing if the event could not be read again. */
  append(event: NewEvent): Event {
    if (this.#file === undefined)
      throw new Error(`Expected the log ${this.path} to be open, got an event after it was closed`);
    if (this.#broken !== undefined) throw this.#broken;
    const format = event.type === "run-started" ? { format: formats.run } : {};
    const stamped = writableEvent({ seq: this.#seq, at: Date.now(), ...format, ...event });
    this.#seq += 1;
    // The previous line has been written, so its text is garbage.
    releaseText(this.#lastLine);
    const lines = this.#encoder.encode(stamped);
    const longest = Math.max(...lines.map(({ text }) => text.length));
    const isLong = longest > longBytes;
    // A long line is written alone and immediately, because joining and encoding it would hold four copies in memory.
    if (isLong) {
      this.#flushSoon();
      releaseText(longest);
    }
    this.#lastLine = longest;
    this.#pending.push(...lines);
    if (isLong) this.#flushSoon();
    else this.#timer ??= this.#clock.setTimeout(() => this.#flushSoon(), frame);
    if (stamped.type === "scored") this.#syncTimer ??= this.#clock.setTimeout(() => this.#syncSoon(), unsynced);
    this.#take(stamped);
    return stamped;
  }

  /** Writes pending events after a delay. A timer has no caller, so the next `append` and all later calls throw its error. */
  #flushSoon(): void {
    try {
      this.flush();
    } catch {
      // The error is kept in `#broken`.
    }
  }

  #syncSoon(): void {
    this.#syncTimer = undefined;
    this.#flushSoon();
    if (this.#file === undefined || this.#broken !== undefined) return;
    this.#sync(this.#file, (error) => {
      // If closed meanwhile, `close` has synced the file or reported the error.
      if (error !== null && this.#file !== undefined) this.#broken ??= unwritten(this.path, error);
    });
  }

  /** Writes pending lines. Throws file system errors, because a full disk must be reported. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0 || this.#file === undefined) return;
    const lines = this.#pending.splice(0).map(({ text, owner }) => ({ bytes: lineBytes(text), owner }));
    const [first] = lines;
    const bytes = lines.length === 1 ? first!.bytes : Buffer.concat(lines.map((line) => line.bytes));
    this.#mustHold();
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
      this.#bytes += bytes.length;
    } catch (error) {
      this.#broken = unwritten(this.path, error as NodeJS.ErrnoException);
      // Part of a line would merge with the first line of the next invocation.
      try {
        ftruncateSync(this.#file, this.#bytes);
      } catch {
        // Readers omit an incomplete line as well.
      }
      throw this.#broken;
    }
    for (const line of lines) this.#index?.take(line.owner, line.bytes);
    this.#index?.save();
    for (const each of [bytes, ...lines.map((line) => line.bytes)]) releaseBytes(each);
  }

  /** Writes pending lines and waits until they are synced. Throws like `flush`. */
  keep(): void {
    this.flush();
    if (this.#file !== undefined) fsyncSync(this.#file);
  }

  /** Throws if another program holds the folder, because then not even an incomplete line may be removed. */
  #mustHold(): void {
    try {
      this.#check();
    } catch (problem) {
      this.#broken = problem as Error;
      throw problem;
    }
  }

  /** Checks that the file still exists; otherwise no more events can be appended. */
  look(): void {
    if (this.#file === undefined || inodeOf(this.path) === inodeOfFile(this.#file)) return;
    this.#broken ??= new Problem("tool", `${this.path} was removed, so this run can no longer be saved`);
  }

  /** True after a failed write; the file lacks later events. */
  get broken(): boolean {
    return this.#broken !== undefined;
  }

  /** Returns the end of the log once everything is on disk. */
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
      // The files beside the log belong to another program now.
    }
    this.#index?.close();
  }
}

/** Syncs the folder, because otherwise a power failure can lose the name of a new file. */
function keepName(folder: string): void {
  try {
    const list = openSync(folder, "r");
    fsyncSync(list);
    closeSync(list);
  } catch {
    // Some systems cannot open folders; they sync names automatically.
  }
}

function unwritten(path: string, { code, message }: NodeJS.ErrnoException): Error {
  const why = code === "ENOSPC" || code === "EDQUOT" ? "The disk is full" : message;
  return new Problem("tool", `${why}: could not write to ${path}`);
}
