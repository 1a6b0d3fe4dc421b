/** What all names in the first column of a table begin with, put into its title: where there is little room, they are told apart then. */
import type { TableFigure } from "../../figure.ts";
import { factOf } from "../../work/fact.ts";
import { mostNames } from "./told-apart.ts";

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
