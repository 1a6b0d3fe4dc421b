/** Formats cells for text formats. */
import { signs } from "../../look/signs.ts";
import { type Cell, shortfallOf } from "../figure.ts";
import { intervalText } from "./interval-text.ts";

const plainText = (text: string) => text;

/** Marks the best (`strong`) and second best (`underlined`) in the syntax of a format. */
export type Emphasis = {
  readonly strong: (text: string) => string;
  readonly underlined: (text: string) => string;
  /** True if intervals follow their values; true by default. */
  readonly intervals?: boolean;
};

/** Returns a cell as text: its value with its marks, the number of scored tasks if some have no score, and its interval. */
export function withEmphasis(
  cell: Cell,
  escape: (text: string) => string,
  { strong, underlined, intervals = true }: Emphasis,
): string {
  const { text, reported, faint, rank } = cell;
  const put = rank === 1 ? strong : rank === 2 ? underlined : plainText;
  const interval = intervals ? intervalText(cell) : undefined;
  const short = shortfallOf(cell);
  return [
    escape(faint === true ? signs.faint : ""),
    put(escape(text)),
    escape(reported === true && text !== "" ? ` ${signs.reported}` : ""),
    short === undefined ? "" : ` ${escape(`(${short})`)}`,
    interval === undefined ? "" : ` ${escape(interval)}`,
  ].join("");
}
