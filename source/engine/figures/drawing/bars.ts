import type { BarsFigure } from "../../figure.ts";
import { axisTicks } from "../axis-ticks.ts";
import { areShownInPercent } from "../shown-in-percent.ts";
import { fitMiddle, pad, printable, width } from "../../text/printable.ts";
import type { DrawOptions, Drawing } from "./drawing.ts";
import type { Line, Span } from "./line.ts";
import { symbolsOf } from "./symbols.ts";
import { sharedPrefix } from "./shared-prefix.ts";
import { cellText } from "./cell-text.ts";
import { columnsToTellApart } from "./told-apart.ts";

/** Longer bars are no easier to compare. */
const longest = 100;
/** Columns between a group and its labels. */
const gap = 2;

/** Bars lying down on an axis, each with its value and its `n` at its end, and its interval as a whisker. */
export function drawBars(figure: BarsFigure, options: DrawOptions): Drawing {
  const { bars } = figure;
  const share = Math.max(8, Math.floor(options.width * 0.4));
  const groups = groupNames(figure);
  const beside = Math.min(Math.max(0, ...groups.map(width)), columnsToTellApart(groups, Math.floor(share / 2)));
  const room = share - (beside === 0 ? 0 : beside + gap);
  const { prefix, names } = withoutPrefix(
    bars.map(({ label }) => printable(label)),
    room,
  );
  const values = bars.map(
    ({ cell }) => `${cellText(cell, options.ascii)}${cell.n === undefined ? "" : `  n ${cell.n}`}`,
  );
  const label = Math.min(Math.max(4, ...names.map(width)), columnsToTellApart(names, room));
  const side = label + (beside === 0 ? 0 : beside + gap);
  const tail = Math.max(0, ...values.map(width));
  const length = Math.max(4, Math.min(longest, options.width - side - tail - 5));
  // Bars of one run have its colour; of several, each its own.
  const ofAll = options.colourOf?.(figure.title);
  const most = figure.max ?? Math.max(0, ...bars.map(({ cell, high }) => Math.max(cell.value ?? 0, high ?? 0)));
  const { pointer, bar } = symbolsOf(options.ascii);
  const [from, to] = options.window ?? [0, Infinity];
  const body = bars.map((each, index): Line => {
    if (index < from || index >= to) return [];
    const selected = options.at?.row === index;
    const style = each.cell.reported === true ? "reported" : "plain";
    const colour = options.colourOf?.(each.label);
    return [
      { text: selected ? `${pointer} ` : "  ", style: "accent" },
      ...(beside === 0
        ? []
        : [{ text: pad(fitMiddle(groups[index]!, beside), beside + gap), style: "strong" as const }]),
      {
        text: pad(fitMiddle(names[index]!, label), label),
        style,
        selected,
        ...(colour !== undefined && { series: colour }),
      },
      { text: ` ${bar}`, style: "rule" },
      ...drawBar(each, most, length, options.ascii).map((span) => inked(span, colour ?? ofAll)),
      { text: ` ${values[index]}`, style: each.cell.faint === true ? "faint" : style },
    ];
  });
  const foot: Line[] = [[{ text: `${" ".repeat(side + 3)}${axisText(figure, most, length)}`, style: "faint" }]];
  const note = barNote(figure);
  if (note !== "") foot.push([{ text: `  ${printable(note)}`, style: "faint" }]);
  return { head: prefix === "" ? [] : [[{ text: `  ${prefix}…`, style: "faint" }]], body, foot };
}

/** What each bar stands under, once for neighbours that share it. */
function groupNames({ bars }: BarsFigure): readonly string[] {
  return bars.map(({ group = "" }, index) => (index > 0 && group === bars[index - 1]!.group ? "" : printable(group)));
}

/** Names too long for their room, and what all begin with, which then stands over them. */
function withoutPrefix(names: readonly string[], room: number): { prefix: string; names: readonly string[] } {
  const prefix = names.every((name) => width(name) <= room) ? "" : sharedPrefix(names);
  return { prefix, names: names.map((name) => name.slice(prefix.length)) };
}

/** Round numbers below the bars; each begins under its place. */
function axisText(figure: BarsFigure, most: number, room: number): string {
  let text = "";
  for (const tick of barTicks(figure, most)) {
    const start = most > 0 ? Math.round((tick.at / most) * room) : 0;
    if (start < text.length + 2 && text !== "") continue;
    text = text.padEnd(start) + tick.text;
  }
  return text;
}

/** What a line at the end of a bar or through a point is. */
export const whiskerNote = "whiskers: 95 % interval";

/** What is read off the bars: their unit, and what their whiskers are. */
export function barNote({ bars, unit }: BarsFigure): string {
  const whiskers = bars.some(({ low }) => low !== undefined);
  return [unit === "" ? "" : `in ${unit}`, whiskers ? whiskerNote : ""].filter((part) => part !== "").join("; ");
}

/** Round numbers along bars up to `most`: in percent where their texts are, whole where all of them are counts. */
export function barTicks(
  { bars }: BarsFigure,
  most: number,
): readonly { readonly at: number; readonly text: string }[] {
  const inPercent = areShownInPercent(bars.map(({ cell }) => cell));
  const whole =
    !inPercent && bars.every(({ cell, high = 0 }) => Number.isInteger(cell.value ?? 0) && Number.isInteger(high));
  return axisTicks(most, 5, whole).map((at) => ({
    at,
    text: String(Number((inPercent ? at * 100 : at).toPrecision(6))),
  }));
}

/** A piece of a bar in the colour of its run. */
function inked(span: Span, colour: number | undefined): Span {
  return colour === undefined || span.style !== "accent" ? span : { text: span.text, series: colour };
}

/** Full to the interval's low end, lighter to the value, a whisker to its high end. */
function drawBar({ cell, low, high }: BarsFigure["bars"][number], most: number, room: number, ascii: boolean): Span[] {
  const value = cell.value;
  if (value === undefined || !(most > 0)) return [];
  const column = (amount: number) => Math.min(room, Math.max(0, Math.round((amount / most) * room)));
  const to = column(value);
  const from = Math.min(to, low === undefined ? to : column(low));
  const end = high === undefined ? to : Math.max(to, column(high));
  const [solid, light, whisker, cap] = ascii ? ["#", "=", "-", "|"] : ["█", "▓", "─", "┤"];
  const reach = end > to ? whisker!.repeat(end - to - 1) + cap! : "";
  const ink = cell.reported === true ? ("reported" as const) : ("accent" as const);
  return [
    { text: solid!.repeat(from), style: ink },
    { text: light!.repeat(to - from), style: ink },
    { text: reach, style: "faint" },
  ];
}
