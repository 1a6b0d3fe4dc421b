/** Figures as SVG pictures, readable on white paper and without colour. */
import {
  type BarsFigure,
  type Cell,
  type Figure,
  type GridFigure,
  type LinesFigure,
  type PointsFigure,
  shortfallOf,
  type TableFigure,
} from "../figure.ts";
import { ticksBetween } from "./axis-ticks.ts";
import { columnHeads } from "./column-heads.ts";
import type { TaskRef } from "../types.ts";
import { type Parts, textless, textsOf } from "./figure-parts.ts";
import { intervalText } from "./interval-text.ts";
import { barNote, barTicks, whiskerNote } from "./drawing/bars.ts";
import { isEmpty } from "./drawing/draw-figure.ts";
import { barName } from "./drawing/stops.ts";
import type { ColourOf } from "./drawing/drawing.ts";
import { isPrinted, whiskerPlaces } from "./drawing/plot.ts";
import { escapeMarkup } from "./markup.ts";
import { heatAt, hexOf, inkOn, palettes, white } from "./palette.ts";
import { wrap } from "../text/printable.ts";
import { shapeMark } from "./svg-shapes.ts";
import { areShownInPercent } from "./shown-in-percent.ts";
import { eachInTurn } from "../work/pieces.ts";
import { unitNote, valueAxis } from "./unit-note.ts";

const line = 18;
const character = 7.2;
const { light } = palettes;
/** Notes below a figure have so much room at least. */
const leastWidth = 480;
/** The colour of a series: that of its run, else by its place. */
const strokeOf = (number: number) => hexOf(light.series[number % light.series.length]!);

type Drawn = { readonly width: number; readonly height: number; readonly marks: Iterable<string> };

type Around = {
  /** Attributes of what is drawn for these tasks, such as ` data-tasks="1-5"`; the page around the picture reads them. */
  behind(tasks: readonly TaskRef[] | undefined): string;
  readonly colourOf: ColourOf;
};

const alone: Around = { behind: () => "", colourOf: () => undefined };

/** Values stand beside their marks where they are read, and with what they rest on under the pointer (`<title>`). */
export function figureSvg(...given: Parameters<typeof svgParts>): string {
  return [...svgParts(...given)].join("");
}

/** The same part by part. */
export function* svgParts(figure: Figure, warnings: readonly string[], around: Partial<Around> = {}): Parts {
  const { width, height, marks } = yield* draw(figure, { ...alone, ...around });
  const unit = unitNote(figure);
  const notes = [...warnings, ...figure.notes, ...(unit === undefined ? [] : [unit])];
  const across = Math.max(width, figure.title.length * character * 1.15, leastWidth);
  const lines = notes.flatMap((note) => wrap(note, Math.floor(across / (character * 0.85))));
  const whole = across + 24;
  const tall = height + 44 + lines.length * 15;
  yield [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${round(whole)}" height="${round(tall)}" font-family="monospace" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    textMark(12, 22, figure.title, 'font-weight="bold" font-size="14"'),
    `<g transform="translate(12,36)">`,
  ].join("\n");
  yield* textsOf(marks, (mark, at) => `${at === 0 ? "" : "\n"}${mark}`);
  yield [
    "</g>",
    ...lines.map((note, index) => textMark(12, height + 54 + index * 15, note, 'fill="#555" font-size="10"')),
    "</svg>",
    "",
  ].join("\n");
}

function* draw(figure: Figure, around: Around): Parts<Drawn> {
  if (isEmpty(figure)) return { width: 60, height: line, marks: [textMark(0, 14, "none", 'fill="#595959"')] };
  switch (figure.kind) {
    case "table":
      return yield* drawTable(figure, around);
    case "grid":
      return drawGrid(figure, around);
    case "bars":
      return drawBars(figure, around);
    case "lines":
      return drawLines(figure, around);
    case "points":
      return drawPoints(figure, around);
    default:
      return figure satisfies never;
  }
}

const round = (value: number) => Number(value.toFixed(2));
const textMark = (x: number, y: number, text: string, attributes = "") =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeMarkup(text)}</text>`;
const rule = (x1: number, y1: number, x2: number, y2: number, stroke = "#999") =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"/>`;

