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
import { firstHash, nextHash } from "../../work/hash.ts";

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
export type LogPlace = {
  readonly block: Pick<LogBlock, "from" | "to" | "crc">;
  readonly pieces: readonly number[];
};

/** A byte range of the log; `to` is exclusive. */
export type Stretch = Pick<LogBlock, "from" | "to">;

/** The head of a block, and its index line. */
type KnownBlock = Pick<LogBlock, "from" | "to" | "crc" | "changed"> & { readonly line: Buffer };

const [quote, backslash] = [34, 92];

/** The hashes of the names in each block: one number is found among hundreds of thousands ten times as quickly as a text. */
class NameHashes {
  #hashes = new Uint32Array(0);
  /** The number of names up to the end of each block. */
  readonly #ends: number[] = [];

  /** Adds the names of the next block, a list in JSON. */
  add(list: Uint8Array): void {
    const count = this.#ends.at(-1) ?? 0;
    // A name takes at least its two quotation marks.
    const most = count + (list.length >> 1);
    if (most > this.#hashes.length) {
      const more = new Uint32Array(2 * most);
      more.set(this.#hashes);
      this.#hashes = more;
    }
    this.#ends.push(hashNames(list, this.#hashes, count));
  }

  /** Yields the index of each block that may contain this name. */
  *blocksWith(name: string): Generator<number> {
    const hashes = new Uint32Array(1);
    hashNames(Buffer.from(JSON.stringify(name)), hashes, 0);
    const [hash] = hashes;
    const known = this.#hashes.subarray(0, this.#ends.at(-1) ?? 0);
    let block = 0;
    for (let found = known.indexOf(hash!); found >= 0; found = known.indexOf(hash!, this.#ends[block++])) {
      while (this.#ends[block]! <= found) block += 1;
      yield block;
    }
  }
}

/** Puts the hash of each name at the index `count` and after it; returns the index after the last. */
function hashNames(list: Uint8Array, hashes: Uint32Array, count: number): number {
  let hash = firstHash;
  let isOpen = false;
  for (let at = 0; at < list.length; at++) {
    const byte = list[at]!;
    if (byte === quote) {
      if (isOpen) hashes[count++] = hash;
      hash = firstHash;
      isOpen = !isOpen;
    } else {
      hash = nextHash(hash, byte);
      if (byte === backslash) hash = nextHash(hash, list[++at]!);
    }
  }
  return count;
}

const newNames = (): Readonly<Record<Kind, NameHashes>> => ({ tasks: new NameHashes(), contents: new NameHashes() });

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
    const lists = listsOf(line);
    this.#names.tasks.add(lists?.tasks ?? nothing);
    this.#names.contents.add(lists?.contents ?? nothing);
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

  /** Yields the positions of a task's or message's lines in order, parsing only the relevant parts of index lines. */
  *places(kind: Kind, name: string): Generator<LogPlace> {
    for (const at of this.#names[kind].blocksWith(name)) {
      const block = this.#blocks[at]!;
      const pieces = piecesOf(block, kind, name);
      if (pieces !== undefined) yield { block, pieces };
    }
    const { from, to, crc } = this.#open;
    const pieces = this.#open.pieces(kind, name);
    if (pieces !== undefined) yield { block: { from, to, crc }, pieces };
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

/** The lists of an index line, in JSON. */
type BlockLists = Readonly<Record<Kind, Buffer>> & { readonly pieces: Buffer };

/** Returns the lists of an index line without parsing them; undefined if another program wrote the line. */
function listsOf(line: Buffer): BlockLists | undefined {
  // Within a name, the quotation marks would be escaped.
  const tasks = line.indexOf('"tasks":[');
  const contents = line.indexOf('"contents":[', tasks);
  const pieces = line.indexOf('"pieces":[', contents);
  if (tasks < 0 || contents < 0 || pieces < 0) return undefined;
  return {
    tasks: line.subarray(tasks + 8, contents - 1),
    contents: line.subarray(contents + 11, pieces - 1),
    pieces: line.subarray(pieces + 9),
  };
}

const nothing = Buffer.alloc(0);

/** Returns the pieces of one name, without parsing those of all others; undefined if the block does not have the name. */
function piecesOf({ line }: KnownBlock, kind: Kind, name: string): readonly number[] | undefined {
  const lists = listsOf(line);
  if (lists === undefined) return undefined;
  const before = kind === "tasks" ? 0 : namesIn(lists.tasks).length;
  const at = namesIn(lists[kind]).indexOf(name);
  if (at < 0) return undefined;
  const { pieces } = lists;
  let from = 0;
  for (let left = before + at; left >= 0 && from >= 0; left--) from = pieces.indexOf("[", from + 1);
  if (from < 0) return [];
  return wholeNumbers(fallback(() => JSON.parse(pieces.toString("latin1", from, pieces.indexOf("]", from) + 1))));
}

function namesIn(list: Buffer): readonly string[] {
  const names: unknown = fallback(() => JSON.parse(list.toString("utf8")));
  return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : [];
}

function placeIn(block: LogBlock, kind: Kind, at: number): LogPlace {
  return { block, pieces: wholeNumbers(block.pieces[kind === "tasks" ? at : block.tasks.length + at]) };
}

/** Returns no pieces for anything else that another program may have written. */
const wholeNumbers = (pieces: unknown): readonly number[] =>
  Array.isArray(pieces) && pieces.every(Number.isSafeInteger) ? pieces : [];

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

  pieces(kind: Kind, name: string): readonly number[] | undefined {
    return (kind === "tasks" ? this.#tasks : this.#contents).get(name)?.slice();
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
