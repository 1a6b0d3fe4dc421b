import { paper, strokeOf } from "../../../look/paper.ts";
import { signs } from "../../../look/signs.ts";
import { type Cell, frontierGroup, type LinesFigure, type PointsFigure, shortfallOf } from "../../figure.ts";
import { ticksBetween } from "../axis-ticks.ts";
import { ceilingName, ceilingPaths } from "../ceiling.ts";
import { whiskerNote } from "../drawing/bars.ts";
import { isPrinted, whiskerPlaces } from "../drawing/plot.ts";
import { partsOf } from "../figure-parts.ts";
import { areShownInPercent } from "../interval-text.ts";
import { valueAxis } from "../unit-note.ts";
import { type Around, ceilingDash, type Drawn, hover, line, round, rule, textMark, textWidth } from "./marks.ts";

/** Draws lines through points with their intervals; the legend shows the number of tasks. Reported points are hollow. */
export function linesPicture(figure: LinesFigure, around: Around): Drawn {
  const { series, x } = figure;
  const all = series.flatMap(({ points }) => points);
  const plot = frame(
    all.map((point) => point.x),
    all.flatMap(({ cell: { value = 0, ceiling = value }, low = value, high = value }) => [value, low, high, ceiling]),
    { x, y: valueAxis(figure), factor: areShownInPercent(all.map(({ cell }) => cell)) ? 100 : 1 },
    around.across,
  );
  const marks = [...plot.marks];
  const placeOf = whiskerPlaces(series);
  const names = series.map(nameOf);
  for (const [index, { label, points }] of series.entries()) {
    const stroke = strokeOf(around.colourOf(label) ?? index);
    const shown = points.filter(({ cell }) => cell.value !== undefined);
    const printed = isPrinted({ points });
    const places = shown.map((point) => `${round(plot.x(point.x))},${round(plot.y(point.cell.value!))}`);
    const dash = printed ? ' stroke-dasharray="4 3"' : "";
    marks.push(`<polyline fill="none" stroke="${stroke}"${dash} points="${places.join(" ")}"/>`);
    for (const { x: at, cell, low, high } of shown) {
      const ink = cell.faint === true || printed ? `fill="${paper.ground}" stroke="${stroke}"` : `fill="${stroke}"`;
      const ended = { ...cell, ...(low !== undefined && high !== undefined && { low, high }) };
      const mark = shapeMark(index, plot.x(at), plot.y(cell.value!), 4, ink);
      marks.push(hover([label, `${x} ${at}`], ended, around, mark));
      const short = shortfallOf(cell);
      if (short !== undefined) marks.push(textMark(plot.x(at) + 5, plot.y(cell.value!) - 5, `(${short})`));
      if (low === undefined || high === undefined) continue;
      const beside = plot.x(at) + placeOf(at, index) * 3;
      marks.push(rule(beside, plot.y(low), beside, plot.y(high), stroke));
    }
    const ink = printed ? `fill="${paper.ground}" stroke="${stroke}"` : `fill="${stroke}"`;
    const ofText = `fill="${stroke}"${printed ? ' font-style="italic"' : ""}`;
    marks.push(...legendEntry(plot, index, names[index]!, ink, ofText));
  }
  marks.push(...ceilingMarks(series, plot, around, names));
  if (all.some(({ low, high }) => low !== undefined && high !== undefined)) {
    const isNarrow = plot.below > 0;
    const foot = isNarrow ? plot.below + 14 + names.length * line : plot.height - 4;
    marks.push(textMark(0, foot, whiskerNote, 'font-style="italic"'));
    if (isNarrow) names.push("");
  }
  return besideLegend(plot, names, marks);
}