function* drawTable({ columns, rows }: TableFigure, around: Around): Parts<Drawn> {
  const heads = columnHeads(columns);
  const longest = columns.map(({ title }) => title.length);
  const measure = (row: readonly Cell[]) => {
    for (const [column, cell] of row.entries()) longest[column] = Math.max(longest[column] ?? 0, textIn(cell).length);
  };
  yield* textless(eachInTurn(rows, measure));
  const widths = columns.map((_, column) => (longest[column]! + 2) * character);
  const startOf = (column: number) => widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  for (const { title, from, count } of heads.flat()) {
    const missing = (title.length + 2) * character - (startOf(from + count) - startOf(from));
    widths[from + count - 1]! += Math.max(0, missing);
  }
  const field = (text: string, row: number, column: number, attributes = "") => {
    const isRight = columns[column]?.align === "right";
    const x = startOf(column) + (isRight ? widths[column]! - character : 0);
    return textMark(x, row * line + 14, text, `${isRight ? 'text-anchor="end" ' : ""}${attributes}`);
  };
  const width = startOf(columns.length);
  const top = heads.length;
  const shared = heads.flatMap((level, row) =>
    level.flatMap(({ title, from, count }) => {
      if (title === "") return [];
      const [start, end] = [startOf(from) + character, startOf(from + count) - character];
      const text = textMark((start + end) / 2, row * line + 14, title, 'text-anchor="middle" font-weight="bold"');
      return [text, rule(start, (row + 1) * line, end, (row + 1) * line)];
    }),
  );
  const marks = [
    ...shared,
    ...columns.map(({ title }, index) => field(title, top, index, 'font-weight="bold"')),
    rule(0, (top + 1) * line + 2, width, (top + 1) * line + 2),
  ];
  const all = function* (): Iterable<string> {
    yield* marks;
    for (const [index, row] of rows.entries())
      for (const [column, cell] of row.entries()) {
        const names = [row[0]!.text, columns[column]!.title];
        yield hover(names, cell, around, field(textIn(cell), top + index + 1, column, attributesOf(cell)));
      }
  };
  return { width, height: (top + rows.length + 1) * line + 6, marks: all() };
}

const textIn = (cell: Cell) => [markedText(cell), intervalText(cell) ?? ""].join(" ").trimEnd();

/** A mark with what it stands for, its value and what that rests on under the pointer. */
function hover(names: readonly string[], cell: Cell, { behind }: Around, ...marks: readonly string[]): string {
  const about = [
    names.filter((name) => name !== "").join(", "),
    markedText(cell),
    intervalText(cell) ?? "",
    cell.n === undefined ? "" : `n ${cell.n}`,
    cell.note ?? "",
  ];
  const text = about.filter((part) => part !== "").join(" · ");
  return `<g${behind(cell.tasks)}><title>${escapeMarkup(text)}</title>${marks.join("")}</g>`;
}

/** With `~` before what rests on few tasks, and how few these are. */
function markedText(cell: Cell): string {
  const short = shortfallOf(cell);
  return `${cell.faint === true ? "~" : ""}${cell.text}${short === undefined ? "" : ` (${short})`}`;
}

function attributesOf({ reported, rank, faint }: Cell): string {
  return [
    ...(reported === true ? ['font-style="italic"'] : []),
    ...(rank === 1 ? ['font-weight="bold"'] : []),
    ...(rank === 2 ? ['text-decoration="underline"'] : []),
    ...(faint === true ? ['fill="#595959"'] : []),
  ].join(" ");
}

function drawGrid({ x, y, cells, range }: GridFigure, around: Around): Drawn {
  const left = Math.max(y.label.length, ...y.ticks.map((tick) => tick.length)) * character + 10;
  const texts = cells.flatMap((row) => row.map((cell) => (cell === undefined ? "" : markedText(cell))));
  const wide = Math.max(72, ...texts.map((text) => (text.length + 1) * character));
  const high = 40;
  const marks = [textMark(left, 12, x.label, 'font-style="italic"'), textMark(0, 28, y.label, 'font-style="italic"')];
  for (const [column, tick] of x.ticks.entries())
    marks.push(textMark(left + column * wide + wide / 2, 28, tick, 'text-anchor="middle"'));
  for (const [row, tick] of y.ticks.entries()) {
    const top = 34 + row * high;
    marks.push(textMark(left - 8, top + high / 2 + 4, tick, 'text-anchor="end"'));
    for (const [column, cell] of (cells[row] ?? []).entries()) {
      if (cell === undefined) continue;
      const share =
        cell.value === undefined ? 0 : Math.min(1, Math.max(0, (cell.value - range[0]) / (range[1] - range[0] || 1)));
      const step = cell.value === undefined ? white : heatAt(light, share);
      const fill = cell.value === undefined ? "#eee" : hexOf(step);
      const start = left + column * wide;
      const dash = cell.faint === true ? ' stroke="#888" stroke-dasharray="3 2"' : ' stroke="white"';
      const ink = `fill="${hexOf(inkOn(step))}"`;
      const counted = `text-anchor="middle" font-size="10" ${ink}`;
      marks.push(
        hover(
          [`${y.label} ${tick}`, `${x.label} ${x.ticks[column]!}`],
          cell,
          around,
          `<rect x="${round(start)}" y="${round(top)}" width="${wide}" height="${high}" fill="${fill}"${dash}/>`,
          textMark(start + wide / 2, top + 17, markedText(cell), `text-anchor="middle" ${ink}`),
          cell.n === undefined ? "" : textMark(start + wide / 2, top + 32, `n ${cell.n}`, counted),
        ),
      );
    }
  }
  return { width: left + x.ticks.length * wide, height: 40 + y.ticks.length * high, marks };
}

