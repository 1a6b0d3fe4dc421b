import type { BarsFigure } from "../../figure.ts";
import { axisTicks } from "../axis-ticks.ts";
import { ceilingName } from "../ceiling.ts";
import { floorLegend } from "../floor-text.ts";
import { areShownInPercent, intervalWord } from "../interval-text.ts";
import { fitMiddle, pad, printable, width, wrap } from "../../text/printable.ts";
import type { DrawOptions, Drawing, Screened } from "./drawing.ts";
import { type Line, type Span, styled } from "./line.ts";
import { symbolsOf, signs } from "../../../look/signs.ts";
import { sharedPrefix, columnsToTellApart } from "./told-apart.ts";
import { alignedLabels, briefNames } from "./brief-names.ts";
import { cellText } from "./cell-text.ts";
import { screenBar } from "./screen-bar.ts";
import { isExact, screenInterval, screenText } from "./screen-text.ts";

/** Longer bars are not easier to compare. */
const longest = 100;
/** Columns between a group and its labels. */
const gap = 2;

/**
 * Draws horizontal bars on an axis, each with its value and `n` at its end, its interval as a whisker and marks at its ceiling and floor.
 */
export function drawBars(figure: BarsFigure, options: DrawOptions): Drawing {
  const { bars } = figure;
  const share = Math.max(8, Math.floor(options.width * 0.4));
  const groups = groupNames(figure);
  // Names of groups may take what the labels leave.
  const least = Math.max(Math.floor(share / 2), share - gap - Math.max(...bars.map(({ label }) => width(label))));
  const beside = Math.min(Math.max(0, ...groups.map(width)), columnsToTellApart(groups, least));
  const room = share - (beside === 0 ? 0 : beside + gap);
  const { prefix, names } = withoutPrefix(
    bars.map(({ label }) => printable(label)),
    room,
    options.screen !== undefined,
  );
  const values = options.screen === undefined ? textsBehind(figure, options) : screenTexts(figure, options.screen);
  const label = Math.min(Math.max(4, ...names.map(width)), columnsToTellApart(names, room));
  const side = label + (beside === 0 ? 0 : beside + gap);
  const tail = Math.max(0, ...values.map(width));
  // A mark at the end of the axis needs a column of its own.
  const length = Math.max(4, Math.min(longest, options.width - side - tail - (hasMarks(figure) ? 6 : 5)));
  // One run: all bars in its colour. Several: one colour per run. Names of rows or of a value may follow that of a run.
  const { colourOf = () => undefined, screen } = options;
  const ofAll = colourOf(figure.title) ?? colourOf(figure.title.slice(0, figure.title.lastIndexOf(": ")));
  const most = longestBar(figure);
  const { pointer, bar, ceiling, floor } = symbolsOf(options.ascii);
  const [from, to] = options.window ?? [0, Infinity];
  const body = bars.map((each, index): Line => {
    if (index < from || index >= to) return [];
    const selected = options.at?.row === index;
    const style = each.cell.reported === true ? "reported" : "plain";
    const colour = colourOf(each.label) ?? colourOf(each.label.split(", ", 1)[0]!);
    return [
      { text: selected ? `${pointer} ` : "  ", style: "accent" },
      ...(beside === 0
        ? []
        : [{ text: pad(fitMiddle(groups[index]!, beside), beside + gap), style: "strong" as const }]),
      { text: pad(fitMiddle(names[index]!, label), label), style, selected, series: colour },
      { text: ` ${bar}`, style: "rule" },
      ...drawBar(each, most, length, options, colour ?? ofAll).map((span) => inked(span, colour ?? ofAll, screen)),
      { text: ` ${values[index]}`, style: each.cell.faint === true ? "faint" : style },
    ];
  });
  const foot: Line[] = [[{ text: `${" ".repeat(side + 3)}${axisText(figure, most, length)}`, style: "faint" }]];
  const count = options.screen === undefined ? undefined : sharedCount(figure);
  const note = [count === undefined ? "" : `n ${count} each`, barNote(figure, { ceiling, floor })]
    .filter((part) => part !== "")
    .join("; ");
  if (note !== "") for (const text of wrap(printable(note), options.width - 2)) foot.push(styled("faint", `  ${text}`));
  return { head: prefix === "" ? [] : [[{ text: `  ${prefix}${signs.more}`, style: "faint" }]], body, foot };
}

