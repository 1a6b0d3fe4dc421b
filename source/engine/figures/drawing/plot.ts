/** Draws lines and points on two axes with tick numbers. */
import { frontierGroup, type LinesFigure, type PointsFigure } from "../../figure.ts";
import { ticksBetween } from "../axis-ticks.ts";
import { ceilingName, type CeilingPath, ceilingPaths } from "../ceiling.ts";
import { whiskerNote } from "./bars.ts";
import { fitMiddle, pad, printable, width } from "../../text/printable.ts";
import { areShownInPercent } from "../interval-text.ts";
import { factOf } from "../../work/fact.ts";
import { valueAxis } from "../unit-note.ts";
import { type Canvas, openCanvas } from "./canvas.ts";
import type { DrawOptions, Drawing } from "./drawing.ts";
import { type Line, type Span, lineWidth } from "./line.ts";
import { symbolsOf } from "../../../look/signs.ts";

type Point = {
  readonly x: number;
  readonly y: number;
  readonly selected: boolean;
  readonly low?: number;
  readonly high?: number;
  /** Number of the colour of its run; absent for points with the colour of their series. */
  readonly colour?: number;
};
type Series = {
  readonly label: string;
  readonly points: readonly Point[];
  readonly joined: boolean;
  /** True if a paper reports the series. */
  readonly isPrinted?: boolean;
  /** Number of the colour of the series; the position among the groups if the series belongs to no run. */
  readonly colour?: number;
};
type Plot = {
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
  readonly ceilings: readonly CeilingPath[];
  readonly factor: number;
};

export function drawLines(figure: LinesFigure, options: DrawOptions): Drawing {
  const cells = figure.series.flatMap(({ points }) => points.map(({ cell }) => cell));
  // Shares are shown as percentages if their texts are.
  const percent = areShownInPercent(cells);
  const series = figure.series.map(({ label, points }, row) => ({
    label: `${printable(label)}${isPrinted({ points }) ? symbolsOf(options.ascii).reported : ""}`,
    joined: true,
    isPrinted: isPrinted({ points }),
    ...colourFor(label, options),
    points: points.flatMap(({ x, cell, low, high }, column) => {
      if (cell.value === undefined) return [];
      const selected = options.at?.row === row && options.at.column === column;
      return [{ x, y: cell.value, selected, ...(low !== undefined && { low }), ...(high !== undefined && { high }) }];
    }),
  }));
  const ceilings = ceilingPaths(figure.series);
  return drawPlot({ x: figure.x, y: valueAxis(figure), series, ceilings, factor: percent ? 100 : 1 }, options);
}

/** True if a series contains reported numbers. */
export const isPrinted = ({ points }: Pick<LinesFigure["series"][number], "points">): boolean =>
  points.some(({ cell }) => cell.reported === true);

type PointGroup = { readonly group: string; readonly indexes: readonly number[] };

/** Groups of a scatter plot in order of appearance, with the indexes of their points from left to right. */
export const pointGroups = factOf(({ points }: PointsFigure): readonly PointGroup[] => {
  const groups = Map.groupBy(points.keys(), (index) => points[index]!.group);
  return [...groups].map(([group, indexes]) => ({
    group,
    indexes: indexes.sort((one, other) => points[one]!.x - points[other]!.x || one - other),
  }));
});

export function drawPoints(figure: PointsFigure, options: DrawOptions): Drawing {
  const series = pointGroups(figure).map(({ group, indexes }, row) => ({
    label: printable(group),
    joined: group === frontierGroup,
    ...colourFor(group, options),
    points: indexes.map((index, column) => {
      const { x, y, label } = figure.points[index]!;
      const selected = options.at?.row === row && options.at.column === column;
      return { x, y, selected, ...colourFor(label, options) };
    }),
  }));
  return drawPlot({ x: figure.x, y: figure.y, series, ceilings: [], factor: 1 }, options);
}

function colourFor(label: string, { colourOf }: DrawOptions): { readonly colour?: number } {
  const colour = colourOf?.(label);
  return colour === undefined ? {} : { colour };
}

