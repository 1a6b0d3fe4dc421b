/** The heads of a table's columns: titles that several neighbours share, level by level. */
import type { TableColumn } from "../figure.ts";

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
