/**
 * Writes only the parts of rows that changed. It replaces Ink's own output, which parses every text, builds the screen
 * cell by cell, measures every line and rewrites changed lines to their ends: at 200 columns that took most of the time
 * and bytes of a frame.
 */
import { inkSequence, showsOnBlank, noInk, inkAfter } from "../../look/inks.ts";
import type { Frame, PlacedText } from "./surface.ts";
import { forEachCluster } from "../../engine/text/printable.ts";

export type Painted = {
  /** The output that turns the previous frame into this frame; empty if they are equal. */
  readonly output: string;
  /** Counts of rows compared by place, and of places written. */
  readonly lines: number;
  readonly places: number;
};

/** Maximum number of unchanged positions that are rewritten, because skipping them costs as much. */
const bridge = 4;

export class Painter {
  readonly #columns: number;
  readonly #rows: { pieces: readonly PlacedText[]; line: ScreenLine }[];
  #output = "";
  #lines = 0;
  #places = 0;
  /** The present style of the terminal. */
  #style = "";
  #row = -1;
  #column = -1;

  /** Starts with an empty screen of this size. */
  constructor(columns: number, rows: number) {
    this.#columns = columns;
    const line = screenLine([], columns);
    this.#rows = Array.from({ length: rows }, () => ({ pieces: [], line }));
  }

  paint(frame: Frame): Painted {
    this.#output = "";
    this.#lines = 0;
    this.#places = 0;
    // The cursor may have been moved by others.
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
    // After the last column, some terminals keep the cursor in this row and others move it to the next.
    if (to === this.#columns) this.#row = -1;
  }

  /** Erases from this column to the end of the row. */
  #erase(row: number, column: number): void {
    this.#move(row, column);
    // Erased places get the present background.
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
    else this.#output += style === "" ? noInk : inkAfter(style);
    this.#style = style;
  }
}

/** Returns the first column from `from` on in which the lines differ, or `to`. */
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

type ScreenLine = {
  /** The text of each column: a character with its combining marks; "" in the right half of a wide character. */
  readonly texts: readonly string[];
  /** The colour sequences of each column, starting from the default style. */
  readonly styles: readonly string[];
  /**
   * The first column with a character whose width differs between terminals, after which columns are uncertain; the
   * number of columns if there is none.
   */
  readonly certain: number;
};

const colour = inkSequence();

/** Builds a row from these parts; later parts cover earlier parts. */
function screenLine(pieces: readonly PlacedText[], columns: number): ScreenLine {
  const texts = Array.from({ length: columns }, () => " ");
  const styles = Array.from({ length: columns }, () => "");
  let certain = columns;
  for (const { column, end, text } of pieces) place(text, column, Math.min(end, columns));
  return { texts, styles, certain };

  function place(text: string, column: number, end: number): void {
    let style = "";
    let at = column;
    for (let from = 0; from < text.length && at < end;) {
      colour.lastIndex = from;
      const sequence = colour.exec(text);
      if (sequence !== null) {
        style = sequence[1] === "0" || sequence[1] === "" ? "" : style + sequence[0];
        from += sequence[0].length;
        continue;
      }
      const next = text.indexOf("\x1b[", from + 1);
      const to = next < 0 ? text.length : next;
      forEachCluster(text.slice(from, to), (cluster, wide) => {
        if (at + wide > end) at = end;
        else if (wide > 0) set(at, cluster, wide, style);
        else if (at > column) join(texts[at - 1] === "" ? at - 2 : at - 1, cluster);
        at += wide;
      });
      from = to;
    }
  }

  function set(at: number, cluster: string, wide: number, style: string): void {
    // Overwriting half of a wide character removes all of it.
    if (texts[at] === "") texts[at - 1] = " ";
    if (texts[at + wide] === "") texts[at + wide] = " ";
    texts[at] = cluster;
    styles[at] = cluster === " " && !showsOnBlank.test(style) ? "" : style;
    if (wide === 2) {
      texts[at + 1] = "";
      styles[at + 1] = style;
    }
    if (!isCertain(cluster, wide)) certain = Math.min(certain, at);
  }

  function join(at: number, mark: string): void {
    texts[at] += mark;
    certain = Math.min(certain, at);
  }
}

/** Returns true if every terminal agrees on this width; emoji and combined characters vary. */
function isCertain(cluster: string, wide: number): boolean {
  if (cluster.length !== 1) return false;
  return wide === 1 || cluster >= "\u2e80";
}

/** Returns the column after the last visible one. */
function blankFrom({ texts, styles }: ScreenLine): number {
  let column = texts.length;
  while (column > 0 && texts[column - 1] === " " && styles[column - 1] === "") column--;
  return column;
}
