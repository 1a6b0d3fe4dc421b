/**
 * The index of a log: `events.index` has one line per block with the block's checksum and the positions of each task's and
 * message's lines in it. It grows with the log; the part of the log beyond it is read directly.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { checkedLine, textOfLine, valueOfLine } from "./checked-line.ts";
import { anyJson } from "../../text/checked-record.ts";
import { formats } from "../../settings/format.ts";
import { fallback } from "../../work/fallback.ts";

/** A block ends with the line that reaches this size. */
const blockSize = 256 * 1024;

/** The task or message of a line; events of the whole run have neither. */
export type LineOwner = { readonly task?: string; readonly content?: string };

/** A range of the log, in bytes, that starts and ends with whole lines. */
export type LogBlock = {
  readonly from: number;
  readonly to: number;
  readonly crc: number;
  /** The block was found changed before the index was rebuilt. */
  readonly changed?: true;
  /** In the first block; absent: 1. */
  readonly format?: number;
  /** Names of tasks with lines in the block. */
  readonly tasks: readonly string[];
  readonly contents: readonly string[];
  /** For each name, the start and end of each piece, relative to `from`; the end is exclusive. */
  readonly pieces: readonly (readonly number[])[];
};
type Kind = "tasks" | "contents";

/** Pieces of one block. */
export type LogPlace = { readonly block: LogBlock; readonly pieces: readonly number[] };

/** A byte range of the log; `to` is exclusive. */
export type Stretch = Pick<LogBlock, "from" | "to">;

/** The head of a block, and its index line. */
type KnownBlock = Pick<LogBlock, "from" | "to" | "crc" | "changed"> & { readonly line: Buffer };

/** The parts of index lines that contain names, in one buffer: one search of it is quicker than one of each part. */
class JoinedParts {
  #bytes: Buffer = Buffer.alloc(0);
  /** The end of each part, exclusive. */
  readonly #ends: number[] = [];

