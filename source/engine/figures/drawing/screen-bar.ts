/**
 * A bar on a screen: filled up to its value, to the eighth of a column, with its interval as a thin line through its end. On the
 * filled part, the line has the background's colour. Without colours, and on patterned fills, the line is drawn only above the
 * value; without colours it follows a mark: `██████┃──┤`.
 */
import { symbolsOf } from "../../../look/signs.ts";
import type { BarsFigure } from "../../figure.ts";
import type { Screened } from "./drawing.ts";
import type { Span } from "./line.ts";

/** `column` is the position of an amount on the axis, in columns from 0, not rounded. */
type Place = {
  readonly column: (amount: number) => number;
  readonly room: number;
  readonly ascii: boolean;
  readonly screen: Screened;
  /** Number of the bar's fill: the first is solid. */
  readonly fill: number;
};

export function screenBar({ cell, low, high }: BarsFigure["bars"][number], place: Place): Span[] {
  const { value } = cell;
  if (value === undefined) return [];
  const { column, room, screen, ascii, fill } = place;
  const { fills, line, cap, capLeft, reach, eighths } = symbolsOf(ascii);
  const own = fill % fills.length;
  const full = fills[own]!;
  const ink = cell.reported === true ? ("reported" as const) : ("accent" as const);
  const within = (amount: number) => Math.min(room, Math.max(0, column(amount)));
  const filled = within(value);
  const whole = own > 0 ? Math.round(filled) : Math.floor(filled + 1 / 16);
  const [from, end] = [low, high].map((bound) => (bound === undefined ? undefined : Math.round(within(bound))));
  if (screen === "plain") {
    const to = Math.round(filled);
    const more = Math.max(0, (end ?? to) - to);
    if (more === 0) return [{ text: full.repeat(to), style: ink }];
    // The mark takes the last column of the bar.
    const bar = to === 0 ? "" : full.repeat(to - 1) + reach;
    return [{ text: bar + line.repeat(more - 1) + cap, style: ink }];
  }
  const begin = from === undefined || own > 0 ? whole : Math.min(from, whole);
  const through = whole - begin;
  const rest = own > 0 ? 0 : Math.round((filled - whole) * 8);
  // Less than half a column has no sign in ASCII.
  const part = eighths[rest - 1] === " " ? 0 : rest;
  const behind = whole + (part > 0 ? 1 : 0);
  const more = Math.max(0, (end ?? behind) - behind);
  return [
    { text: full.repeat(begin), style: ink },
    { text: through === 0 ? "" : capLeft + line.repeat(through - 1), style: ink, reversed: true },
    { text: part > 0 ? eighths[part - 1]! : "", style: ink },
    { text: more === 0 ? "" : line.repeat(more - 1) + cap, style: ink },
  ].filter(({ text }) => text !== "");
}
