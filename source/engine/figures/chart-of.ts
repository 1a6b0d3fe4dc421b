/** The other form of a figure: a table column or a heat map row as bars, a chart as the table of its numbers. */
import {
  type BarsFigure,
  type Cell,
  copyOf,
  type Figure,
  type GridFigure,
  type LinesFigure,
  type PointsFigure,
  type TableFigure,
} from "../figure.ts";
import { columnName } from "./column-heads.ts";
import type { At } from "./drawing/drawing.ts";
import { pointGroups } from "./drawing/plot.ts";
import { gridNames } from "./drawing/stops.ts";
import { factOf } from "../work/fact.ts";
import { shownInPercent } from "./interval-text.ts";
import { prepared } from "./prepared-figure.ts";

/** `places` are the table rows or heat map columns that the bars represent. */
export type Chart = { readonly figure: BarsFigure; readonly places: readonly number[] };

/**
 * A figure in another form. Each of its rows shows the value at one place of the original; `column` is the column of the values.
 */
export type OtherForm = {
  readonly figure: BarsFigure | TableFigure;
  readonly places: readonly At[];
  readonly column: number;
};

/** Returns a table of numbers as bars (see `chartOf`), and a chart as a table of numbers; undefined if bars cannot be drawn. */
export function otherForm(figure: Figure, at: At): OtherForm | undefined {
  if (figure.kind !== "table" && figure.kind !== "grid") return numbersOf(figure);
  const chart = chartOf(figure, at);
  if (chart === undefined) return undefined;
  const placeOf = (place: number): At =>
    figure.kind === "table" ? { row: place, column: at.column } : { row: at.row, column: place + gridNames };
  return { figure: chart.figure, places: chart.places.map(placeOf), column: 0 };
}

const numbersOf = factOf((figure: BarsFigure | LinesFigure | PointsFigure): OtherForm => {
  const { table } = prepared(figure);
  switch (figure.kind) {
    case "bars":
      return {
        figure: counted(
          table,
          figure.bars.map(({ cell }) => cell.n),
        ),
        places: figure.bars.map((_, row) => ({ row, column: 0 })),
        column: figure.bars.some(({ group }) => group !== undefined) ? 2 : 1,
      };
    case "lines":
      return {
        figure: table,
        places: figure.series.flatMap(({ points }, row) => points.map((_, column) => ({ row, column }))),
        column: 2,
      };
    case "points": {
      const places: At[] = [];
      for (const [row, { indexes }] of pointGroups(figure).entries())
        for (const [column, index] of indexes.entries()) places[index] = { row, column };
      return { figure: table, places, column: 3 };
    }
  }
});

/** Gives the bounds of each row its number of tasks, which decides their decimals on a screen. */
function counted(table: TableFigure, counts: readonly (number | undefined)[]): TableFigure {
  const withCount = (cell: Cell, n: number | undefined) =>
    n === undefined || cell.n !== undefined || !shownInPercent(cell) ? cell : copyOf(cell, { n });
  return { ...table, rows: table.rows.map((row, at) => row.map((cell) => withCount(cell, counts[at]))) };
}

/** Maximum number of bars: more cannot be compared by eye. */
export const mostBars = 1000;

/**
 * Draws one bar per number of the table column or heat map row at `at`; for a column of names, draws the first column with
 * numbers. Returns undefined if there are no numbers or some are negative, for tables with more rows than `mostBars`, and for
 * figures that are already drawings.
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

/** Charts by row or column, because the same object is drawn again after every key. */
const charts = factOf<Figure, Map<number, Chart | undefined>>(() => new Map());

function kept(figure: Figure, place: number, make: () => Chart | undefined): Chart | undefined {
  const known = charts(figure);
  if (!known.has(place)) known.set(place, make());
  return known.get(place);
}

function chartOfColumn(figure: TableFigure, column: number): Chart | undefined {
  const title = `${figure.title}: ${columnName(figure.columns[column]!)}`;
  const rows = figure.rows.map((row) => ({ names: namesOf(figure, row), cell: row[column] }));
  // A name that all rows share does not distinguish them.
  const tells = (at: number) => new Set(rows.map(({ names }) => names[at])).size > 1;
  return charted(
    { title, notes: figure.notes },
    rows.map(({ names, cell }) => ({
      label: names.filter((name, at) => name !== "" && tells(at)).join(", "),
      cell,
    })),
  );
}

/** Returns the texts of a row in columns without numbers. */
const namesOf = ({ columns }: TableFigure, row: readonly Cell[]): readonly string[] =>
  columns.map(({ align }, at) => (align === "left" && row[at]?.value === undefined ? (row[at]?.text ?? "") : ""));

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
    bars: found.map(({ label, cell }) => ({ label, cell, low: cell.low, high: cell.high })),
    ...(isShare && { max: 1 }),
    notes,
  };
  return { figure, places: found.map(({ place }) => place) };
}
