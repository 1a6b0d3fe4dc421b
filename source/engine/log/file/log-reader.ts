/** Reads the log of a run from its start, or from the end of an earlier reading, and detects damage. */
import { crc32 } from "node:zlib";
import { LogDecoder } from "./log-codec.ts";
import { type LogDamage, unharmed } from "./log-damage.ts";
import type { LineOwner, LogIndex } from "./log-index.ts";
import { logLines, logSize } from "./log-lines.ts";
import { requireFormat } from "../../settings/format.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import type { Event, RunEvent } from "../../types.ts";

/** The end of a log. */
export type LogEnd = {
  /** Length of the complete lines. */
  readonly bytes: number;
  /** True if an incomplete line follows the complete lines. */
  readonly torn: boolean;
  readonly lastSeq: number;
};
export const emptyLog: LogEnd = { bytes: 0, torn: false, lastSeq: -1 };

/** Longer lines cannot be events, so they are not decoded. */
const longest = 64 * 1024 * 1024;

export type ReadOptions = {
  /** The end of an earlier reading. */
  readonly after?: LogEnd;
  /** The index of the log, extended by lines that it does not cover yet. */
  readonly index?: LogIndex;
  /** The decoder from reading the earlier part, if one invocation of one program wrote both parts. */
  readonly decoder?: LogDecoder;
};

type ReadLog = LogEnd & { readonly damage: LogDamage };

/**
 * Calls `take` for every event in order. Ignores an incomplete last line; skips and counts other lines that are not events, and
 * duplicate events.
 */
export function readLog(path: string, take: (event: Event) => void, options: ReadOptions = {}): ReadLog {
  const reading = new Reading(path, take, options);
  for (const line of logLines(path, reading.bytes)) reading.read(line);
  return reading.end();
}

type SlowOptions = ReadOptions & {
  readonly signal?: AbortSignal;
  /** Called before each pause with the number of bytes read. */
  readonly progress?: (bytes: number) => void;
};

/** Reads a log and yields to the event loop; rejects with the signal's reason when it is aborted. */
export async function readLogSlowly(
  path: string,
  take: (event: Event) => void,
  { signal, progress, ...options }: SlowOptions = {},
): Promise<ReadLog> {
  const reading = new Reading(path, take, options);
  const yieldIfDue = eventLoopYielder(signal);
  for (const line of logLines(path, reading.bytes)) {
    reading.read(line);
    const pause = yieldIfDue();
    if (pause === undefined) continue;
    progress?.(reading.bytes);
    await pause;
  }
  return reading.end();
}

/** Returns the start event of a run without reading the rest of its log; undefined if it cannot be determined. */
export function readStart(path: string): Extract<RunEvent, { type: "run-started" }> | undefined {
  for (const line of logLines(path)) {
    try {
      const { event } = new LogDecoder().decode(line.toString("utf8"));
      return event?.type === "run-started" ? event : undefined;
    } catch {
      // The line is damaged; the damage is counted when the run is opened.
      return undefined;
    }
  }
  return undefined;
}

class Reading {
  bytes: number;
  readonly #path: string;
  readonly #take: (event: Event) => void;
  readonly #index: LogIndex | undefined;
  readonly #decoder: LogDecoder;
  /** Number of messages that the decoder had missed before. */
  readonly #missed: number;
  #lastSeq: number;
  #damage: { -readonly [Key in keyof LogDamage]: LogDamage[Key] } = { ...unharmed };
  /** The first line of each event number; built when an event seems to be a duplicate. */
  #lines: ReadonlyMap<number, FirstLine> | undefined;

  constructor(path: string, take: (event: Event) => void, { after = emptyLog, index, decoder }: ReadOptions) {
    this.#path = path;
    this.#take = take;
    this.#index = index;
    this.#decoder = decoder ?? new LogDecoder();
    this.#missed = this.#decoder.missing;
    this.#lastSeq = after.lastSeq;
    this.bytes = after.bytes;
  }

  read(line: Buffer): void {
    const owner = this.#event(line) ?? {};
    if (this.bytes === this.#index?.end) this.#index.take(owner, line);
    this.bytes += line.length;
  }

  end(): ReadLog {
    const torn = (logSize(this.#path) ?? 0) > this.bytes;
    const missing = Math.max(0, this.#damage.missing - this.#damage.unreadable) + this.#decoder.missing - this.#missed;
    return { bytes: this.bytes, torn, lastSeq: this.#lastSeq, damage: { ...this.#damage, missing } };
  }

  /** Returns the owner of a line; undefined if the line is not an event that any version writes. */
  #event(line: Buffer): LineOwner | undefined {
    if (line.length === 1) return undefined;
    try {
      const { event, owner } = this.#decoder.decode(this.#textOf(line));
      if (event === undefined) return owner;
      if (event.type === "run-started") requireFormat("run", this.#path, event);
      if (!this.#isCopy(event.seq, line)) this.#take(event);
      return owner;
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
      this.#damage.unreadable += 1;
      return undefined;
    }
  }

  #textOf(line: Buffer): string {
    if (line.length > longest) throw new SyntaxError(`Expected a line of at most ${longest} bytes, got ${line.length}`);
    const text = line.toString("utf8", 0, line.length - 1);
    if (this.bytes > 0 || !text.startsWith("\uFEFF")) return text;
    this.#damage.mark = true;
    return text.slice(1);
  }

  /** Events are numbered, so a gap reveals missing events and a repeated number reveals duplicates. */
  #isCopy(seq: number, line: Buffer): boolean {
    if (seq > this.#lastSeq) {
      this.#damage.missing += seq - this.#lastSeq - 1;
      this.#lastSeq = seq;
      return false;
    }
    this.#lines ??= firstLines(this.#path);
    const first = this.#lines.get(seq);
    // After a number that is too high, the first line of a lower number arrives late.
    const isCopy = first !== undefined && first.at < this.bytes && first.crc === crc32(line);
    this.#damage[isCopy ? "doubled" : "crossed"] += 1;
    return isCopy;
  }
}

/** The position of a line in bytes, and its checksum. */
type FirstLine = { readonly at: number; readonly crc: number };

/** Reads the whole log again, which is rarely necessary. */
function firstLines(path: string): ReadonlyMap<number, FirstLine> {
  const lines = new Map<number, FirstLine>();
  let at = 0;
  for (const line of logLines(path)) {
    const seq = /^(?:\uFEFF)?\{"seq":(\d{1,15}),/.exec(line.toString("utf8", 0, 40))?.[1];
    if (seq !== undefined && !lines.has(Number(seq))) lines.set(Number(seq), { at, crc: crc32(line) });
    at += line.length;
  }
  return lines;
}
