import { type Cell, type GridFigure, shortfallOf } from "../../figure.ts";
import { counted } from "../../text/counted.ts";
import { fitMiddle, pad, printable, width } from "../../text/printable.ts";
import { areShownInPercent } from "../interval-text.ts";
import type { DrawOptions, Drawing } from "./drawing.ts";
import type { Line, Span } from "./line.ts";
import { symbolsOf } from "../../../look/signs.ts";
import { cellText } from "./cell-text.ts";
import { isExact, screenText } from "./screen-text.ts";
import { gridNames } from "./stops.ts";
import { columnsToTellApart } from "./told-apart.ts";

/** Draws a heat map with one line per row. Each field shows its value and `n`, so that it is readable without colour. */
export function drawGrid(figure: GridFigure, options: DrawOptions): Drawing {
  const { x, y, cells } = figure;
  const symbols = symbolsOf(options.ascii);
  const { counts, texts, ticks, side, fields, loose, shown } = gridLayout(figure, options);
  const head: Line[] = [
    [
      { text: ` ${printable(y.label)} ${symbols.down}  ${printable(x.label)} ${symbols.right2}`, style: "faint" },
      { text: counts.beside === "all" ? `   n ${counts.n} each` : "", style: "faint" },
    ],
    [
      { text: " ".repeat(side + 1) },
      ...shown.map((column) => ({
        text: ` ${pad(printable(x.ticks[column]!), fields[column]!, "right")}${" ".repeat(loose)}`,
        style: "strong" as const,
      })),
    ],
  ];
  const isAt = (row: number, column: number) => options.at?.row === row && options.at.column === column;
  const body = ticks.map((tick, row): Line => [
    isAt(row, 0) ? markOf(true, options) : { text: " " },
    { text: pad(fitMiddle(tick, side), side, "right"), style: "strong", ...(isAt(row, 0) && { selected: true }) },
    ...shown.flatMap((column) => {
      const selected = isAt(row, column + gridNames);
      const text = `${pad(texts[row]?.[column] ?? "", fields[column]!, "right")}${" ".repeat(loose)}`;
      return drawField(figure, cells[row]?.[column], text, selected, options);
    }),
  ]);
  const foot = [scaleLine(figure, options)];
  if (shown.length < x.ticks.length) {
    foot.push([{ text: ` ${symbols.more} ${counted(x.ticks.length - shown.length, "more column")}`, style: "faint" }]);
  }
  return { head, body, foot };
}

/** Returns the indexes of the columns that fit around the cursor. */
export const fittingFields = (figure: GridFigure, options: DrawOptions) => gridLayout(figure, options).shown;

/**
 * Widths are in columns of the terminal: `side` of the row names, `fields` of the values, `loose` of the blank after each value.
 */
function gridLayout(figure: GridFigure, options: DrawOptions) {
  const { x, y, cells } = figure;
  const counts = countsOf(figure);
  const texts = cells.map((row) => row.map((cell) => fieldText(figure, cell, counts.beside === "cell", options)));
  const ticks = y.ticks.map((tick, row) => {
    const n = counts.beside === "row" ? counts.ofRow[row] : undefined;
    return n === undefined ? printable(tick) : countedText(printable(tick), n, options);
  });
  const side = Math.min(Math.max(...ticks.map(width)), columnsToTellApart(ticks, 24));
  const fields = x.ticks.map((tick, column) =>
    Math.max(3, width(printable(tick)), ...texts.map((row) => width(row[column] ?? ""))),
  );
  const room = Math.max(1, options.width - side - 2);
  // Pads the background of each value by a column if all fields have room.
  const loose = fields.reduce((sum, each) => sum + each + 2, 0) <= room ? 1 : 0;
  const shown = shownFields(
    fields.map((each) => each + 1 + loose),
    room,
    Math.max(0, (options.at?.column ?? 0) - gridNames),
  );
  return { counts, texts, ticks, side, fields, loose, shown };
}

/** The position of `n`: once if all values share it, per row if each row has a single number, otherwise in every field. */
type Counts =
  | { readonly beside: "all"; readonly n: number }
  | { readonly beside: "row"; readonly ofRow: readonly (number | undefined)[] }
  | { readonly beside: "cell" };

function countsOf({ cells }: GridFigure): Counts {
  const rows = cells.map((row) => new Set(row.flatMap((cell) => (cell === undefined ? [] : [cell.n]))));
  const all = new Set(rows.flatMap((row) => [...row]));
  const [n] = all;
  if (all.has(undefined) || n === undefined) return { beside: "cell" };
  if (all.size === 1) return { beside: "all", n };
  if (rows.some((row) => row.size > 1)) return { beside: "cell" };
  return { beside: "row", ofRow: rows.map(([own]) => own) };
}