const textsBehind = ({ bars }: BarsFigure, { ascii }: DrawOptions): readonly string[] =>
  bars.map(({ cell }) => `${cellText(cell, ascii)}${cell.n === undefined ? "" : `  n ${cell.n}`}`);

/**
 * Returns the values next to bars on a screen: with their bounds if there are no colours, and with `n` unless all values share
 * it.
 */
function screenTexts(figure: BarsFigure, screen: Screened): readonly string[] {
  const exact = isExact(figure);
  const shared = sharedCount(figure);
  return figure.bars.map(({ cell, low, high }) => {
    const bounds =
      screen === "plain"
        ? screenInterval({ text: cell.text, value: cell.value, n: cell.n, rough: cell.rough, low, high }, exact)
        : undefined;
    const mark = cell.reported === true ? signs.reported : "";
    const count = cell.n === undefined || shared !== undefined ? "" : ` n ${cell.n}`;
    return [screenText(cell, exact), bounds ?? "", mark, count].filter((part) => part !== "").join(" ");
  });
}

/** Returns the number of tasks that all bars of these runs have; undefined if they differ. */
function sharedCount({ bars }: BarsFigure): number | undefined {
  const counts = new Set(bars.flatMap(({ cell }) => (cell.reported === true ? [] : [cell.n])));
  return counts.size === 1 ? [...counts][0] : undefined;
}

/** Returns the group heading above each bar, printed once for neighbours that share it. */
const groupNames = ({ bars }: BarsFigure): readonly string[] =>
  bars.map(({ group = "" }, index) => (index > 0 && group === bars[index - 1]!.group ? "" : printable(group)));

/** If names do not fit, moves their common prefix to a line above them. On a screen, the values of names of runs are aligned. */
function withoutPrefix(
  whole: readonly string[],
  room: number,
  isScreen: boolean,
): { prefix: string; names: readonly string[] } {
  const names = isScreen ? briefNames(whole) : whole;
  const prefix = names.every((name) => width(name) <= room) ? "" : sharedPrefix(names);
  const rests = names.map((name) => name.slice(prefix.length));
  return { prefix, names: isScreen ? alignedLabels(rests, room) : rests };
}

/** Prints round numbers below the bars, each starting at its position. */
function axisText(figure: BarsFigure, most: number, room: number): string {
  let text = "";
  for (const tick of barTicks(figure, most)) {
    const start = most > 0 ? Math.round((tick.at / most) * room) : 0;
    if (start < text.length + 2 && text !== "") continue;
    text = text.padEnd(start) + tick.text;
  }
  return text;
}

/** Explains the line at the end of a bar or through a point. */
export const whiskerNote = "whiskers: 95 % interval";
const roughNote = ", approximate: with 10 tasks, its actual coverage is below 88 %";