  add(part: Uint8Array): void {
    const from = this.#ends.at(-1) ?? 0;
    const to = from + part.length;
    if (to > this.#bytes.length) {
      const longer = Buffer.alloc(Math.max(2 * this.#bytes.length, to));
      this.#bytes.copy(longer, 0, 0, from);
      this.#bytes = longer;
    }
    this.#bytes.set(part, from);
    this.#ends.push(to);
  }

  /** Yields the index of each part that contains these bytes. */
  *partsWith(mark: Buffer): Generator<number> {
    let at = 0;
    for (let found = this.#bytes.indexOf(mark); found >= 0; found = this.#bytes.indexOf(mark, this.#ends[at++])) {
      while (this.#ends[at]! <= found) at += 1;
      yield at;
    }
  }
}

const newNames = (): Readonly<Record<Kind, JoinedParts>> => ({ tasks: new JoinedParts(), contents: new JoinedParts() });

export class LogIndex {
  /** Complete blocks in order, without gaps from the start of the log. */
  #blocks: KnownBlock[] = [];
  #names = newNames();
  #open = new OpenBlock(0);
  /** True if the file had damaged lines. */
  damaged = false;
  #path: string | undefined;
  #file: number | undefined;
  /** Number of blocks in the file. */
  #saved = 0;
  readonly #changed: readonly Stretch[];

  /** Creates an empty index; saving it replaces the file at the path. `changed` are ranges of the log known to be changed. */
  constructor(path?: string, changed: readonly Stretch[] = []) {
    this.#path = path;
    this.#changed = changed;
  }

  /** Reads the intact part of the file; returns an empty index if it cannot be read. */
  static read(path: string): LogIndex {
    const index = new LogIndex(path);
    const bytes = contentOf(path);
    // The last line is incomplete if the program was killed.
    for (let from = 0, end = bytes.indexOf(10); end >= 0; from = end + 1, end = bytes.indexOf(10, from)) {
      const block = knownBlock(bytes.subarray(from, end));
      index.damaged = block?.from !== index.end;
      if (block === undefined || index.damaged) break;
      index.#keep(block);
    }
    index.#saved = index.#blocks.length;
    return index;
  }

  /** The end of the indexed part of the log. */
  get end(): number {
    return this.#open.to;
  }

  /** Returns the complete blocks, then the incomplete block if it is not empty. */
  blocks(): readonly (Stretch & Pick<LogBlock, "crc" | "changed">)[] {
    return this.#open.to === this.#open.from ? this.#blocks : [...this.#blocks, this.#openBlock()];
  }

  /** Drops blocks beyond this length of the log; returns the number of bytes dropped. */
  cut(length: number): number {
    const lost = Math.max(0, this.end - length);
    if (lost > 0) {
      this.#blocks = this.#blocks.filter(({ to }) => to <= length);
      this.#names = newNames();
      for (const { line } of this.#blocks) this.#addNames(line);
      this.#saved = Math.min(this.#saved, this.#blocks.length);
      this.#open = new OpenBlock(this.#blocks.at(-1)?.to ?? 0);
    }
    return lost;
  }

  /** Adds the next line of the log, including its line feed. */
  take(owner: LineOwner, line: Uint8Array): void {
    this.#open.take(owner, line);
    if (this.#open.to - this.#open.from >= blockSize) this.endBlock();
  }

  /** Ends the incomplete block, so that later lines start a new block. */
  endBlock(): void {
    if (this.#open.to === this.#open.from) return;
    // A buffer of its own: short ones share a pool, which each would keep as a whole.
    const line = checkedLine(this.#openBlock());
    const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(line));
    bytes.write(line);
    this.#keep(knownBlock(bytes.subarray(0, -1))!);
  }

  #openBlock(): LogBlock {
    const { from, to } = this.#open;
    return this.#open.block(this.#changed.some((stretch) => stretch.from < to && from < stretch.to));
  }

  #keep(block: KnownBlock): void {
    this.#blocks.push(block);
    this.#addNames(block.line);
    this.#open = new OpenBlock(block.to);
  }

  #addNames(line: Buffer): void {
    // Within a name, the quotation marks would be escaped.
    const contents = line.indexOf('"contents":[');
    const pieces = line.indexOf('"pieces":[', contents);
    this.#names.tasks.add(line.subarray(0, contents));
    this.#names.contents.add(line.subarray(contents, pieces));
  }

  /** Appends complete blocks to the file. Never throws, because missing blocks are read from the log. */
  save(): void {
    if (this.#path === undefined || (this.#saved === this.#blocks.length && this.#saved > 0)) return;
    try {
      if (this.#file === undefined) {
        const before = this.#blocks.slice(0, this.#saved).reduce((sum, { line }) => sum + line.length + 1, 0);
        this.#file = openSync(this.#path, "a");
        ftruncateSync(this.#file, before);
      }
      const lines = this.#blocks.slice(this.#saved).flatMap(({ line }) => [line, lineFeed]);
      writeSync(this.#file, Buffer.concat(lines));
      this.#saved = this.#blocks.length;
    } catch {
      this.#path = undefined;
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Yields the positions of a task's or message's lines in order, parsing only the relevant index lines. */
  *places(kind: Kind, name: string): Generator<LogPlace> {
    const mark = Buffer.from(JSON.stringify(name));
    for (const at of this.#names[kind].partsWith(mark)) yield* placesIn(blockOf(this.#blocks[at]!), kind, name);
    yield* placesIn(this.#openBlock(), kind, name);
  }

  /** Returns all positions, for callers that look up many names. */
  allPlaces(): { readonly tasks: Places; readonly contents: Places } {
    const all = { tasks: new Map<string, LogPlace[]>(), contents: new Map<string, LogPlace[]>() };
    for (const block of [...this.#blocks.map(blockOf), this.#openBlock()]) {
      for (const kind of ["tasks", "contents"] as const) {
        for (const [at, name] of block[kind].entries()) {
          const known = all[kind].get(name);
          if (known === undefined) all[kind].set(name, [placeIn(block, kind, at)]);
          else known.push(placeIn(block, kind, at));
        }
      }
    }
    return all;
  }
}

export type Places = ReadonlyMap<string, readonly LogPlace[]>;

const lineFeed = Buffer.from("\n");

const contentOf = (path: string): Buffer => fallback(() => readFileSync(path), Buffer.alloc(0));

function placesIn(block: LogBlock, kind: Kind, name: string): readonly LogPlace[] {
  const at = block[kind].indexOf(name);
  return at < 0 ? [] : [placeIn(block, kind, at)];
}

function placeIn(block: LogBlock, kind: Kind, at: number): LogPlace {
  const pieces = block.pieces[kind === "tasks" ? at : block.tasks.length + at];
  // Another program may have written anything.
  return { block, pieces: Array.isArray(pieces) && pieces.every(Number.isSafeInteger) ? pieces : [] };
}

/** Parses the head of an index line without the other parts; undefined if the line is damaged. */
function knownBlock(line: Buffer): KnownBlock | undefined {
  const text = textOfLine(line)?.toString("latin1", 0, 100);
  const found = /^\{"from":(\d{1,15}),"to":(\d{1,15}),"crc":(\d{1,10})(,"changed":true)?,/.exec(text ?? "");
  if (found === null) return undefined;
  const [from, to, crc] = found.slice(1).map(Number) as [number, number, number];
  return to <= from ? undefined : { from, to, crc, ...(found[4] === undefined ? {} : { changed: true }), line };
}

const names = z.array(z.string());
/** Pieces are checked as they are used, because checking the thousands of positions of a block takes longer than parsing them. */
const blockNames = z.object({ tasks: names, contents: names, pieces: z.array(anyJson) });

/** Parses a whole block; returns it without names if another program wrote the line. */
function blockOf({ from, to, crc, line }: KnownBlock): LogBlock {
  const known = valueOfLine(line, blockNames) as Pick<LogBlock, "tasks" | "contents" | "pieces"> | undefined;
  const { tasks, contents, pieces } = known ?? { tasks: [], contents: [], pieces: [] };
  return { from, to, crc, tasks, contents, pieces };
}

/** The growing block. */
class OpenBlock {
  readonly from: number;
  to: number;
  crc = 0;
  readonly #tasks = new Map<string, number[]>();
  readonly #contents = new Map<string, number[]>();

  constructor(from: number) {
    this.from = from;
    this.to = from;
  }

  take({ task, content }: LineOwner, line: Uint8Array): void {
    const from = this.to - this.from;
    const to = from + line.length;
    this.crc = crc32(line, this.crc);
    this.to += line.length;
    if (task !== undefined) add(this.#tasks, task, from, to);
    if (content !== undefined) add(this.#contents, content, from, to);
  }

  block(changed: boolean): LogBlock {
    const { from, to, crc } = this;
    const [tasks, contents] = [[...this.#tasks.keys()], [...this.#contents.keys()]];
    const pieces = [...this.#tasks.values(), ...this.#contents.values()];
    const format = from === 0 ? { format: formats.run } : {};
    return { from, to, crc, ...(changed ? { changed: true } : {}), ...format, tasks, contents, pieces };
  }
}

/** Joins consecutive lines into one piece. */
function add(pieces: Map<string, number[]>, name: string, from: number, to: number): void {
  const known = pieces.get(name);
  if (known === undefined) pieces.set(name, [from, to]);
  else if (known.at(-1) === from) known[known.length - 1] = to;
  else known.push(from, to);
}
