/** Heads of table columns: titles that neighbours share, with folding and marks. */
import { type TableColumn, type Cell, copyOf } from "../figure.ts";
import { width, wrap } from "../text/printable.ts";

/** A title over `count` columns from column `from`; empty if the columns have no title on this level. */
export type ColumnHead = { readonly title: string; readonly from: number; readonly count: number };

/** Returns the levels above the column titles, the outermost first. Every level covers all columns. */
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

/** Returns the whole name of a column on one line. */
export const columnName = ({ under = [], title }: TableColumn): string => [...under, title].join(" ");

/** Shorter titles are not folded. */
const least = 14;

/** Folds a title at its words into lines no wider than `beside`, the widest text below the title. */
export function foldedTitle(title: string, beside: number): readonly string[] {
  const word = Math.max(0, ...title.split(" ").map(width));
  return wrap(title, Math.max(least, beside, word));
}

/** Marks only the first cell if all cells are reported or empty, as papers do. */
export function markedOnce(row: readonly Cell[]): readonly Cell[] {
  if (!row.every(({ reported, text }) => reported === true || text === "")) return row;
  return row.map((cell, index) => (index === 0 ? cell : copyOf(cell, { reported: false })));
}
