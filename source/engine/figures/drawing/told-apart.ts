/** Names with little room: a shared prefix goes into the title, and the distinguishing part is never cut. */
import { fitMiddle, width } from "../../text/printable.ts";
import type { TableFigure } from "../../figure.ts";
import { factOf } from "../../work/fact.ts";

/** Among more names than these nobody compares each with each. */
export const mostNames = 500;

/** The fewest columns, `least` or more, in which these printable texts are still different when they are cut in their middles. */
export function columnsToTellApart(texts: readonly string[], least: number): number {
  const names = [...new Set(texts)];
  if (names.length > mostNames) return least;
  const whole = Math.max(0, ...names.map(width));
  if (whole <= least) return least;
  for (let columns = least; columns < whole; columns++)
    if (new Set(names.map((name) => fitMiddle(name, columns))).size === names.length) return columns;
  return whole;
}

/** Columns for names of which all have a share of the line, more where they would look alike otherwise, and never more than `most`. */
export function columnsOfNames(texts: readonly string[], share: number, most: number): number {
  const widest = Math.max(0, ...texts.map(width));
  return widest <= share ? widest : Math.min(columnsToTellApart(texts, share), Math.floor(most));
}

/**
 * The table with shorter names; the same one for the same table, or the table itself where its names have nothing in common, or
 * are more than anyone compares.
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
    columns: [{ ...first!, title: `${first!.title} ${prefix}…` }, ...others],
    rows: figure.rows.map(([name, ...cells]) => [{ ...name!, text: name!.text.slice(cut) }, ...cells]),
  };
}

/** Up to the last end of a part that all have (`lab/`, `main: `, `llama, `), so that something is left of each. */
export function sharedPrefix(names: readonly string[]): string {
  if (names.length < 2) return "";
  const [one = ""] = names;
  let length = one.length;
  for (const name of names) while (!name.startsWith(one.slice(0, length))) length -= 1;
  const shared = one.slice(0, length);
  const parts = [...shared.matchAll(/\/|: |, /g)].map((part) => part.index + part[0].length);
  const end = parts.findLast((at) => names.every((name) => name.length > at)) ?? 0;
  return shared.slice(0, end);
}