/** Draws the scores of perfect answers, and adds them to the names of the legend. */
function ceilingMarks(series: LinesFigure["series"], plot: Frame, around: Around, names: string[]): readonly string[] {
  const marks: string[] = [];
  const ceilings = ceilingPaths(series);
  for (const { number, points } of ceilings) {
    // A ceiling that all series share has no series colour.
    const stroke = ceilings.length === 1 ? paper.ink : strokeOf(around.colourOf(series[number]!.label) ?? number);
    // A single position has a short line.
    const wide = points.length === 1 ? 12 : 0;
    const places = points.flatMap((point) =>
      [-wide, ...(wide === 0 ? [] : [wide])].map(
        (aside) => `${round(plot.x(point.x) + aside)},${round(plot.y(point.y))}`,
      ),
    );
    marks.push(`<polyline fill="none" stroke="${stroke}" ${ceilingDash} points="${places.join(" ")}"/>`);
  }
  if (ceilings.length > 0) {
    const [x, y] = [plot.beside, plot.below + 14 + names.length * line];
    marks.push(rule(x + 4, y - 4, x + 20, y - 4, paper.ink, ` ${ceilingDash}`), textMark(x + 22, y, ceilingName));
    names.push(ceilingName);
  }
  return marks;
}

/** Returns the series label with its number of tasks, `n 20 to 60`, or the dagger of reported values. */
function nameOf({ label, points }: LinesFigure["series"][number]): string {
  if (isPrinted({ points })) return `${label} ${signs.reported}`;
  const counts = points.flatMap(({ cell: { value, n } }: { readonly cell: Cell }) =>
    value === undefined || n === undefined ? [] : [n],
  );
  if (counts.length === 0) return label;
  const [least, most] = ends(counts);
  return `${label}, n ${least === most ? least : `${least} to ${most}`}`;
}

/** Draws a legend entry beside or below the plot, in the line of its number. */
function legendEntry(plot: Frame, number: number, label: string, ink: string, ofText: string): readonly string[] {
  const foot = plot.below + 14 + number * line;
  return [shapeMark(number, plot.beside + 12, foot - 4, 4, ink), textMark(plot.beside + 22, foot, label, ofText)];
}

/** Adds a legend with these labels to the right of a plot, or below a narrow one. */
function besideLegend(plot: Frame, labels: readonly string[], marks: Iterable<string>): Drawn {
  return {
    width: Math.max(plot.width, plot.beside + 30 + Math.max(0, ...labels.map(textWidth))),
    height: Math.max(plot.height, plot.below + labels.length * line),
    marks,
  };
}

/** Maximum number of groups in a legend, because there may be as many as toolkits. */
const mostInLegend = 15;

export function pointsPicture({ points, x, y }: PointsFigure, around: Around): Drawn {
  const plot = frame(
    points.map((point) => point.x),
    points.map((point) => point.y),
    { x, y, factor: 1 },
    around.across,
  );
  const groups = [...new Set(points.map(({ group }) => group))];
  const numbers = new Map(groups.map((group, number) => [group, number]));
  const inkOfGroup = (number: number) => `fill="${strokeOf(number)}"`;
  const colourOf = ({ label }: PointsFigure["points"][number]) => around.colourOf(label);
  // Points of runs have the colours of the runs, so only their shape tells the group.
  const isOfRuns = points.some((point) => colourOf(point) !== undefined);
  const markOf = (point: PointsFigure["points"][number]) => {
    const number = numbers.get(point.group)!;
    const colour = colourOf(point);
    const ink = colour === undefined ? inkOfGroup(number) : `fill="${strokeOf(colour)}"`;
    const mark = shapeMark(number, plot.x(point.x), plot.y(point.y), 3, ink);
    const cell = { text: point.label, ...(point.tasks !== undefined && { tasks: point.tasks }) };
    return hover([point.group], cell, around, mark);
  };
  const inkOfLegend = (number: number) => (isOfRuns ? `fill="${paper.ink}"` : inkOfGroup(number));
  const named = groups.slice(0, mostInLegend);
  const legend = named.flatMap((group, number) =>
    legendEntry(plot, number, group, inkOfLegend(number), inkOfLegend(number)),
  );
  const others = groups.length - named.length;
  if (others > 0) legend.push(textMark(plot.beside + 22, plot.below + 14 + named.length * line, `and ${others} more`));
  const path = points.filter(({ group }) => group === frontierGroup).toSorted((one, other) => one.x - other.x);
  const places = path.map((point) => `${round(plot.x(point.x))},${round(plot.y(point.y))}`);
  if (path.length > 1) legend.push(`<polyline fill="none" stroke="${paper.ink}" points="${places.join(" ")}"/>`);
  const marks = partsOf(plot.marks, legend, points.values().map(markOf));
  return besideLegend(plot, [...named, ...(others > 0 ? [`and ${others} more`] : [])], marks);
}