/**
 * Returns text such as `71.4 (7)`, or `71 n 7` on a screen; omits the count if the text already contains a count, such as `(1 of
 * 10)`.
 */
function fieldText(figure: GridFigure, cell: Cell | undefined, counts: boolean, options: DrawOptions): string {
  const { ascii, screen } = options;
  if (cell === undefined) return symbolsOf(ascii).dot;
  const isPrinted = cell.reported === true ? ` ${symbolsOf(ascii).reported}` : "";
  const value = screen === undefined ? cellText(cell, ascii) : `${screenText(cell, isExact(figure))}${isPrinted}`;
  return !counts || cell.n === undefined || shortfallOf(cell) !== undefined
    ? value
    : countedText(value, cell.n, options);
}

const countedText = (text: string, n: number, { screen }: DrawOptions): string =>
  screen === undefined ? `${text} (${n})` : `${text} n ${n}`;

function markOf(selected: boolean, { ascii }: DrawOptions): Span {
  return { text: selected ? symbolsOf(ascii).pointer : " ", style: "accent" };
}

/** Draws the cursor before the field that has it. */
function drawField(
  figure: GridFigure,
  cell: Cell | undefined,
  text: string,
  selected: boolean,
  options: DrawOptions,
): readonly Span[] {
  const style = cell === undefined || cell.faint === true ? "faint" : cell.reported === true ? "reported" : "plain";
  const heat = cell && heatOf(figure, cell);
  return [
    markOf(selected, options),
    {
      text,
      style,
      ...(selected && { selected }),
      ...(heat !== undefined && { heat, ...(options.screen !== undefined && weightOf(cell)) }),
    },
  ];
}

/** Returns the weight of a value: the fewer tasks it has, the closer its colour is to the background. */
const weightOf = ({ faint, n = 0 }: Cell = { text: "" }): Pick<Span, "weight"> =>
  faint === true ? { weight: leastWeight + (1 - leastWeight) * Math.min(1, n / enough) } : {};
const leastWeight = 0.35;
/** Values of as many tasks are not muted. */
const enough = 10;

function heatOf({ range: [low, high] }: GridFigure, { value }: Cell): number | undefined {
  if (value === undefined || !(high > low)) return undefined;
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

/** Returns as many columns of these widths as fit, including the cursor's. */
function shownFields(widths: readonly number[], room: number, cursor = 0): readonly number[] {
  const from = firstShown();
  let left = room;
  const rest = widths.slice(from).findIndex((wide) => (left -= wide) < 0);
  const until = rest < 0 ? widths.length : from + Math.max(1, rest);
  return Array.from({ length: until - from }, (_, index) => from + index);

  /** Returns the first column from which the cursor's is visible. */
  function firstShown(): number {
    let first = Math.min(cursor, widths.length - 1);
    let used = widths[first] ?? 0;
    while (first > 0 && used + widths[first - 1]! <= room) used += widths[--first]!;
    return Math.max(0, first);
  }
}

/** Draws the scale, on a screen in colours also as the values of fewest and of most muted tasks have it. */
function scaleLine(
  { cells, range: [low, high], plain = false }: GridFigure,
  { screen, width: room }: DrawOptions,
): Line {
  const all = cells.flatMap((row) => row.flatMap((cell) => cell ?? []));
  const percent = !plain && areShownInPercent(all);
  const name = (value: number) =>
    percent ? String(Math.round(value * 1000) / 10) : String(Math.round(value * 100) / 100);
  const scale = ` scale ${name(low)} to ${name(high)}${percent ? " %" : ""} `;
  const counts = all.flatMap(({ faint, value, n = 0 }) =>
    screen === "colour" && faint === true && value !== undefined && n < enough ? [n] : [],
  );
  const ends = counts.length === 0 ? [] : [...new Set([Math.min(...counts), Math.max(...counts)])];
  const names = ends.map((n) => ` n ${n} `);
  const wide = width([scale, ...names].join("")) + steps * (ends.length + 2) <= room ? 2 : 1;
  return [
    { text: scale, style: "faint" },
    ...blocks(wide),
    ...ends.flatMap((n, at): Line => [
      { text: names[at]!, style: "faint" },
      ...blocks(1, weightOf({ text: "", faint: true, n })),
    ]),
  ];
}

const steps = 8;
const blocks = (wide: number, weight: Pick<Span, "weight"> = {}): Span[] =>
  Array.from({ length: steps }, (_, step) => ({ text: " ".repeat(wide), heat: (step + 0.5) / steps, ...weight }));
