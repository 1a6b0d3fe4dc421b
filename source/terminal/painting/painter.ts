/**
 * Writes what has changed on the screen, and nothing else: stretches of places in the rows that differ. It stands in place of
 * Ink's own output, which takes every text apart, puts the screen together from a cell for each place, counts the columns of
 * every line, and writes changed lines to their ends: at 200 columns that was most of the time of a frame, and of its bytes.
 */
import type { Frame, PlacedText } from "./surface.ts";
import { type ScreenLine, blankFrom, screenLine } from "./screen-line.ts";

export type Painted = {
  /** What brings the terminal from the frame before to this one; empty where nothing differs. */
  readonly output: string;
  /** How many rows were looked at place by place, and how many places were written. */
  readonly lines: number;
  readonly places: number;
};

/** So many unchanged places are written again, as moving over them costs as much. */
const bridge = 4;

export class Painter {
  readonly #columns: number;
  readonly #rows: { pieces: readonly PlacedText[]; line: ScreenLine }[];
  #output = "";
  #lines = 0;
  #places = 0;
  /** What the terminal is set to. */
  #style = "";
  #row = -1;
  #column = -1;

  /** For an empty screen of this size. */
  constructor(columns: number, rows: number) {
    this.#columns = columns;
    const line = screenLine([], columns);
    this.#rows = Array.from({ length: rows }, () => ({ pieces: [], line }));
  }

  paint(frame: Frame): Painted {
    this.#output = "";
    this.#lines = 0;
    this.#places = 0;
    // Where the cursor is now, others may have moved it.
    this.#row = -1;
    for (const [row, before] of this.#rows.entries()) {
      const pieces = frame[row] ?? [];
      if (arePieces(pieces, before.pieces)) continue;
      const line = screenLine(pieces, this.#columns);
      this.#lines++;
      this.#change(row, before.line, line);
      this.#rows[row] = { pieces, line };
    }
    this.#dress("");
    return { output: this.#output, lines: this.#lines, places: this.#places };
  }

  #change(row: number, before: ScreenLine, now: ScreenLine): void {
    const blank = blankFrom(now);
    let certain = Math.min(before.certain, now.certain);
    if (now.texts[certain] === "") certain--;
    let from = next(before, now, 0, certain);
    while (from < certain) {
      if (from >= blank) return this.#erase(row, blank);
      let to = from + 1;
      for (let other = next(before, now, to, certain); other < certain; other = next(before, now, to, certain)) {
        if (other - to > bridge || other >= blank) break;
        to = other + 1;
      }
      if (now.texts[to] === "") to++;
      this.#write(row, from, to, now);
      from = next(before, now, to, certain);
    }
    if (next(before, now, certain, this.#columns) === this.#columns) return;
    this.#erase(row, Math.min(blank, certain));
    if (certain >= blank) return;
    // A character that takes more columns than expected must not push the line into the next row.
    this.#output += "\x1b[?7l";
    this.#write(row, certain, blank, now);
    this.#output += "\x1b[?7h";
    this.#row = -1;
  }

  #write(row: number, from: number, to: number, { texts, styles }: ScreenLine): void {
    if (from >= to) return;
    this.#move(row, from);
    for (let column = from; column < to; column++) {
      if (texts[column] === "") continue;
      this.#dress(styles[column]!);
      this.#output += texts[column];
    }
    this.#places += to - from;
    this.#column = to;
    // After the last column the cursor is in this row for some terminals, and in the next one for others.
    if (to === this.#columns) this.#row = -1;
  }

  /** Everything from this column to the end of the row. */
  #erase(row: number, column: number): void {
    this.#move(row, column);
    // What is erased takes the ground that is set.
    this.#dress("");
    this.#output += "\x1b[K";
  }

  #move(row: number, column: number): void {
    const by = column - this.#column;
    if (row !== this.#row || by < 0) this.#output += `\x1b[${row + 1};${column + 1}H`;
    else if (by > 0) this.#output += `\x1b[${by}C`;
    this.#row = row;
    this.#column = column;
  }

  #dress(style: string): void {
    if (style === this.#style) return;
    if (this.#style === "") this.#output += style;
    else this.#output += style === "" ? "\x1b[m" : `\x1b[;${style.slice(2)}`;
    this.#style = style;
  }
}

/** The first column from `from` on where the lines differ, or `to`. */
function next(before: ScreenLine, now: ScreenLine, from: number, to: number): number {
  let column = from;
  while (column < to && before.texts[column] === now.texts[column] && before.styles[column] === now.styles[column])
    column++;
  return Math.min(column, to);
}

function arePieces(some: readonly PlacedText[], others: readonly PlacedText[]): boolean {
  if (some.length !== others.length) return false;
  return some.every(({ column, end, text }, index) => {
    const other = others[index]!;
    return text === other.text && column === other.column && end === other.end;
  });
}
