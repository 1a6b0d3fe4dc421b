/** The part of a table that a paper printed, as figures show it and as it was transcribed. */
import type { Cell, TableFigure } from "../../source/engine/figure.ts";
import { columnName } from "../../source/engine/figures/column-heads.ts";

/** Numbers of a paper by line and column; null where it prints a dash. */
export type Printed = {
  readonly columns: readonly string[];
  readonly lines: readonly (readonly (number | null)[])[];
};

type Numbers = Readonly<Record<string, unknown>>;
/** A table as transcribed: lines by name, or a list of lines that hold their names too. */
export type Transcribed = {
  readonly columns: readonly string[];
  readonly rows: Readonly<Record<string, Numbers>> | readonly Numbers[];
};

/** Names of its columns are put into those of the figure by `name`; those without one are left out. */
export function transcribed(
  { columns, rows }: Transcribed,
  name: (column: string) => string | undefined = (column) => column,
): Printed {
  const named = columns.filter((column) => name(column) !== undefined);
  const lines = (Array.isArray(rows) ? rows : Object.values(rows)) as readonly Numbers[];
  return {
    columns: named.map((column) => name(column)!),
    lines: lines.map((line) => named.map((column) => numberOf(line[column]))),
  };
}

const numberOf = (value: unknown) => (typeof value === "number" ? value : null);

/** What a figure shows of the paper: lines and columns with a number that was reported, read as they are shown. */
export function shown({ columns, rows }: TableFigure): Printed {
  const isNumber = (cell: Cell, column: number) =>
    columns[column]!.align === "right" && cell.reported === true && cell.value !== undefined;
  const lines = rows.filter((line) => line.some(isNumber));
  const at = columns.flatMap((_, column) => (lines.some((line) => isNumber(line[column]!, column)) ? [column] : []));
  return {
    columns: at.map((column) => columnName(columns[column]!)),
    lines: lines.map((line) => at.map((column) => (line[column]!.text === "-" ? null : Number(line[column]!.text)))),
  };
}