function drawPlot({ x, y, series: given, ceilings, factor }: Plot, options: DrawOptions): Drawing {
  const finite = (point: Point) => Number.isFinite(point.x) && Number.isFinite(point.y);
  const series = given.map((each) => ({ ...each, points: each.points.filter(finite) }));
  const points = series.flatMap((each) => each.points);
  if (points.length === 0) return { head: [], body: [[{ text: "  none", style: "faint" }]], foot: [] };
  const [left, right] = extent(points.map((point) => point.x));
  const [bottom, top] = extent([
    ...points.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]),
    ...ceilings.flatMap((path) => path.points.map((point) => point.y)),
  ]);
  const rows = Math.max(4, Math.min(options.height ?? 12, 24));
  const labels = new Map(
    ticksBetween(bottom * factor, top * factor, Math.min(5, rows >> 1)).map((tick) => [
      Math.round(((top - tick / factor) / (top - bottom)) * (rows - 1)),
      numberText(tick),
    ]),
  );
  const side = Math.max(...[...labels.values()].map(width)) + 1;
  const columns = Math.max(10, Math.min(options.width - side - 3, 110));
  const canvas = openCanvas(columns, rows, options.ascii);
  const position: Position = (point) => [(point.x - left) / (right - left), (point.y - bottom) / (top - bottom)];
  drawPaths(canvas, series, position, columns);
  const { bar, whisker } = symbolsOf(options.ascii);
  for (const { number, points: path } of ceilings) {
    // A ceiling that all series share has no series colour.
    const colour = ceilings.length === 1 ? undefined : (series[number]!.colour ?? number);
    dashed(canvas, path.map(position), whisker, colour);
  }
  drawMarks(canvas, series, position, options.ascii);
  const body = canvas.lines().map((line, row): Line => {
    return [
      { text: pad(labels.get(row) ?? "", side, "right"), style: "faint" },
      { text: ` ${bar}`, style: "rule" },
      ...line,
    ];
  });
  const head: Line[] = [[{ text: `${printable(y)}`, style: "faint" }]];
  return {
    head,
    body,
    foot: [
      ...xAxis(points, [left, right], x, { side, columns }, options),
      ...(ceilings.length === 0
        ? legend(series, options)
        : withEntry(legend(series, options), `  ${whisker} ${ceilingName}`, options.width)),
    ],
  };
}

/** Half the width of the line at a ceiling known for a single position. */
const shortLine = 0.03;

/** Draws a mark in every second column along these positions, from left to right, so that the covered characters stay visible. */
function dashed(
  canvas: Canvas,
  path: readonly (readonly [number, number])[],
  mark: string,
  series: number | undefined,
): void {
  const [[x, y]] = path as [readonly [number, number]];
  const ends = path.length > 1 ? path : [[x - shortLine, y] as const, [x + shortLine, y] as const];
  for (const [index, to] of ends.slice(1).entries()) {
    const from = ends[index]!;
    const last = canvas.columns - 1;
    const [first, end] = [Math.ceil(from[0] * last), Math.floor(to[0] * last)];
    for (let column = first + (first % 2); column <= end; column += 2) {
      const across = column / last;
      const part = (across - from[0]) / (to[0] - from[0] || 1);
      canvas.mark([across, from[1] + (to[1] - from[1]) * part], mark, series, false);
    }
  }
}

function markOf({ isPrinted: printed }: Series, number: number, ascii: boolean): string {
  const { points, hollowPoints } = symbolsOf(ascii);
  const shapes = printed === true ? hollowPoints : points;
  return shapes[number % shapes.length]!;
}

type Whiskered = readonly { readonly points: readonly Pick<Point, "x" | "low" | "high">[] }[];

/**
 * Returns the offset of a series' interval from the point at `x`, in steps, so that intervals of several series do not overlap.
 */
export function whiskerPlaces(series: Whiskered): (x: number, number: number) => number {
  const found = new Map<number, number[]>();
  for (const [number, { points }] of series.entries())
    for (const { x, low, high } of points)
      if (low !== undefined && high !== undefined) found.set(x, [...(found.get(x) ?? []), number]);
  return (x, number) => {
    const beside = found.get(x) ?? [];
    return beside.indexOf(number) - (beside.length - 1) / 2;
  };
}