function drawBars(figure: BarsFigure, around: Around): Drawn {
  const { title, bars, max } = figure;
  const left = Math.max(4, ...bars.map((bar) => barName(bar).length)) * character + 10;
  const most = max ?? Math.max(1e-12, ...bars.flatMap(({ cell, high }) => [cell.value ?? 0, high ?? 0]));
  const at = (value: number) => left + (value / most) * 360;
  // Bars of one run have its colour; of several, each its own.
  const ofAll = around.colourOf(title) ?? 0;
  const marks: string[] = [];
  for (const [index, bar] of bars.entries()) {
    const { label, cell, low, high } = bar;
    const top = index * (line + 4);
    const end = Math.max(cell.value ?? 0, high ?? 0);
    const wide = round(Math.max(0, at(cell.value ?? 0) - left));
    const whisker = low !== undefined && high !== undefined;
    const shown = { ...cell, ...(whisker && { low, high }) };
    marks.push(
      hover(
        [barName(bar)],
        shown,
        around,
        textMark(left - 8, top + 14, barName(bar), 'text-anchor="end"'),
        `<rect x="${round(left)}" y="${top + 3}" width="${wide}" height="14" fill="${cell.reported === true ? "#bbb" : strokeOf(around.colourOf(label) ?? ofAll)}"/>`,
        whisker ? rule(at(low), top + 10, at(high), top + 10, "black") : "",
        textMark(at(end) + 6, top + 14, markedText(cell), cell.faint === true ? 'fill="#595959"' : ""),
      ),
    );
  }
  const foot = bars.length * (line + 4);
  const ticks = barTicks(figure, most).flatMap((tick) => [
    rule(at(tick.at), foot, at(tick.at), foot + 4),
    textMark(at(tick.at), foot + 16, tick.text, 'text-anchor="middle"'),
  ]);
  const axes = [rule(left, 0, left, foot), rule(left, foot, at(most), foot), ...ticks];
  const named = textMark(left, foot + 32, barNote(figure), 'font-style="italic"');
  return { width: left + 460, height: foot + 36, marks: [...marks, ...axes, named] };
}

function drawLines(figure: LinesFigure, around: Around): Drawn {
  const { series, x } = figure;
  const all = series.flatMap(({ points }) => points);
  const plot = frame(
    all.map((point) => point.x),
    all.flatMap(({ cell, low, high }) => [cell.value ?? 0, low ?? cell.value ?? 0, high ?? cell.value ?? 0]),
    x,
    valueAxis(figure),
    areShownInPercent(all.map(({ cell }) => cell)) ? 100 : 1,
  );
  const marks = [...plot.marks];
  const placeOf = whiskerPlaces(series);
  for (const [index, { label, points }] of series.entries()) {
    const stroke = strokeOf(around.colourOf(label) ?? index);
    const shown = points.filter(({ cell }) => cell.value !== undefined);
    const printed = isPrinted({ points });
    marks.push(
      `<polyline fill="none" stroke="${stroke}"${printed ? ' stroke-dasharray="4 3"' : ""} points="${shown.map((point) => `${round(plot.x(point.x))},${round(plot.y(point.cell.value!))}`).join(" ")}"/>`,
    );
    for (const { x: at, cell, low, high } of shown) {
      const ink = cell.faint === true || printed ? `fill="white" stroke="${stroke}"` : `fill="${stroke}"`;
      const ended = { ...cell, ...(low !== undefined && high !== undefined && { low, high }) };
      const mark = shapeMark(index, plot.x(at), plot.y(cell.value!), 4, ink);
      marks.push(hover([label, `${x} ${at}`], ended, around, mark));
      const short = shortfallOf(cell);
      if (short !== undefined) marks.push(textMark(plot.x(at) + 5, plot.y(cell.value!) - 5, `(${short})`));
      if (low === undefined || high === undefined) continue;
      const beside = plot.x(at) + placeOf(at, index) * 3;
      marks.push(rule(beside, plot.y(low), beside, plot.y(high), stroke));
    }
    const ink = printed ? `fill="white" stroke="${stroke}"` : `fill="${stroke}"`;
    marks.push(...legendEntry(plot, index, label, ink, `fill="${stroke}"${printed ? ' font-style="italic"' : ""}`));
  }
  if (all.some(({ low, high }) => low !== undefined && high !== undefined))
    marks.push(textMark(0, plot.height - 4, whiskerNote, 'font-style="italic"'));
  return besideLegend(
    plot,
    series.map(({ label }) => label),
    marks,
  );
}

