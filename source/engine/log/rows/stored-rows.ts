/**
 * Stores rows of ended tasks on disk. Rows of a large run are removed from memory and read on demand. The file next to the log
 * only grows; it consists of blocks of rows, each of two Zstandard frames: a line with the tasks, then a line for each row.
 */
import { closeSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { fallback } from "../../work/fallback.ts";
import { checkedLine, valueOfLine } from "../file/checked-line.ts";
import type { Row } from "../../types.ts";
import { EqualParts } from "./equal-parts.ts";
import { rowSchema } from "./row-schema.ts";
import { type TaskState, taskState } from "./task-counts.ts";

/** The file beside a log. */
export const storedRows = "rows.zst";

/** Maximum number of rows in a block, so that one row is read within a millisecond. */
export const rowsOfBlock = 128;
/** Number of blocks whose lines stay in memory, because consecutive rows are in the same block. */
const mostKept = 16;
/** Maximum number of bytes of an unpacked block: a forged file must not fill the memory. */
const largestBlock = 256 * 1024 * 1024;
/** Number of characters at which a block ends, even if it has fewer rows than the maximum. */
const longBlock = 16 * 1024 * 1024;

/** The positions of a block's start, of its rows and of its end, and its checksum. */
export type RowBlock = readonly [from: number, rows: number, to: number, crc: number];

/** States of ended tasks, by the letters of a block's first line. */
const letters = { r: "right", w: "wrong", u: "unscored", f: "failed", s: "stopped" } as const;
type Ended = (typeof letters)[keyof typeof letters];
const letterOf = new Map<TaskState, string>(Object.entries(letters).map(([letter, state]) => [state, letter]));

const tasksSchema = z.object({
  tasks: z.array(z.string()).max(rowsOfBlock),
  places: z.array(z.int().min(0)).max(rowsOfBlock),
  states: z.string().max(rowsOfBlock),
});
type TasksLine = z.infer<typeof tasksSchema>;

/** A row to be stored, and its index among the rows of its run. */
export type PlacedRow = { readonly row: Row; readonly place: number };

/** Records whether a row has a cause and a failure. */
const hasWhich = {
  none: { none: { cause: false, failure: false }, cause: { cause: true, failure: false } },
  failure: { none: { cause: false, failure: true }, cause: { cause: true, failure: true } },
} as const;

/** The parts of a row that other rows have too; undefined for a part that few rows share. Equal rows have one such object. */
type SharedParts = {
  readonly [Part in "run" | "facets" | "score" | "failure" | "notes" | "cause"]: Row[Part] | undefined;
} & { readonly has: { readonly cause: boolean; readonly failure: boolean } };

/** A row on disk: its fields are read with its block on first access, except for parts that it shares with other rows. */
class StoredRow {
  readonly task: string;
  /** The state of the row's task, which is known before the row is read. */
  readonly ended: Ended;
  readonly place: number;
  readonly #of: StoredRows;
  readonly #at: number;
  /** Undefined until the row is read. */
  #shared: SharedParts | undefined;
  #counted: Row["counted"] | undefined;

  constructor(of: StoredRows, at: number, { task, place, ended }: Pick<StoredRow, "task" | "place" | "ended">) {
    this.task = task;
    this.ended = ended;
    this.place = place;
    this.#of = of;
    this.#at = at;
  }

  /** The row as an object with all its fields. */
  get whole(): Row {
    const row = this.#of.read(this.#at, this.task);
    if (this.#shared === undefined) this.share(row);
    return row;
  }
  /** Keeps in memory the parts of its row that equal parts of other rows. */
  share({ run, facets, score, failure, notes, cause }: Row): void {
    const { parts } = this.#of;
    this.#shared = parts.together<SharedParts>({
      run: parts.shared("run", run),
      failure: failure && parts.shared("failure", failure),
      has: hasWhich[failure === undefined ? "none" : "failure"][cause === undefined ? "none" : "cause"],
      facets: parts.shared("facets", facets),
      score: score && parts.shared("score", score),
      notes: parts.shared("notes", notes),
      cause: cause && parts.shared("cause", cause),
    });
  }
  get isLookedAt(): boolean {
    return this.#shared !== undefined;
  }
  /** Keeps in memory all parts that figures read repeatedly. */
  keep(): void {
    const { counted } = this.whole;
    this.#counted = this.#of.parts.shared("counted", counted) ?? counted;
  }
  get state(): Row["state"] {
    return this.ended === "failed" || this.ended === "stopped" ? "failed" : "scored";
  }
  get run(): string {
    return this.#shared?.run ?? this.whole.run;
  }
  get question(): string {
    return this.whole.question;
  }
  get facets(): Row["facets"] {
    return this.#shared?.facets ?? this.whole.facets;
  }
  get score(): Row["score"] {
    return this.state === "failed" ? undefined : (this.#shared?.score ?? this.whole.score);
  }
  get failure(): Row["failure"] {
    return this.#shared?.has.failure === false ? undefined : (this.#shared?.failure ?? this.whole.failure);
  }
  get cause(): Row["cause"] {
    return this.#shared?.has.cause === false ? undefined : (this.#shared?.cause ?? this.whole.cause);
  }
  get counted(): Row["counted"] {
    return this.#counted ?? this.whole.counted;
  }
  get judging(): Row["judging"] {
    return this.whole.judging;
  }
  get spent(): Row["spent"] {
    return this.whole.spent;
  }
  get notes(): Row["notes"] {
    return this.#shared?.notes ?? this.whole.notes;
  }
  get from(): number {
    return this.whole.from;
  }
  get to(): number {
    return this.whole.to;
  }
  toJSON(): Row {
    return this.whole;
  }
}

/** True if the row is on disk and figures can use it without reading it, except for its requests and tokens. */
export const isLookedAt = (row: Row | undefined): boolean => isStored(row) && row.isLookedAt;

/** True if the row is on disk. */
export const isStored = (row: Row | StoredRow | undefined): row is StoredRow & Row => row instanceof StoredRow;

/** The lines of one block, parsed on demand. */
type KeptBlock = { readonly lines: readonly Buffer[]; readonly rows: (Row | undefined)[] };

export class StoredRows {
  readonly #path: string;
  readonly #recover: (task: string) => Row | undefined;
  readonly #blocks: RowBlock[] = [];
  readonly #kept = new Map<number, KeptBlock>();
  readonly parts = new EqualParts();

  /** `recover` computes a row again if its block is damaged. */
  constructor(path: string, recover: (task: string) => Row | undefined, blocks: readonly RowBlock[] = []) {
    this.#path = path;
    this.#recover = recover;
    this.begin(blocks);
  }

  /** The blocks so far; if several contain a row of the same task, the last one counts. */
  get blocks(): readonly RowBlock[] {
    return this.#blocks;
  }

  /** Appends at most `rowsOfBlock` rows of ended tasks; returns the stored rows that replace them. Throws file system errors. */
  store(rows: readonly PlacedRow[]): readonly Row[] {
    const lines = rows.map(({ row }) => checkedLine(row));
    const stored: Row[] = [];
    for (let from = 0, to = 0, length = 0; from < rows.length; from = to, length = 0) {
      while (to < rows.length && (to === from || length + lines[to]!.length <= longBlock))
        length += lines[to++]!.length;
      stored.push(...this.#append(rows.slice(from, to), lines.slice(from, to).join("")));
    }
    return stored;
  }

  #append(rows: readonly PlacedRow[], lines: string): readonly Row[] {
    const states = rows.map(({ row }) => taskState(row, false) as Ended);
    const known: TasksLine = {
      tasks: rows.map(({ row }) => row.task),
      places: rows.map(({ place }) => place),
      states: states.map((state) => letterOf.get(state)).join(""),
    };
    const tasks = zstdCompressSync(checkedLine(known));
    const bytes = Buffer.concat([tasks, zstdCompressSync(lines)]);
    const from = this.#blocks.at(-1)?.[2] ?? 0;
    writeAt(this.#path, from, bytes);
    this.#blocks.push([from, from + tasks.length, from + bytes.length, crc32(bytes)]);
    const begin = (this.#blocks.length - 1) * rowsOfBlock;
    return rows.map(({ row, place }, at) => {
      const stored = new StoredRow(this, begin + at, { task: row.task, place, ended: states[at]! });
      stored.share(row);
      return stored as unknown as Row;
    });
  }

  /** Returns the rows of a block without reading them; undefined if it is damaged. */
  rowsIn(index: number): readonly Row[] | undefined {
    const known = this.#tasks(this.#blocks[index]!);
    return known?.tasks.map((task, at) => {
      const ended = letters[known.states[at] as keyof typeof letters] ?? "failed";
      const row = { task, place: known.places[at] ?? 0, ended };
      return new StoredRow(this, index * rowsOfBlock + at, row) as unknown as Row;
    });
  }

  #tasks(block: RowBlock): TasksLine | undefined {
    const [from, rows] = block;
    const bytes = this.#bytes(block);
    const [line] = (bytes && linesOf(bytes.subarray(0, rows - from))) ?? [];
    return line && (valueOfLine(line, tasksSchema) as TasksLine | undefined);
  }

  /** Reads a row by its place among the blocks. */
  read(at: number, task: string): Row {
    const index = Math.floor(at / rowsOfBlock);
    const kept = this.#block(index);
    const line = at % rowsOfBlock;
    const found = kept?.rows[line] ?? (kept && rowIn(kept.lines[line]));
    const row = found?.task === task ? found : this.#recover(task);
    if (row === undefined) throw new Error(`Expected the row of task ${task} in ${this.#path}, found none`);
    if (kept !== undefined) kept.rows[line] = row;
    return row;
  }

  #block(index: number): KeptBlock | undefined {
    const known = this.#kept.get(index);
    if (known !== undefined) return known;
    const block = this.#blocks[index]!;
    const bytes = this.#bytes(block);
    const lines = bytes && linesOf(bytes.subarray(block[1] - block[0]));
    if (lines === undefined) return undefined;
    const kept = { lines, rows: [] };
    this.#kept.set(index, kept);
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value!);
    return kept;
  }

  #bytes([from, , to, crc]: RowBlock): Buffer | undefined {
    const bytes = to - from > largestBlock ? undefined : fallback(() => readAt(this.#path, from, to));
    return bytes !== undefined && crc32(bytes) === crc ? bytes : undefined;
  }

  /** Uses blocks of the same file that another reader found. */
  begin(blocks: readonly RowBlock[] = []): void {
    this.#blocks.splice(0, Infinity, ...blocks);
    this.#kept.clear();
  }
}

/** Returns the last row of each task by its index, without reading any row; undefined if a block is damaged. */
export function placedRows(stored: StoredRows): readonly Row[] | undefined {
  const rows: Row[] = [];
  let count = 0;
  for (const index of stored.blocks.keys()) {
    const block = stored.rowsIn(index);
    if (block === undefined) return undefined;
    for (const row of block) rows[(row as unknown as StoredRow).place] = row;
    count += block.length;
  }
  // A made-up place would leave a gap.
  return rows.length <= count && !rows.includes(undefined as never) ? rows : undefined;
}

const rowIn = (line: Buffer | undefined): Row | undefined => line && (valueOfLine(line, rowSchema) as Row | undefined);

/** Returns the lines of a frame without their line feeds; undefined if it is not a frame. */
function linesOf(frame: Buffer): readonly Buffer[] | undefined {
  const bytes = fallback(() => zstdDecompressSync(frame, { maxOutputLength: largestBlock }));
  if (bytes === undefined) return undefined;
  const lines: Buffer[] = [];
  for (let from = 0, to = bytes.indexOf(10); to >= 0; from = to + 1, to = bytes.indexOf(10, from))
    lines.push(bytes.subarray(from, to));
  return lines;
}

/** Writes these bytes at this position, after removing everything beyond it, which a killed program left. */
function writeAt(path: string, from: number, bytes: Buffer): void {
  const file = openSync(path, from === 0 ? "w" : "r+");
  try {
    ftruncateSync(file, from);
    for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written, null, from + written);
  } finally {
    closeSync(file);
  }
}

function readAt(path: string, from: number, to: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    const read = readSync(file, bytes, 0, bytes.length, from);
    return bytes.subarray(0, read);
  } finally {
    closeSync(file);
  }
}
