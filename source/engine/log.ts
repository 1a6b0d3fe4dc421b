/** The append-only log of one run: a file of JSON Lines, written once per frame, read back as it was. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { LogDecoder, LogEncoder } from "./log-codec.ts";
import type { Event, RunEvent, TaskEvent } from "./types.ts";

/** Milliseconds between writes. A crash loses at most this much. */
const frame = 50;

type Unstamped<E> = E extends Event ? Omit<E, "seq" | "at"> & { readonly at?: number } : never;
export type NewEvent = Unstamped<TaskEvent> | Unstamped<RunEvent>;

export class Log {
  readonly path: string;
  #file: number | undefined;
  readonly #encoder = new LogEncoder();
  #pending = "";
  #seq = 0;
  #timer: NodeJS.Timeout | undefined;
  #listeners = new Set<(events: readonly Event[]) => void>();
  #fresh: Event[] = [];

  /** Opens for appending; the file and its folder are made when missing. Use `readLog` for what is in it already. */
  constructor(path: string, loaded?: LoadedLog) {
    this.path = path;
    mkdirSync(dirname(path), { recursive: true });
    this.#file = openSync(path, "a+");
    if (loaded === undefined) return;
    if (loaded.torn) ftruncateSync(this.#file, loaded.bytes);
    for (const message of loaded.decoder.messages()) this.#encoder.learn(message);
    this.#seq = loaded.lastSeq + 1;
  }

  /** Called once per frame with the events of that frame, after they are on disk. */
  subscribe(listener: (events: readonly Event[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  append(event: NewEvent): Event {
    if (this.#file === undefined)
      throw new Error(`Expected the log ${this.path} to be open, got an event after it was closed`);
    const stamped = { seq: this.#seq++, at: Date.now(), ...event } as Event;
    this.#pending += this.#encoder.encode(stamped);
    this.#fresh.push(stamped);
    this.#timer ??= setTimeout(() => this.flush(), frame);
    return stamped;
  }

  /** Writes what is pending and tells listeners. Throws what the file system throws: a full disk must not pass unseen. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending === "" || this.#file === undefined) return;
    const bytes = Buffer.from(this.#pending, "utf8");
    this.#pending = "";
    for (let written = 0; written < bytes.length;) written += writeSync(this.#file, bytes, written);
    const events = this.#fresh;
    this.#fresh = [];
    for (const listener of this.#listeners) listener(events);
  }

  close(): void {
    if (this.#file === undefined) return;
    this.flush();
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
  }
}

export type LoadedLog = {
  /** Length of the complete lines. */
  readonly bytes: number;
  /** True when a last, incomplete line was dropped. */
  readonly torn: boolean;
  readonly lastSeq: number;
  readonly decoder: LogDecoder;
};

/**
 * Reads a log from byte `from` (a line's start), calling `take` for every event in order. A torn last line is dropped; a
 * damaged line in the middle is skipped and counted in `damaged`.
 */
export function readLog(path: string, take: (event: Event) => void): LoadedLog & { readonly damaged: number } {
  const decoder = new LogDecoder();
  let lastSeq = -1;
  let damaged = 0;
  const { bytes, torn } = eachLine(path, (line) => {
    let event: Event | undefined;
    try {
      event = decoder.decode(line);
    } catch {
      damaged += 1;
      return;
    }
    if (event === undefined) return;
    lastSeq = Math.max(lastSeq, event.seq);
    take(event);
  });
  return { bytes, torn, lastSeq, decoder, damaged };
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

function eachLine(path: string, take: (line: string) => void): { bytes: number; torn: boolean } {
  if (!existsSync(path)) return { bytes: 0, torn: false };
  const file = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(block);
  let rest: Buffer = Buffer.alloc(0);
  let bytes = 0;
  try {
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
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

/** Whole file at once, for small files beside the log. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
