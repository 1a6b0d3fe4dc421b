import { paper, sharesColour, strokeOf } from "../../../look/paper.ts";
import type { BarsFigure, Cell } from "../../figure.ts";
import { barNote, barTicks, longestBar } from "../drawing/bars.ts";
import { barName } from "../drawing/stops.ts";
import {
  type Around,
  ceilingDash,
  floorDash,
  character,
  type Drawn,
  folded,
  hover,
  line,
  markedText,
  round,
  rule,
  textMark,
  textWidth,
} from "./marks.ts";

/** Maximum and minimum length of a full bar, and the distances between bars and between groups, in pixels. */
const longest = 360;
const shortest = 60;
const step = line + 4;
const apart = 6;

/**
 * Draws horizontal bars, each with its value and `n` at its end, its interval as a whisker, a dashed line at its ceiling and a
 * dotted line at its floor; group names are printed once. Reported bars are hollow.
 */
export function barsPicture(figure: BarsFigure, around: Around): Drawn {
  const { bars } = figure;
  const groups = bars.map(({ group = "" }) => group);
  const begins = (index: number) => index > 0 && groups[index] !== groups[index - 1];
  const { named, beside, left, full } = placesOf(figure, around);
  const isStacked = named > 0 && beside === 0;
  const most = Math.max(1e-12, longestBar(figure));
  const at = (value: number) => left + (value / most) * full;
  const numberOf = numbering(figure, around);
  const marks: string[] = [];
  let top = 0;
  let right = Math.max(left + full, isStacked ? named : 0);
  for (const [index, bar] of bars.entries()) {
    const { label, cell, low, high } = bar;
    if (begins(index)) top += apart;
    const hasEnds = low !== undefined && high !== undefined;
    const text = markedText(cell);
    const ceiling = cell.value === undefined ? undefined : cell.ceiling;
    const floor = cell.value === undefined ? undefined : cell.floor?.gets;
    const after = Math.max(left, at(Math.max(cell.value ?? 0, high ?? 0, ceiling ?? 0, floor ?? 0))) + 6;
    const counted = countOf(cell);
    right = Math.max(right, after + textWidth(`${text}  ${counted}`));
    if (named > 0 && (index === 0 || begins(index))) {
      marks.push(textMark(0, top + 14, groups[index]!, 'font-weight="bold"'));
      if (isStacked) top += step;
    }
    // No axis crosses the names of groups above bars.
    if (isStacked) marks.push(rule(left, top, left, top + step));
    marks.push(
      hover(
        [barName(bar)],
        { ...cell, ...(hasEnds && { low, high }) },
        around,
        textMark(left - 8, top + 14, label, `text-anchor="end"${cell.reported === true ? ' font-style="italic"' : ""}`),
        ...barMarks(bar, numberOf(bar), { left, top, at }),
        textMark(after, top + 14, text, cell.faint === true ? `fill="${paper.quiet}"` : ""),
        counted === ""
          ? ""
          : textMark(after + textWidth(`${text} `), top + 14, counted, `fill="${paper.quiet}" font-size="10"`),
      ),
    );
    top += step;
  }
  const ticks = tickMarks(barTicks(figure, most), at, top, full);
  const axes = [...(isStacked ? [] : [rule(left, 0, left, top)]), rule(left, top, at(most), top), ...ticks];
  const explained = explanation(figure, left, top + 32, around.across);
  return {
    width: Math.max(right, explained.width),
    height: top + 18 + explained.height,
    marks: [...marks, ...axes, ...explained.marks],
  };
}

type Place = { readonly left: number; readonly top: number; readonly at: (value: number) => number };

/** Draws a bar with its interval, its ceiling and its floor. */
function barMarks(bar: Bar, number: number, { left, top, at }: Place): readonly string[] {
  const { cell, low, high } = bar;
  const { value = 0, ceiling, floor } = cell;
  const wide = round(Math.max(0, at(value) - left));
  const isHollow = cell.reported === true || sharesColour(number);
  const isDrawn = cell.value !== undefined;
  return [
    `<rect x="${round(left)}" y="${top + 3}" width="${wide}" height="14" ${fillOf(bar, number)}/>`,
    low === undefined || high === undefined
      ? ""
      : whisker(at(low), at(value), at(high), top + 10, inkOf(bar, number), isHollow),
    !isDrawn || ceiling === undefined ? "" : ceilingLine(at(ceiling), top - 1),
    !isDrawn || floor === undefined ? "" : ceilingLine(at(floor.gets), top - 1, paper.quiet, floorDash),
  ];
}

