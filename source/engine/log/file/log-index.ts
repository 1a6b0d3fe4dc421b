/**
 * The index of a log: for every block of it a line of `events.index` with the block's checksum, and where in the block the
 * lines of each task and each message lie. It grows with the log; what it does not reach is read from the log itself.
 */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { checkedLine, textOfLine, valueOfLine } from "./log-lines.ts";

/** A block ends with the line that makes it this long. */
const blockSize = 256 * 1024;

/** What a line of the log belongs to; events of the whole run belong to neither. */
export type LineOwner = { readonly task?: string; readonly content?: string };

/** A stretch of the log, in bytes, that begins and ends with whole lines. */
export type LogBlock = {
  readonly from: number;
  readonly to: number;
  readonly crc: number;
  /** The block was found changed before the index was made anew. */
  readonly changed?: true;
  /** What has lines in it, by name. */
  readonly tasks: readonly string[];
  readonly contents: readonly string[];
  /** Of each of these, the first byte of each piece and the byte behind it, counted from `from`. */
  readonly pieces: readonly (readonly number[])[];
};
type Kind = "tasks" | "contents";

/** Pieces of one block. */
export type LogPlace = { readonly block: LogBlock; readonly pieces: readonly number[] };

/** From a byte of the log to the one behind it. */
export type Stretch = Pick<LogBlock, "from" | "to">;

/** A block as its line begins, that line, and the parts of it that hold the names of each kind. */
type KnownBlock = Pick<LogBlock, "from" | "to" | "crc" | "changed"> & {
  readonly line: Buffer;
  readonly names: Readonly<Record<Kind, Buffer>>;
};

export class LogIndex {
  /** Complete blocks, in order and without gaps from the beginning of the log. */
  #blocks: KnownBlock[] = [];
  #open = new OpenBlock(0);
  /** True where the file had lines that are not what was written. */
  damaged = false;
  #path: string | undefined;
  #file: number | undefined;
  /** How many blocks are in the file. */
  #saved = 0;
  readonly #changed: readonly Stretch[];

  /** Empty; it replaces the file at the path when it is saved. `changed` are stretches of the log known to be changed. */
  constructor(path?: string, changed: readonly Stretch[] = []) {
    this.#path = path;
    this.#changed = changed;
  }

  /** Reads the file as far as it is whole; empty where there is none that can be read. */
  static read(path: string): LogIndex {
    const index = new LogIndex(path);
    const bytes = contentOf(path);
    // The last line is torn where the program was killed.
    for (let from = 0, end = bytes.indexOf(10); end >= 0; from = end + 1, end = bytes.indexOf(10, from)) {
      const block = knownBlock(bytes.subarray(from, end));
      index.damaged = block?.from !== index.end;
      if (block === undefined || index.damaged) break;
      index.#keep(block);
    }
    index.#saved = index.#blocks.length;
    return index;
  }

  /** Where the log goes on: the index knows nothing of what lies behind. */
  get end(): number {
    return this.#open.to;
  }

  /** Complete blocks, then the one that is still growing where it holds anything. */
  blocks(): readonly (Stretch & Pick<LogBlock, "crc" | "changed">)[] {
    return this.#open.to === this.#open.from ? this.#blocks : [...this.#blocks, this.#openBlock()];
  }

  /** Forgets what lies behind this length of the log; returns how many bytes that are. */
  cut(length: number): number {
    const lost = Math.max(0, this.end - length);
    if (lost > 0) {
      this.#blocks = this.#blocks.filter(({ to }) => to <= length);
      this.#saved = Math.min(this.#saved, this.#blocks.length);
      this.#open = new OpenBlock(this.#blocks.at(-1)?.to ?? 0);
    }
    return lost;
  }

  /** Takes the next line of the log, with its line feed. */
  take(owner: LineOwner, line: Uint8Array): void {
    this.#open.take(owner, line);
    if (this.#open.to - this.#open.from >= blockSize) this.endBlock();
  }

  /** Ends the block that is growing: what is written later is in another one. */
  endBlock(): void {
    if (this.#open.to === this.#open.from) return;
    this.#keep(knownBlock(Buffer.from(checkedLine(this.#openBlock())).subarray(0, -1))!);
  }

  #openBlock(): LogBlock {
    const { from, to } = this.#open;
    return this.#open.block(this.#changed.some((stretch) => stretch.from < to && from < stretch.to));
  }

  #keep(block: KnownBlock): void {
    this.#blocks.push(block);
    this.#open = new OpenBlock(block.to);
  }

  /** Adds complete blocks to the file. Never throws: what is missing there is read from the log. */
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

  /** Where the lines of a task, or a message, lie, in order; without reading more of the index than is about it. */
  *places(kind: Kind, name: string): Generator<LogPlace> {
    const mark = Buffer.from(JSON.stringify(name));
    for (const block of this.#blocks) if (block.names[kind].includes(mark)) yield* placesIn(blockOf(block), kind, name);
    yield* placesIn(this.#openBlock(), kind, name);
  }

  /** The same of everything there is, for those who look for much of it. */
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

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function placesIn(block: LogBlock, kind: Kind, name: string): readonly LogPlace[] {
  const at = block[kind].indexOf(name);
  return at < 0 ? [] : [placeIn(block, kind, at)];
}

function placeIn(block: LogBlock, kind: Kind, at: number): LogPlace {
  return { block, pieces: block.pieces[kind === "tasks" ? at : block.tasks.length + at] ?? [] };
}

/** What a line of the index begins with, read without the rest of it; undefined where it is not what was written. */
function knownBlock(line: Buffer): KnownBlock | undefined {
  const text = textOfLine(line)?.toString("latin1", 0, 100);
  const found = /^\{"from":(\d{1,15}),"to":(\d{1,15}),"crc":(\d{1,10})(,"changed":true)?,/.exec(text ?? "");
  if (found === null) return undefined;
  const [from, to, crc] = found.slice(1, 4).map(Number) as [number, number, number];
  // A name that says the same has a backslash before its quotation marks.
  const contents = line.indexOf('"contents":[');
  const pieces = line.indexOf('"pieces":[', contents);
  const names = { tasks: line.subarray(0, contents), contents: line.subarray(contents, pieces) };
  return to <= from ? undefined : { from, to, crc, ...(found[4] === undefined ? {} : { changed: true }), line, names };
}

const names = z.array(z.string());
const blockNames = z.object({ tasks: names, contents: names, pieces: z.array(z.array(z.int())) });

/** The whole of a block; one without names where another program wrote its line. */
function blockOf({ from, to, crc, line }: KnownBlock): LogBlock {
  const known = valueOfLine(line, blockNames) as Pick<LogBlock, "tasks" | "contents" | "pieces"> | undefined;
  const { tasks, contents, pieces } = known ?? { tasks: [], contents: [], pieces: [] };
  return { from, to, crc, tasks, contents, pieces };
}

/** The block that is growing. */
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
    return { from, to, crc, ...(changed ? { changed: true } : {}), tasks, contents, pieces };
  }
}

/** Lines that follow each other are one piece. */
function add(pieces: Map<string, number[]>, name: string, from: number, to: number): void {
  const known = pieces.get(name);
  if (known === undefined) pieces.set(name, [from, to]);
  else if (known.at(-1) === from) known[known.length - 1] = to;
  else known.push(from, to);
}
