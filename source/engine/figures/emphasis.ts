/** Cells in the words of formats that are read as text. */
import { type Cell, shortfallOf } from "../figure.ts";
import { intervalText } from "./interval-text.ts";

const plainText = (text: string) => text;

/** A cell's text with its marks; `strong` and `underlined` put the best and second best in the words of a format. */
export type Emphasis = { readonly strong: (text: string) => string; readonly underlined: (text: string) => string };

/** A cell in a line of text: its value with its marks, how many it rests on where these are too few, and its interval. */
export function withEmphasis(cell: Cell, escape: (text: string) => string, { strong, underlined }: Emphasis): string {
  const { text, reported, faint, rank } = cell;
  const put = rank === 1 ? strong : rank === 2 ? underlined : plainText;
  const interval = intervalText(cell);
  const short = shortfallOf(cell);
  return [
    escape(faint === true ? "~" : ""),
    put(escape(text)),
    escape(reported === true && text !== "" ? " †" : ""),
    short === undefined ? "" : ` ${escape(`(${short})`)}`,
    interval === undefined ? "" : ` ${escape(interval)}`,
  ].join("");
}