/** Returns a note that explains the unit of the bars, their whiskers and the marks. */
export function barNote(figure: BarsFigure, marks: { readonly ceiling: string; readonly floor: string }): string {
  const { bars, unit } = figure;
  const floors = floorLegend(bars.map(({ cell }) => cell));
  const [anytime, rough] = [bars.some(({ cell }) => cell.anytime), bars.some(({ cell }) => cell.rough)];
  const whiskers = bars.some(({ low }) => low !== undefined);
  return [
    unit === "" ? "" : `in ${unit}`,
    whiskers
      ? `${anytime ? whiskerNote.replace("interval", intervalWord(true)) : whiskerNote}${rough ? roughNote : ""}`
      : "",
    hasCeilings(figure) ? `${marks.ceiling} ${ceilingName}` : "",
    floors === undefined ? "" : `${marks.floor} ${floors}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

const hasMarks = ({ bars }: BarsFigure): boolean =>
  bars.some(({ cell }) => cell.value !== undefined && (cell.ceiling ?? cell.floor) !== undefined);

const hasCeilings = ({ bars }: BarsFigure): boolean =>
  bars.some(({ cell }) => cell.value !== undefined && cell.ceiling !== undefined);

/** Returns the value of a full bar, which covers all values, interval ends, ceilings and floors. */
export const longestBar = ({ bars, max }: BarsFigure): number =>
  max ??
  Math.max(
    0,
    ...bars.flatMap(({ cell, high = 0 }) => [cell.value ?? 0, high, cell.ceiling ?? 0, cell.floor?.gets ?? 0]),
  );

/** Returns round numbers up to `most`: percentages if the bar texts are, whole numbers if all bars are counts. */
export function barTicks({ bars }: BarsFigure, most: number) {
  const inPercent = areShownInPercent(bars.map(({ cell }) => cell));
  const whole =
    !inPercent && bars.every(({ cell, high = 0 }) => Number.isInteger(cell.value ?? 0) && Number.isInteger(high));
  return axisTicks(most, 5, whole).map((at) => ({
    at,
    text: String(Number((inPercent ? at * 100 : at).toPrecision(6))),
  }));
}

/** Gives a piece of a bar the colour of its run; on a screen the accent belongs to the focus. */
function inked(span: Span, colour: number | undefined, screen: Screened | undefined): Span {
  const { style, ...rest } = span;
  if (style !== "accent") return span;
  return colour === undefined
    ? { ...span, style: screen === undefined ? style : "faint" }
    : { ...rest, series: colour };
}

/**
 * Draws the bar full up to the interval's low end, lighter up to the value, and as a whisker up to the high end, with the
 * marks on top.
 */
function drawBar(
  bar: BarsFigure["bars"][number],
  most: number,
  room: number,
  { ascii, screen, colours = Infinity }: DrawOptions,
  number = 0,
): Span[] {
  const { cell, low, high } = bar;
  const value = cell.value;
  if (value === undefined || !(most > 0)) return [];
  const column = (amount: number) => Math.min(room, Math.max(0, Math.round((amount / most) * room)));
  const to = column(value);
  const from = Math.min(to, low === undefined ? to : column(low));
  const end = high === undefined ? to : Math.max(to, column(high));
  const { full: solid, light, line: whisker, cap, ceiling, floor } = symbolsOf(ascii);
  const reach = end > to ? whisker.repeat(end - to - 1) + cap : "";
  const ink = cell.reported === true ? ("reported" as const) : ("accent" as const);
  const fill = Math.floor(number / colours);
  const onScreen = { column: (amount: number) => (amount / most) * room, room, ascii, fill };
  const drawn: Span[] =
    screen !== undefined
      ? screenBar(bar, { ...onScreen, screen })
      : [
          { text: solid.repeat(from), style: ink },
          { text: light.repeat(to - from), style: ink },
          { text: reach, style: "faint" },
        ];
  const floored =
    cell.floor === undefined ? drawn : withMark(drawn, column(cell.floor.gets), { text: floor, style: "faint" });
  return cell.ceiling === undefined
    ? floored
    : withMark(floored, column(cell.ceiling), { text: ceiling, style: "plain" });
}

/** Replaces the character at column `after` with the mark. Every character takes one column. */
function withMark(spans: readonly Span[], after: number, mark: Span): Span[] {
  const marked: Span[] = [];
  let from = 0;
  for (const span of spans) {
    const at = after - from;
    from += span.text.length;
    if (at < 0 || at >= span.text.length) marked.push(span);
    else marked.push({ ...span, text: span.text.slice(0, at) }, mark, { ...span, text: span.text.slice(at + 1) });
  }
  if (after >= from) marked.push({ ...mark, text: `${" ".repeat(after - from)}${mark.text}` });
  return marked;
}