/** Explains the marks, below the bars, or in narrow pictures in lines of the whole width. */
function explanation(figure: BarsFigure, left: number, y: number, across: number | undefined): Drawn {
  const note = barNote(figure, { ceiling: "dashed:", floor: "dotted:" });
  return folded(across === undefined ? left : 0, y, note, across, 'font-style="italic"');
}

/**
 * Returns the width of the group names (the same as the width of names if they are beside the bars), the start of the bars, and
 * their length.
 */
function placesOf({ bars }: BarsFigure, around: Around) {
  const named = Math.max(0, ...bars.map(({ group = "" }) => textWidth(group)));
  // Narrow pictures have the groups above their bars.
  const beside = around.across === undefined ? named : 0;
  const left =
    beside + (beside === 0 ? 0 : 12) + Math.max(4 * character, ...bars.map(({ label }) => textWidth(label))) + 10;
  const texts = bars.map(({ cell }) => `${markedText(cell)}  ${countOf(cell)}`);
  const free = (around.across ?? Infinity) - left - 6 - Math.max(0, ...texts.map(textWidth));
  const full = Math.max(shortest, Math.min(longest, free));
  return { named, beside, left, full };
}

/** Draws the ticks below the bars; if ticks are close together, only some have numbers. */
function tickMarks(
  ticks: ReturnType<typeof barTicks>,
  at: (value: number) => number,
  top: number,
  full: number,
): readonly string[] {
  const apartBy = Math.ceil((ticks.length * 4 * character) / full);
  return ticks.flatMap((tick, index) => [
    rule(at(tick.at), top, at(tick.at), top + 4),
    ...(index % apartBy === 0 ? [textMark(at(tick.at), top + 16, tick.text, 'text-anchor="middle"')] : []),
  ]);
}

const countOf = ({ n }: Cell): string => (n === undefined ? "" : `n ${n}`);

type Bar = BarsFigure["bars"][number];

/**
 * Returns colours for bars: the run's colour for all bars of one run, one colour per run for several runs, and one colour per
 * name across groups without runs.
 */
function numbering({ title, bars }: BarsFigure, { colourOf }: Around): (bar: Bar) => number {
  const labels = [...new Set(bars.flatMap(({ group, label }) => (group === undefined ? [] : [label])))];
  return ({ label }) => colourOf(label) ?? colourOf(title) ?? Math.max(0, labels.indexOf(label));
}

const inkOf = ({ cell }: Bar, number: number): string => (cell.reported === true ? paper.quiet : strokeOf(number));

/** Reported bars are hollow; runs that share a colour with an earlier one are half filled. */
function fillOf(bar: Bar, number: number): string {
  const ink = inkOf(bar, number);
  if (bar.cell.reported === true) return `fill="${paper.ground}" stroke="${ink}"`;
  return sharesColour(number) ? `fill="${ink}" fill-opacity="0.4" stroke="${ink}"` : `fill="${ink}"`;
}

/**
 * Draws an interval as a thin line through the end of its bar, with caps at its ends: in the background's colour on the bar, in
 * the bar's colour beyond it.
 */
function whisker(from: number, end: number, to: number, y: number, ink: string, isHollow: boolean): string {
  const part = (left: number, right: number, cap: number, own: string) =>
    right > left ? rule(left, y, right, y, own) + rule(cap, y - 4, cap, y + 4, own) : "";
  const on = Math.min(Math.max(end, from), to);
  return part(from, on, from, isHollow ? ink : paper.ground) + part(on, to, to, ink);
}

/**
 * Draws a dark line with white edges, as high as the bar and the gap above it, so that bars with the same ceiling or floor share
 * a continuous line.
 */
function ceilingLine(x: number, top: number, ink: string = paper.ink, dash = ceilingDash): string {
  const ends = [x, top, x, top + step] as const;
  return rule(...ends, paper.ground, ' stroke-width="3"') + rule(...ends, ink, ` ${dash}`);
}
