/** Formats 95 % intervals in the unit of their value. */
import { dash } from "../../look/signs.ts";
import type { Cell } from "../figure.ts";

/** Before a rough interval; one column wide in ASCII too. */
const roughMark = "~";

/** Explains the brackets, and the mark before rough intervals. */
export const bracketNotes = ({ rough, anytime }: Record<"rough" | "anytime", boolean>): readonly string[] => [
  `[a, b]: 95 % ${intervalWord(anytime)}${anytime ? ", valid after every task" : ""}`,
  ...(rough ? [`${roughMark}[a, b]: approximate 95 % interval; with 10 tasks, its actual coverage is below 88 %`] : []),
];

type Ended = Pick<Cell, "text" | "value" | "rough"> & {
  readonly low?: number | undefined;
  readonly high?: number | undefined;
};

/** Returns text such as `[38.2, 52.1]`, in percent if the value is; undefined without a value or an interval. */
export function intervalText(cell: Ended): string | undefined {
  const ends = intervalEnds(cell);
  return ends === undefined ? undefined : `${markOf(cell)}[${ends.join(", ")}]`;
}

/**
 * Returns text such as `38–52`, in percent, rounded to whole numbers, so that the interval is seldom wider than the value above it;
 * undefined without a value or an interval.
 */
export function briefInterval(cell: Ended, ascii: boolean): string | undefined {
  const ends = intervalEnds(cell);
  const shown = ends && shownInPercent(cell) ? ends.map((end) => String(Math.round(Number(end)))) : ends;
  return shown && `${markOf(cell)}${shown.join(ascii ? "-" : dash)}`;
}

const markOf = ({ rough }: Ended) => (rough === true ? roughMark : "");

export function intervalEnds({ text, value, low, high }: Ended): readonly [string, string] | undefined {
  if (value === undefined || low === undefined || high === undefined) return undefined;
  const inPercent = shownInPercent({ text, value });
  const shown = (end: number) => (inPercent ? (end * 100).toFixed(1) : String(Math.round(end * 1000) / 1000));
  return [shown(low), shown(high)];
}

type Shown = Pick<Cell, "text" | "value">;

/** True if a cell's text shows its share in percent; for 0, decimals indicate percent. */
export function shownInPercent({ text, value }: Shown): boolean {
  if (value === undefined) return false;
  return value === 0 ? /^0\.00? ?%?$/.test(text) : Math.abs(Number.parseFloat(text) / value - 100) < 5;
}

/** True if the numbers of an axis are shown in percent, the same for all of them; nonzero numbers decide, if there are any. */
export function areShownInPercent(cells: readonly Shown[]): boolean {
  const numbers = cells.filter(({ value }) => value !== undefined);
  const others = numbers.filter(({ value }) => value !== 0);
  return (others.length > 0 ? others : numbers).some(shownInPercent);
}

/** Returns the name of a figure's intervals: unfinished runs may have confidence sequences. */
export const intervalWord = (anytime: boolean | undefined): string =>
  anytime === true ? "confidence sequence" : "interval";
