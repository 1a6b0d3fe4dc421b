/** The append-only log of one run: a file of JSON Lines, written once per frame, read back as it was. */
import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { LogDecoder, LogEncoder } from "./log-codec.ts";
import { Problem } from "../problem.ts";
import { type Clock, machineClock, type Timer } from "../work/clock.ts";
import type { Event, RunEvent, TaskEvent } from "../types.ts";

/** Milliseconds between writes. A crash loses at most this much. */
const frame = 50;

type Unstamped<E> = E extends Event ? Omit<E, "seq" | "at"> & { readonly at?: number } : never;
export type NewEvent = Unstamped<TaskEvent> | Unstamped<RunEvent>;

/** Logs that a program ending in the middle of things still has to write out. */
const open = new Set<Log>();
process.on("exit", () => {
  for (const log of open) log.flush();
});

export class Log {
  readonly path: string;
  #file: number | undefined;
  readonly #encoder: LogEncoder;
  #pending = "";
  #seq = 0;
  #bytes: number;
  #timer: Timer | undefined;
  /** Why the file could not be written to. */
  #broken: Error | undefined;
  readonly #clock: Clock;
  readonly #take: (event: Event) => void;
  readonly #check: () => void;

  /**
   * Opens for appending, after what `readLog` found in it; the file and its folder are made when missing. `take` gets every
   * event at once, up to a frame before it is on disk. `check` throws `Problem` where nothing may be written any more.
   */
  constructor(
    path: string,
    end: LogEnd = emptyLog,
    take: (event: Event) => void = () => {},
    clock: Clock = machineClock,
    check: () => void = () => {},
  ) {
    this.path = path;
    this.#clock = clock;
    this.#take = take;
    this.#check = check;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, "a+");
    if (end.torn) ftruncateSync(this.#file, end.bytes);
    this.#encoder = new LogEncoder(String(end.bytes));
    this.#seq = end.lastSeq + 1;
    this.#bytes = end.bytes;
    open.add(this);
  }

  append(event: NewEvent): Event {
    if (this.#file === undefined)
      throw new Error(`Expected the log ${this.path} to be open, got an event after it was closed`);
    if (this.#broken !== undefined) throw this.#broken;
    const stamped = { seq: this.#seq++, at: Date.now(), ...event } as Event;
    this.#pending += this.#encoder.encode(stamped);
    this.#timer ??= this.#clock.setTimeout(() => this.#flushSoon(), frame);
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

  /** Writes what is pending. Throws what the file system throws: a full disk must not pass unseen. */
  flush(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === "" || this.#file === undefined) return;
    const bytes = Buffer.from(this.#pending, "utf8");
    this.#pending = "";
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
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
    open.delete(this);
  }
}

function unwritten(path: string, { code, message }: NodeJS.ErrnoException): Error {
  const why = code === "ENOSPC" || code === "EDQUOT" ? "The disk is full" : message;
  return new Problem("tool", `${why}: could not go on writing ${path}`);
}

/** Where a log ends. */
export type LogEnd = {
  /** Length of the complete lines. */
  readonly bytes: number;
  /** True when a last, incomplete line follows them. */
  readonly torn: boolean;
  readonly lastSeq: number;
};
export const emptyLog: LogEnd = { bytes: 0, torn: false, lastSeq: -1 };

/**
 * Reads a log on from an earlier end, calling `take` for every event in order. A torn last line is left out; a damaged line
 * in the middle is skipped and counted in `damaged`.
 */
export function readLog(
  path: string,
  take: (event: Event) => void,
  after?: LogEnd,
): LogEnd & { readonly damaged: number } {
  const decoder = new LogDecoder();
  let lastSeq = after?.lastSeq ?? -1;
  let damaged = 0;
  const line = (text: string) => {
    let event: Event | undefined;
    try {
      event = decoder.decode(text);
    } catch {
      damaged += 1;
      return;
    }
    if (event === undefined) return;
    lastSeq = Math.max(lastSeq, event.seq);
    take(event);
  };
  const { bytes, torn } = eachLine(path, line, after?.bytes ?? 0);
  return { bytes, torn, lastSeq, damaged };
}

/** Longest first line that is read, in bytes: what starts a run holds no text of tasks. */
const longestStart = 256 * 1024;

/** What the run of a log was started as, without reading the rest of it; undefined where that cannot be told. */
export function readStart(path: string): Extract<RunEvent, { type: "run-started" }> | undefined {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(longestStart);
    const [line = ""] = buffer.toString("utf8", 0, readSync(file, buffer)).split("\n", 1);
    const event = JSON.parse(line) as Event;
    return event.type === "run-started" ? event : undefined;
  } catch {
    // A damaged line: the log is read, and the damage counted, where its run is opened.
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** The events of one task, without parsing the lines of the others. */
export function readTask(path: string, task: string): TaskEvent[] {
  if (!existsSync(path)) return [];
  const decoder = new LogDecoder();
  const events: TaskEvent[] = [];
  const mark = `"task":${JSON.stringify(task)}`;
  eachLine(path, (line) => {
    if (!line.startsWith('{"type":"content"') && !line.includes(mark)) return;
    try {
      const event = decoder.decode(line);
      if (event !== undefined && "task" in event && event.task === task) events.push(event);
    } catch {
      // Counted and reported when the whole log is read.
    }
  });
  return events;
}

/** Bytes read at a time: a log of gigabytes must not become one string. */
const block = 8 * 1024 * 1024;

function eachLine(path: string, take: (line: string) => void, from = 0): { bytes: number; torn: boolean } {
  if (!existsSync(path)) return { bytes: 0, torn: false };
  const file = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(block);
  let rest: Buffer = Buffer.alloc(0);
  const read = () => {
    const size = readSync(file, buffer, 0, block, position);
    position += size;
    return size;
  };
  let bytes = from;
  let position = from;
  try {
    for (let size = read(); size > 0; size = read()) {
      const chunk = rest.length === 0 ? buffer.subarray(0, size) : Buffer.concat([rest, buffer.subarray(0, size)]);
      const end = chunk.lastIndexOf(10);
      if (end >= 0) {
        const text = chunk.toString("utf8", 0, end);
        for (const line of text.split("\n")) if (line !== "") take(line);
        bytes += end + 1;
      }
      rest = Buffer.from(chunk.subarray(end + 1));
    }
  } finally {
    closeSync(file);
  }
  return { bytes, torn: rest.length > 0 };
}