/**
 * Returns the smallest and largest value; 0 and 0 without values. Uses a loop, because a call cannot have as many arguments as
 * there may be points.
 */
function ends(values: readonly number[]): readonly [number, number] {
  let [least = 0, most = 0] = [values[0], values[0]];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

type Frame = ReturnType<typeof frame>;
/** Axis names; y ticks are multiplied by `factor`, so that shares appear in percent if their texts are in percent. */
type Axes = { readonly x: string; readonly y: string; readonly factor: number };

/**
 * Draws two axes with tick numbers; the name of the y axis is above it, in the free margin. With `across`, the legend is below
 * the plot.
 */
function frame(xs: readonly number[], ys: readonly number[], named: Axes, across: number | undefined) {
  const [height, left, bottom, top] = [300, 56, 36, 32];
  const width = Math.max(160, Math.min(480, across ?? 480));
  const [x0, x1] = ends(xs);
  const [y0, y1] = ends([0, ...ys]);
  const x = (value: number) => left + 12 + ((value - x0) / (x1 - x0 || 1)) * (width - left - 24);
  const y = (value: number) => height - bottom - ((value - y0) / (y1 - y0 || 1)) * (height - bottom - top);
  const own = [...new Set(xs)].toSorted((a, b) => a - b);
  const marks = [
    rule(left, height - bottom, width, height - bottom),
    rule(left, top - 12, left, height - bottom),
    ...(own.length > 8 ? ticksBetween(x0, x1, 6) : own).map((tick) =>
      textMark(x(tick), height - bottom + 15, String(Number(tick.toPrecision(6))), 'text-anchor="middle"'),
    ),
    ...ticksBetween(y0 * named.factor, y1 * named.factor, 5).map((tick) =>
      textMark(left - 6, y(tick / named.factor) + 4, String(tick), 'text-anchor="end"'),
    ),
    textMark((left + width) / 2, height - 4, named.x, 'text-anchor="middle" font-style="italic"'),
    textMark(0, 12, named.y, 'font-style="italic"'),
  ];
  const legend = across === undefined ? { beside: width, below: 0 } : { beside: 0, below: height + 6 };
  return { width, height, ...legend, x, y, marks };
}

const shapes = [
  (x: number, y: number, r: number, ink: string) => `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${r}" ${ink}/>`,
  (x: number, y: number, r: number, ink: string) => polygon([x, y - r, x + r, y + r, x - r, y + r], ink),
  (x: number, y: number, r: number, ink: string) =>
    polygon([x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r], ink),
  (x: number, y: number, r: number, ink: string) =>
    polygon([x, y - r - 1, x + r + 1, y, x, y + r + 1, x - r - 1, y], ink),
] as const;

/** Draws the mark of a series around a point, with radius `r`: circle, triangle, square or diamond. */
const shapeMark = (number: number, x: number, y: number, r: number, ink: string): string =>
  shapes[number % shapes.length]!(x, y, r, ink);

const polygon = (places: readonly number[], ink: string) => `<polygon points="${places.map(fixed).join(" ")}" ${ink}/>`;

const fixed = (value: number) => Number(value.toFixed(1));