function xAxis(
  points: readonly Point[],
  [left, right]: readonly [number, number],
  name: string,
  { side, columns }: { side: number; columns: number },
  { ascii }: DrawOptions,
): Line[] {
  const { corner } = symbolsOf(ascii);
  const rule: Line = [{ text: `${" ".repeat(side)} ${corner}${symbolsOf(ascii).rule.repeat(columns)}`, style: "rule" }];
  const own = [...new Set(points.map(({ x }) => x))].sort((one, other) => one - other);
  const whiskers = points.some(({ low, high }) => low !== undefined && high !== undefined);
  const note = whiskers && width(printable(name)) + whiskerNote.length < columns ? whiskerNote : "";
  const ticks = own.length <= 8 ? own : ticksBetween(left, right, 6);
  let text = "";
  for (const tick of ticks) {
    const label = numberText(tick);
    const at = Math.round(((tick - left) / (right - left)) * (columns - 1)) - (label.length >> 1);
    const start = Math.max(0, Math.min(at, columns - label.length));
    if (text !== "" && start <= text.length) continue;
    text = text.padEnd(start) + label;
  }
  return [
    rule,
    [{ text: `${" ".repeat(side + 2)}${text}`, style: "faint" }],
    [{ text: `${" ".repeat(side + 2)}${note}${pad(printable(name), columns - width(note), "right")}`, style: "faint" }],
  ];
}

/** True if points have the colours of their runs, so that only shapes distinguish the series. */
const isOfRuns = (points: readonly Point[]): boolean => points.some(({ colour }) => colour !== undefined);

/** Maximum lines of a legend, because the plot needs room; its last line counts the omitted entries. */
const legendLines = 4;

function legend(series: readonly Series[], { ascii, width: room }: DrawOptions): Line[] {
  const lines: Span[][] = [[]];
  for (const [number, each] of series.entries()) {
    const { label, colour = number, points } = each;
    const spans: Span[] = [
      { text: `  ${markOf(each, number, ascii)} `, ...(!isOfRuns(points) && { series: colour }) },
      { text: fitMiddle(label, Math.max(8, room - 6)) },
    ];
    if (lineWidth([...lines.at(-1)!, ...spans]) > room && lines.at(-1)!.length > 0) lines.push([]);
    if (lines.length === legendLines && number < series.length - 1) {
      lines[legendLines - 1] = [{ text: `  and ${series.length - number} more`, style: "faint" }];
      break;
    }
    lines.at(-1)!.push(...spans);
  }
  return lines;
}

/** Adds an entry, in the last line if it has room. */
function withEntry(lines: readonly Line[], text: string, room: number): readonly Line[] {
  const last = lines.at(-1) ?? [];
  if (lineWidth(last) + width(text) > room) return [...lines, [{ text }]];
  return [...lines.slice(0, -1), [...last, { text }]];
}

/** Returns the smallest and largest value, widened if they are equal. */
function extent(values: readonly number[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0, 1];
  return low === high ? [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2] : [low, high];
}

/** Rounds to four significant digits, but keeps all digits of large integers. */
function numberText(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return value.toExponential(1);
  return String(size >= 1000 ? Math.round(value) : Number(value.toPrecision(4)));
}

type Position = (point: { readonly x: number; readonly y: number }) => [number, number];

/** Draws lines between joined points and the interval of each point. */
function drawPaths(canvas: Canvas, series: Plot["series"], position: Position, columns: number): void {
  const placeOf = whiskerPlaces(series);
  for (const [number, { points: own, joined, colour = number }] of series.entries()) {
    const ink = isOfRuns(own) ? undefined : colour;
    if (joined) for (const [index, to] of own.slice(1).entries()) canvas.line(position(own[index]!), position(to), ink);
    for (const point of own) {
      const { low, high } = point;
      if (low === undefined || high === undefined) continue;
      const shift = placeOf(point.x, number) / columns;
      const at = (y: number): [number, number] => {
        const [across, up] = position({ x: point.x, y });
        return [Math.min(1, Math.max(0, across + shift)), up];
      };
      canvas.line(at(low), at(high), colour);
    }
  }
}

/** The fewest columns from mark to mark on a line that has a mark at each point. */
const columnsOfMark = 4;

const isSelectedOrLast = ({ selected }: Point, at: number, { length }: readonly Point[]): boolean =>
  selected || at === length - 1;

function drawMarks(canvas: Canvas, series: Plot["series"], position: Position, ascii: boolean): void {
  const drawn = series.flatMap(({ points: own, joined }, number) => {
    // Marks close to each other would cover the line between them.
    const shown = joined && own.length * columnsOfMark > canvas.columns ? own.filter(isSelectedOrLast) : own;
    return shown.map((point) => ({ point, number }));
  });
  // The mark under the cursor comes first, so that nothing covers it.
  drawn.sort((one, other) => Number(other.point.selected) - Number(one.point.selected));
  for (const { point, number } of drawn) {
    const shape = point.selected ? symbolsOf(ascii).target : markOf(series[number]!, number, ascii);
    canvas.mark(position(point), shape, point.colour ?? series[number]!.colour ?? number, point.selected);
  }
}
