/** The heads of a table's columns: titles that several neighbours share, and how they are folded and marked. */
import { type TableColumn, type Cell, copyOf } from "../figure.ts";
import { width, wrap } from "../text/printable.ts";

/** A title over `count` columns from column `from`; empty where these have none on this level. */
export type ColumnHead = { readonly title: string; readonly from: number; readonly count: number };

/** The levels above the columns' own titles, the outermost first. Every level covers all columns. */
export function columnHeads(columns: readonly TableColumn[]): readonly (readonly ColumnHead[])[] {
  const levels = Math.max(0, ...columns.map(({ under = [] }) => under.length));
  return Array.from({ length: levels }, (_, level) => {
    const path = (column: number) => JSON.stringify((columns[column]!.under ?? []).slice(0, level + 1));
    const heads: ColumnHead[] = [];
    for (const [column, { under = [] }] of columns.entries()) {
      const title = under[level] ?? "";
      const last = heads.at(-1);
      if (last !== undefined && title !== "" && path(last.from) === path(column))
        heads[heads.length - 1] = { ...last, count: last.count + 1 };
      else heads.push({ title, from: column, count: 1 });
    }
    return heads;
  });
}

/** The whole name of a column, where there is but one line for it. */
export function columnName({ under = [], title }: TableColumn): string {
  return [...under, title].join(" ");
}

/** Shorter titles stay in one line. */
const least = 14;

/** The title of a column in lines no wider than `beside`, the widest text below it, as far as its words allow. */
export function foldedTitle(title: string, beside: number): readonly string[] {
  const word = Math.max(0, ...title.split(" ").map(width));
  return wrap(title, Math.max(least, beside, word));
}

/** The cells of a row; where all are reported, or empty, with the mark on the first alone, as in print. */
export function markedOnce(row: readonly Cell[]): readonly Cell[] {
  if (!row.every(({ reported, text }) => reported === true || text === "")) return row;
  return row.map((cell, index) => (index === 0 ? cell : copyOf(cell, { reported: false })));
}
