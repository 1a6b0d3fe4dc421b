import { paper } from "../../../look/paper.ts";
import type { Cell, TableColumn, TableFigure } from "../../figure.ts";
import { width, wrap } from "../../text/printable.ts";
import { columnHeads, foldedTitle, markedOnce } from "../column-heads.ts";
import { partsOf } from "../figure-parts.ts";
import { intervalText } from "../interval-text.ts";
import { visibleText } from "../markup.ts";
import { type Around, character, type Drawn, hover, line, markedText, rule, textMark, textWidth } from "./marks.ts";

/** Longer texts wrap. */
const longestText = 64;

/** A column in pixels: its start and end, and the end of its values, which aligns values and intervals. */
type Place = { readonly start: number; readonly end: number; readonly valueEnd: number };

/** Draws numbers in columns with their intervals; folds long texts and titles, so that a table of words fits a page. */
export function tablePicture({ columns, rows }: TableFigure, around: Around): Drawn {
  const heads = columnHeads(columns);
  const { values, intervals, lines } = roomOf(columns, rows);
  const titles = columns.map((column, index) => foldedTitle(column.title, values[index]!));
  const places = placesOf(columns, { values, intervals, titles });
  const whole = places.at(-1)?.end ?? 0;
  const text = (at: number, column: number, words: string, attributes = "", inValue = false) => {
    const { start, end, valueEnd } = places[column]!;
    const isRight = columns[column]!.align === "right";
    const x = isRight ? (inValue ? valueEnd : end) : start;
    return textMark(x, at + 14, words, `${isRight ? 'text-anchor="end" ' : ""}${attributes}`);
  };
  const shared = heads.flatMap((level, row) =>
    level.flatMap(({ title, from, count }) => {
      if (title === "") return [];
      const [start, end] = [places[from]!.start, places[from + count - 1]!.end];
      const middle = textMark((start + end) / 2, row * line + 14, title, 'text-anchor="middle" font-weight="bold"');
      return [middle, rule(start, (row + 1) * line, end, (row + 1) * line)];
    }),
  );
  const deepest = Math.max(1, ...titles.map((own) => own.length));
  const below = heads.length + deepest;
  const named = titles.flatMap((own, column) =>
    own.map((words, index) => text((below - own.length + index) * line, column, words, 'font-weight="bold"')),
  );
  let at = below * line;
  const marksOf = (row: readonly Cell[]) => {
    const texts = textsIn(row);
    const marks = row.map((cell, column) => {
      const interval = intervalText(cell);
      const attributes = attributesOf(cell);
      const words = texts[column]!.map((words, below) => text(at + below * line, column, words, attributes, true));
      if (interval !== undefined) words.push(text(at, column, interval, `fill="${paper.quiet}"`));
      return hover([row[0]!.text, columns[column]!.title], cell, around, ...words);
    });
    at += line * linesOf(texts);
    return marks;
  };
  const head = [...shared, ...named, rule(0, below * line + 2, whole, below * line + 2)];
  const marks = partsOf(head, rows.values().flatMap(marksOf));
  return { width: whole, height: (below + lines) * line + 6, marks };
}

/** Returns the lines of each cell of a row. */
const textsIn = (row: readonly Cell[]): readonly (readonly string[])[] =>
  markedOnce(row).map((cell) =>
    cell.value === undefined
      ? wrap(visibleText(markedText(cell)).replace(/\s+/g, " "), longestText)
      : [markedText(cell)],
  );

const linesOf = (texts: readonly (readonly string[])[]) => Math.max(1, ...texts.map((lines) => lines.length));

type Room = {
  /** Widest value, and widest interval, of each column in characters. */
  readonly values: readonly number[];
  readonly intervals: readonly number[];
  /** Number of lines of all rows. */
  readonly lines: number;
};

function roomOf(columns: readonly TableColumn[], rows: TableFigure["rows"]): Room {
  const [values, intervals] = [columns.map(() => 0), columns.map(() => 0)];
  let lines = 0;
  for (const row of rows) {
    const texts = textsIn(row);
    lines += linesOf(texts);
    for (const [column, cell] of row.entries()) {
      values[column] = Math.max(values[column]!, ...texts[column]!.map(width));
      intervals[column] = Math.max(intervals[column]!, width(intervalText(cell) ?? ""));
    }
  }
  return { values, intervals, lines };
}

type Texts = Omit<Room, "lines"> & { readonly titles: readonly (readonly string[])[] };

function placesOf(columns: readonly TableColumn[], { values, intervals, titles }: Texts): readonly Place[] {
  const besides = intervals.map((characters) => (characters === 0 ? 0 : (characters + 1) * character));
  const wide = columns.map((_, column) =>
    Math.max(values[column]! * character + besides[column]!, ...titles[column]!.map(textWidth)),
  );
  const gap = 2 * character;
  // A title over several columns may need more room than they have.
  for (const { title, from, count } of columnHeads(columns).flat()) {
    const room = wide.slice(from, from + count).reduce((sum, each) => sum + each + gap, -gap);
    wide[from + count - 1]! += Math.max(0, textWidth(title) - room);
  }
  let start = 0;
  return wide.map((each, column) => {
    const end = start + each;
    const place = { start, end, valueEnd: end - besides[column]! };
    start = end + gap;
    return place;
  });
}

function attributesOf({ reported, rank, faint }: Cell): string {
  return [
    ...(reported === true ? ['font-style="italic"'] : []),
    ...(rank === 1 ? ['font-weight="bold"'] : []),
    ...(rank === 2 ? ['text-decoration="underline"'] : []),
    ...(faint === true ? [`fill="${paper.quiet}"`] : []),
  ].join(" ");
}