/** A mark and what it stands for, beside the plot, in the line of its number. */
function legendEntry(plot: Frame, number: number, label: string, ink: string, ofText: string): readonly string[] {
  const foot = 14 + number * line;
  return [shapeMark(number, plot.width + 12, foot - 4, 4, ink), textMark(plot.width + 22, foot, label, ofText)];
}

/** A plot with entries of these labels at its right. */
function besideLegend(plot: Frame, labels: readonly string[], marks: Iterable<string>): Drawn {
  return {
    width: plot.width + 30 + Math.max(0, ...labels.map((label) => label.length)) * character,
    height: Math.max(plot.height, labels.length * line),
    marks,
  };
}

/** Of groups that are as many as toolkits, a legend names the first. */
const mostInLegend = 15;

function drawPoints({ points, x, y }: PointsFigure, around: Around): Drawn {
  const plot = frame(
    points.map((point) => point.x),
    points.map((point) => point.y),
    x,
    y,
  );
  const groups = [...new Set(points.map(({ group }) => group))];
  const numbers = new Map(groups.map((group, number) => [group, number]));
  const inkOfGroup = (number: number) => `fill="${strokeOf(number)}"`;
  const markOf = (point: PointsFigure["points"][number]) => {
    const number = numbers.get(point.group)!;
    const mark = shapeMark(number, plot.x(point.x), plot.y(point.y), 3, inkOfGroup(number));
    const cell = { text: point.label, ...(point.tasks !== undefined && { tasks: point.tasks }) };
    return hover([point.group], cell, around, mark);
  };
  const named = groups.slice(0, mostInLegend);
  const legend = named.flatMap((group, number) =>
    legendEntry(plot, number, group, inkOfGroup(number), inkOfGroup(number)),
  );
  const others = groups.length - named.length;
  if (others > 0) legend.push(textMark(plot.width + 22, 14 + named.length * line, `and ${others} more`));
  const all = function* (): Iterable<string> {
    yield* plot.marks;
    yield* legend;
    for (const point of points) yield markOf(point);
  };
  return besideLegend(plot, named, all());
}

/** Smallest and largest; 0 and 0 of nothing. A loop, for there may be more points than a call takes arguments. */
function ends(values: readonly number[]): readonly [number, number] {
  let [least = 0, most = 0] = [values[0], values[0]];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

type Frame = ReturnType<typeof frame>;

/** Two axes with their numbers, those of y times `factor`: shares are shown in percent where their texts are. */
function frame(xs: readonly number[], ys: readonly number[], xLabel: string, yLabel: string, factor = 1) {
  const [width, height, left, bottom] = [480, 280, 56, 36];
  const [x0, x1] = ends(xs);
  const [y0, y1] = ends([0, ...ys]);
  const x = (value: number) => left + 12 + ((value - x0) / (x1 - x0 || 1)) * (width - left - 24);
  const y = (value: number) => height - bottom - ((value - y0) / (y1 - y0 || 1)) * (height - bottom - 12);
  const own = [...new Set(xs)].toSorted((a, b) => a - b);
  const marks = [
    rule(left, height - bottom, width, height - bottom),
    rule(left, 0, left, height - bottom),
    ...(own.length > 8 ? ticksBetween(x0, x1, 6) : own).map((tick) =>
      textMark(x(tick), height - bottom + 15, String(Number(tick.toPrecision(6))), 'text-anchor="middle"'),
    ),
    ...ticksBetween(y0 * factor, y1 * factor, 5).map((tick) =>
      textMark(left - 6, y(tick / factor) + 4, String(tick), 'text-anchor="end"'),
    ),
    textMark((left + width) / 2, height - 4, xLabel, 'text-anchor="middle" font-style="italic"'),
    textMark(left + 4, 10, yLabel, 'font-style="italic"'),
  ];
  return { width, height, x, y, marks };
}
