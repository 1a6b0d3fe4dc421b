/** What pictures of all kinds are put together from. */
import { type Cell, shortfallOf } from "../../figure.ts";
import { width } from "../../text/printable.ts";
import type { TaskRef } from "../../types.ts";
import type { ColourOf } from "../drawing/drawing.ts";
import { ceilingText } from "../ceiling.ts";
import { intervalText } from "../interval-text.ts";
import { escapeMarkup } from "../markup.ts";
import { hexOf, palettes } from "../palette.ts";

/** Pixels from one line of text to the next, and those a character of 12 pixels takes in the widest of the usual fonts. */
export const line = 18;
export const character = 7.25;
/** Words beside what is read first; contrast on white 7 to 1. */
export const quiet = "#595959";
/** How lines at ceilings are dashed; what a paper reports has shorter dashes. */
export const ceilingDash = 'stroke-dasharray="7 4"';

/** A picture without its title and notes. */
export type Drawn = { readonly width: number; readonly height: number; readonly marks: Iterable<string> };

export type Around = {
  /** Attributes of what is drawn for these tasks, such as ` data-tasks="1-5"`; the page around the picture reads them. */
  behind(tasks: readonly TaskRef[] | undefined): string;
  readonly colourOf: ColourOf;
};

/** The colour of a series: that of its run, else by its place. */
export function strokeOf(number: number): string {
  const { series } = palettes.light;
  return hexOf(series[number % series.length]!);
}

export const round = (value: number) => Number(value.toFixed(2));

/** How wide a text of 12 pixels is at most. */
export const textWidth = (text: string) => width(text) * character;

export function textMark(x: number, y: number, text: string, attributes = ""): string {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escapeMarkup(text)}</text>`;
}

export function rule(x1: number, y1: number, x2: number, y2: number, stroke = "#999", more = ""): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"${more}/>`;
}

/** A mark with what it stands for, its value and what that rests on under the pointer. */
export function hover(names: readonly string[], cell: Cell, { behind }: Around, ...marks: readonly string[]): string {
  const about = [
    names.filter((name) => name !== "").join(", "),
    markedText(cell),
    intervalText(cell) ?? "",
    cell.n === undefined ? "" : `n ${cell.n}`,
    ceilingText(cell) ?? "",
    cell.note ?? "",
  ];
  const text = about.filter((part) => part !== "").join(" · ");
  return `<g${behind(cell.tasks)}><title>${escapeMarkup(text)}</title>${marks.join("")}</g>`;
}

/** With `~` before what rests on few tasks, and how few these are, and the dagger of what a paper reports; `-` is no value of it. */
export function markedText(cell: Cell): string {
  const short = shortfallOf(cell);
  const reported = cell.reported === true && cell.text !== "" && cell.text !== "-";
  return `${cell.faint === true ? "~" : ""}${cell.text}${reported ? " †" : ""}${short === undefined ? "" : ` (${short})`}`;
}
