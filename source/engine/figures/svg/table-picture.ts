import type { Cell, TableColumn, TableFigure } from "../../figure.ts";
import { width, wrap } from "../../text/printable.ts";
import { columnHeads } from "../column-heads.ts";
import { foldedTitle } from "../folded-title.ts";
import { intervalText } from "../interval-text.ts";
import { markedOnce } from "../marked-once.ts";
import { visibleText } from "../markup.ts";
import {
  type Around,
  character,
  type Drawn,
  hover,
  line,
  markedText,
  quiet,
  rule,
  textMark,
  textWidth,
} from "./marks.ts";

/** Longer texts go on in another line. */
const longestText = 64;

/** A column in pixels: where it begins, and its end; the ends of intervals stand below each other, and so do their values. */
type Place = { readonly start: number; readonly end: number; readonly valueEnd: number };

/** Numbers in columns, with intervals beside them; long texts and titles folded, so that a table of words is no wider than a page. */
export function tablePicture({ columns, rows }: TableFigure, around: Around): Drawn {
  const heads = columnHeads(columns);
  const texts = rows.map((row) => markedOnce(row).map(linesOf));
  const titles = columns.map((column, index) => foldedTitle(column.title, longest(texts, index)));
  const places = placesOf(columns, { rows, texts, titles });
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
  const marks = [...shared, ...named, rule(0, below * line + 2, whole, below * line + 2)];
  let at = below * line;
  for (const [index, row] of rows.entries()) {
    for (const [column, cell] of row.entries()) {
      const interval = intervalText(cell);
      const attributes = attributesOf(cell);
      const words = texts[index]![column]!.map((words, below) =>
        text(at + below * line, column, words, attributes, true),
      );
      if (interval !== undefined) words.push(text(at, column, interval, `fill="${quiet}"`));
      marks.push(hover([row[0]!.text, columns[column]!.title], cell, around, ...words));
    }
    at += line * Math.max(1, ...texts[index]!.map((lines) => lines.length));
  }
  return { width: whole, height: at + 6, marks };
}

const linesOf = (cell: Cell): readonly string[] =>
  cell.value === undefined ? wrap(visibleText(markedText(cell)).replace(/\s+/g, " "), longestText) : [markedText(cell)];

/** Columns of the widest of the texts in a column. Not as arguments of one call: there may be a hundred thousand rows. */
function longest(texts: readonly (readonly (readonly string[])[])[], column: number): number {
  return texts.reduce(
    (most, row) => (row[column] ?? []).reduce((widest, words) => Math.max(widest, width(words)), most),
    0,
  );
}

type Texts = {
  readonly rows: TableFigure["rows"];
  readonly texts: readonly (readonly (readonly string[])[])[];
  readonly titles: readonly (readonly string[])[];
};

function placesOf(columns: readonly TableColumn[], { rows, texts, titles }: Texts): readonly Place[] {
  const values = columns.map((_, column) => longest(texts, column) * character);
  const intervals = columns.map((_, column) =>
    rows.reduce(
      (most, row) => Math.max(most, textWidth(row[column] === undefined ? "" : (intervalText(row[column]) ?? ""))),
      0,
    ),
  );
  const wide = columns.map((_, column) => {
    const beside = intervals[column]! === 0 ? 0 : intervals[column]! + character;
    return Math.max(values[column]! + beside, ...titles[column]!.map(textWidth));
  });
  const gap = 2 * character;
  // A title over several columns wants room of its own.
  for (const { title, from, count } of columnHeads(columns).flat()) {
    const room = wide.slice(from, from + count).reduce((sum, each) => sum + each + gap, -gap);
    wide[from + count - 1]! += Math.max(0, textWidth(title) - room);
  }
  let start = 0;
  return wide.map((each, column) => {
    const end = start + each;
    const beside = intervals[column]! === 0 ? 0 : intervals[column]! + character;
    const place = { start, end, valueEnd: end - beside };
    start = end + gap;
    return place;
  });
}

function attributesOf({ reported, rank, faint }: Cell): string {
  return [
    ...(reported === true ? ['font-style="italic"'] : []),
    ...(rank === 1 ? ['font-weight="bold"'] : []),
    ...(rank === 2 ? ['text-decoration="underline"'] : []),
    ...(faint === true ? [`fill="${quiet}"`] : []),
  ].join(" ");
}
