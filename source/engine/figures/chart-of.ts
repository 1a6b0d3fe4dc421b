/** Numbers of a table or heat map as bars, for who would rather look at them. */
import type { BarsFigure, Cell, Figure, GridFigure, TableFigure } from "../figure.ts";
import { columnName } from "./column-heads.ts";
import type { At } from "./drawing/drawing.ts";
import { factOf } from "../work/fact.ts";
import { shownInPercent } from "./interval-text.ts";

/** `places` are the rows (of a table) or columns (of a heat map) that the bars stand for. */
export type Chart = { readonly figure: BarsFigure; readonly places: readonly number[] };

/** Nobody compares more bars than these. */
export const mostBars = 1000;

/**
 * The column of a table, or the row of a heat map, that `at` is in, a bar for each of its numbers; in a table's column of names, the
 * first column with numbers. Undefined where there are none or some are below 0, for tables of more rows than `mostBars`, and for
 * figures that are drawn already.
 */
export function chartOf(figure: Figure, at: At): Chart | undefined {
  if (figure.kind === "grid") return kept(figure, at.row, () => chartOfRow(figure, at.row));
  if (figure.kind !== "table" || figure.rows.length > mostBars) return undefined;
  const numbered = figure.columns.flatMap((_, column) =>
    figure.rows.some((row) => row[column]?.value !== undefined) ? [column] : [],
  );
  const column = numbered.includes(at.column) ? at.column : numbered[0];
  return column === undefined ? undefined : kept(figure, column, () => chartOfColumn(figure, column));
}

/** By row or column: the same object is drawn again with every key. */
const charts = factOf<Figure, Map<number, Chart | undefined>>(() => new Map());

function kept(figure: Figure, place: number, make: () => Chart | undefined): Chart | undefined {
  const known = charts(figure);
  if (!known.has(place)) known.set(place, make());
  return known.get(place);
}

function chartOfColumn(figure: TableFigure, column: number): Chart | undefined {
  const title = `${figure.title}: ${columnName(figure.columns[column]!)}`;
  const rows = figure.rows.map((row) => ({ names: namesOf(figure, row), cell: row[column] }));
  // What all rows are called does not tell them apart.
  const tells = (at: number) => new Set(rows.map(({ names }) => names[at])).size > 1;
  return charted(
    { title, notes: figure.notes },
    rows.map(({ names, cell }) => ({
      label: names.filter((name, at) => name !== "" && tells(at)).join(", "),
      cell,
    })),
  );
}

/** The texts of a row in columns that hold no numbers. */
function namesOf({ columns }: TableFigure, row: readonly Cell[]): readonly string[] {
  return columns.map(({ align }, at) =>
    align === "left" && row[at]?.value === undefined ? (row[at]?.text ?? "") : "",
  );
}

function chartOfRow(figure: GridFigure, row: number): Chart | undefined {
  const { x, y, cells } = figure;
  return charted(
    { title: `${figure.title}: ${y.label} ${y.ticks[row] ?? ""}`, notes: figure.notes },
    x.ticks.map((label, column) => ({ label, cell: cells[row]?.[column] })),
  );
}

type Titled = Pick<BarsFigure, "title" | "notes">;

function charted(
  { title, notes }: Titled,
  all: readonly { readonly label: string; readonly cell: Cell | undefined }[],
): Chart | undefined {
  const found = all.flatMap(({ label, cell }, place) => (cell?.value === undefined ? [] : [{ label, cell, place }]));
  if (found.length === 0 || found.some(({ cell }) => cell.value! < 0)) return undefined;
  const isShare = found.every(({ cell }) => shownInPercent(cell) && cell.value! <= 1);
  const figure: BarsFigure = {
    kind: "bars",
    title,
    unit: isShare ? "%" : "",
    bars: found.map(({ label, cell }) => ({
      label,
      cell,
      ...(cell.low !== undefined && { low: cell.low }),
      ...(cell.high !== undefined && { high: cell.high }),
    })),
    ...(isShare && { max: 1 }),
    notes,
  };
  return { figure, places: found.map(({ place }) => place) };
}
