/** Fits names into little room: the title shows a shared prefix, and the distinguishing part is never truncated. */
import { separator, signs } from "../../../look/signs.ts";
import { fitMiddle, width } from "../../text/printable.ts";
import type { TableFigure } from "../../figure.ts";
import { factOf } from "../../work/fact.ts";

/** Maximum number of names that are compared with each other. */
export const mostNames = 500;

/** Returns the smallest width, at least `least`, at which these printable texts stay distinct when truncated in the middle. */
export function columnsToTellApart(texts: readonly string[], least: number): number {
  const names = [...new Set(texts)];
  if (names.length > mostNames) return least;
  const whole = Math.max(0, ...names.map(width));
  if (whole <= least) return least;
  for (let columns = least; columns < whole; columns++)
    if (new Set(names.map((name) => fitMiddle(name, columns))).size === names.length) return columns;
  return whole;
}

/** Returns the width for names: a share of the line, or more if the names would otherwise not be distinct, up to `most`. */
export function columnsOfNames(texts: readonly string[], share: number, most: number): number {
  const widest = Math.max(0, ...texts.map(width));
  return widest <= share ? widest : Math.min(columnsToTellApart(texts, share), Math.floor(most));
}

/**
 * Returns the table with shortened names, the same object for the same table. Returns the table itself if its names have no
 * common prefix, or are too many to compare.
 */
export const withSharedPrefix = factOf((figure: TableFigure): TableFigure => {
  if (figure.rows.length > mostNames) return figure;
  const prefix = sharedPrefix(figure.rows.map(([first]) => first?.text ?? ""));
  return prefix === "" ? figure : shortened(figure, prefix);
});

function shortened(figure: TableFigure, prefix: string): TableFigure {
  const [first, ...others] = figure.columns;
  const cut = prefix.length;
  return {
    ...figure,
    columns: [{ ...first!, title: `${first!.title} ${prefix}${signs.more}` }, ...others],
    rows: figure.rows.map(([name, ...cells]) => [{ ...name!, text: name!.text.slice(cut) }, ...cells]),
  };
}

const ends = new RegExp(`/|: |, |${separator}`, "g");

/**
 * Returns the common prefix up to the last separator that all names share (`lab/`, `main: `, `llama · `), so that a part of each
 * name remains.
 */
export function sharedPrefix(names: readonly string[]): string {
  if (names.length < 2) return "";
  const [one = ""] = names;
  let length = one.length;
  for (const name of names) while (!name.startsWith(one.slice(0, length))) length -= 1;
  const shared = one.slice(0, length);
  const parts = [...shared.matchAll(ends)].map((part) => part.index + part[0].length);
  const end = parts.findLast((at) => names.every((name) => name.length > at)) ?? 0;
  return shared.slice(0, end);
}
