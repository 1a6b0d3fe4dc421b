/** Building blocks of all pictures. */
import { type Cell, shortfallOf } from "../../figure.ts";
import { width, wrap } from "../../text/printable.ts";
import type { TaskRef } from "../../types.ts";
import type { ColourOf } from "../drawing/drawing.ts";
import { ceilingText } from "../ceiling.ts";
import { floorText } from "../floor-text.ts";
import { intervalText } from "../interval-text.ts";
import { escapeMarkup } from "../markup.ts";
import { paper } from "../../../look/paper.ts";
import { separator, signs } from "../../../look/signs.ts";

/** Line height in pixels, and the width of a character of 12 pixels in the widest common font. */
export const line = 18;
export const character = 7.25;
/** Dash pattern of ceilings; reported values have shorter dashes. */
export const ceilingDash = 'stroke-dasharray="7 4"';
/** Dash pattern of floors. */
export const floorDash = 'stroke-dasharray="1 3"';

/** A picture without its title and notes. */
export type Drawn = { readonly width: number; readonly height: number; readonly marks: Iterable<string> };

export type Around = {
  /**
   * Returns attributes for a mark of these tasks, such as ` data-tasks="1-5"`, which the page that contains the picture reads.
   */
  behind(tasks: readonly TaskRef[] | undefined): string;
  readonly colourOf: ColourOf;
  /** Maximum width in pixels; without it a drawing has its usual size. */
  readonly across?: number;
};

export const round = (value: number) => Number(value.toFixed(2));

/** Returns the maximum width of a text of 12 pixels. */
export const textWidth = (text: string) => width(text) * character;

export const textMark = (x: number, y: number, text: string, attributes = ""): string =>
  `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeMarkup(text)}</text>`;

/** Breaks a text into lines of at most `across` pixels, each below the previous line. */
export function folded(x: number, y: number, text: string, across: number | undefined, attributes: string): Drawn {
  const lines = across === undefined ? [text] : wrap(text, Math.floor((across - x) / character));
  const marks = lines.map((part, at) => textMark(x, y + at * line, part, attributes));
  return { width: x + Math.max(0, ...lines.map(textWidth)), height: lines.length * line, marks };
}

export const rule = (x1: number, y1: number, x2: number, y2: number, stroke: string = paper.rule, more = ""): string =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"${more}/>`;

/** Wraps marks with a tooltip of their names, value and coverage. */
export function hover(names: readonly string[], cell: Cell, { behind }: Around, ...marks: readonly string[]): string {
  const about = [
    names.filter((name) => name !== "").join(", "),
    markedText(cell),
    intervalText(cell) ?? "",
    cell.n === undefined ? "" : `n ${cell.n}`,
    ceilingText(cell) ?? "",
    floorText(cell) ?? "",
    cell.note ?? "",
  ];
  const text = about.filter((part) => part !== "").join(separator);
  return `<g${behind(cell.tasks)}><title>${escapeMarkup(text)}</title>${marks.join("")}</g>`;
}

/**
 * Returns the text with `~` if it has few tasks, the number of scored tasks if some have no score, and a dagger if it is
 * reported; a reported `-` has no dagger.
 */
export function markedText(cell: Cell): string {
  const short = shortfallOf(cell);
  const reported = cell.reported === true && cell.text !== "" && cell.text !== "-";
  return `${cell.faint === true ? signs.faint : ""}${cell.text}${reported ? ` ${signs.reported}` : ""}${short === undefined ? "" : ` (${short})`}`;
}
