/** Drawn text: lines of spans with a role each. Terminals map roles to colours; pipes print the text alone. */
import type { Style } from "../../../look/inks.ts";
import { fit, width } from "../../text/printable.ts";

export type { Style };

/**
 * `heat` is a position on the colour scale, from 0 to 1. `weight` is how strongly the span stands out from the background;
 * `series` is the number of a line or group. `text` must be printable.
 */
export type Span = {
  readonly text: string;
  readonly style?: Style;
  readonly heat?: number;
  readonly weight?: number;
  readonly series?: number | undefined;
  /** True to draw the text in the colour of the background on the text's own colour. */
  readonly reversed?: boolean;
  /** True under the cursor. */
  readonly selected?: boolean;
};
export type Line = readonly Span[];

export const plain = (text: string): Line => [{ text }];
export const styled = (style: Style, text: string): Line => [{ text, style }];

/** Returns the style of a run's text: the colour with this number, or the other style if there is no number. */
export const inkOf = (colour: number | undefined, otherwise: Style): Pick<Span, "style" | "series"> =>
  colour === undefined ? { style: otherwise } : { series: colour };

export const lineText = (line: Line): string => line.map(({ text }) => text).join("");
export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + width(text), 0);

/** Cuts a line to `columns` and marks the cut. */
export function fitLine(line: Line, columns: number): Line {
  if (lineWidth(line) <= columns) return line;
  const kept: Span[] = [];
  let left = columns;
  for (const span of line) {
    const wide = width(span.text);
    if (wide < left) {
      kept.push(span);
      left -= wide;
      continue;
    }
    // Keeps a column for the mark, because more text follows.
    kept.push({ ...span, text: fit(`${span.text} `, left) });
    break;
  }
  return kept;
}
