/** Converts any figure to a table of cells, for formats without drawings. */
import type { Cell, Figure, TableFigure } from "../figure.ts";
import { areShownInPercent } from "./interval-text.ts";
import { valueAxis } from "./unit-note.ts";

/**
 * Converts a figure to a table that contains every value, interval and denominator. A grid's denominators are in separate
 * columns.
 */
export function figureTable(figure: Figure): TableFigure {
  const { title, notes } = figure;
  switch (figure.kind) {
    case "table":
      return figure;
    case "grid": {
      const counted = figure.cells.some((row) => row.some((cell) => cell?.n !== undefined));
      const counts = counted ? figure.x.ticks.map((tick) => `n, ${tick}`) : [];
      const columns = [`${figure.y.label} \\ ${figure.x.label}`, ...figure.x.ticks, ...counts].map(right);
      const rows = figure.cells.map((row, index) => [
        text(figure.y.ticks[index] ?? ""),
        ...row.map((cell) => cell ?? text("")),
        ...(counted ? row.map((cell) => number(cell?.n)) : []),
      ]);
      return { kind: "table", title, notes, columns, rows };
    }
    case "bars": {
      const end = endsOf(figure.bars.map(({ cell }) => cell));
      const isGrouped = figure.bars.some(({ group }) => group !== undefined);
      const columns = [...(isGrouped ? ["group"] : []), "", figure.unit, "low", "high", "n"].map((title, at) =>
        right(title, isGrouped && at === 1 ? 0 : at),
      );
      const rows = figure.bars.map(({ group = "", label, cell, low, high }) => [
        ...(isGrouped ? [text(group)] : []),
        text(label),
        withoutEnds(cell),
        end(low),
        end(high),
        number(cell.n),
      ]);
      return { kind: "table", title, notes, columns, rows };
    }
    case "lines": {
      const end = endsOf(figure.series.flatMap(({ points }) => points.map(({ cell }) => cell)));
      const columns = ["", figure.x, valueAxis(figure), "low", "high", "n"].map(right);
      const rows = figure.series.flatMap(({ label, points }) =>
        points.map(({ x, cell, low, high }) => [
          text(label),
          number(x),
          withoutEnds(cell),
          end(low),
          end(high),
          number(cell.n),
        ]),
      );
      return { kind: "table", title, notes, columns, rows };
    }
    case "points": {
      const columns = ["group", "", figure.x, figure.y].map(right);
      const rows = figure.points.map(({ x, y, group, label }) => [text(group), text(label), number(x), number(y)]);
      return { kind: "table", title, notes, columns, rows };
    }
  }
}

/** Returns a table with a note that it is empty. */
export function nothingIn(table: TableFigure): TableFigure {
  const columns = table.columns.length === 0 ? [right("", 0)] : table.columns;
  return { ...table, columns, rows: [columns.map((_, at) => text(at === 0 ? "none" : ""))] };
}

/** True if the figure has no values to draw; it then shows a note instead of empty axes or heads. */
export function isEmpty(figure: Figure): boolean {
  switch (figure.kind) {
    case "table":
      return figure.rows.length === 0;
    case "grid":
      return figure.cells.every((row) => row.every((cell) => cell === undefined));
    case "bars":
      return figure.bars.length === 0;
    case "lines":
      return figure.series.every(({ points }) => points.length === 0);
    case "points":
      return figure.points.length === 0;
  }
}

const right = (title: string, index: number) => ({
  title,
  align: index === 0 ? ("left" as const) : ("right" as const),
});
const text = (value: string): Cell => ({ text: value });
/** Rounding noise around 0 is shown as 0. */
const number = (value: number | undefined): Cell =>
  value === undefined
    ? { text: "" }
    : { text: String(Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(6))), value };

/** Returns the format of these values' interval ends, which are in separate columns. */
const endsOf = (cells: readonly Cell[]) => (areShownInPercent(cells) ? percent : number);

const percent = (value: number | undefined): Cell =>
  value === undefined ? { text: "" } : { text: `${(value * 100).toFixed(2)} %`, value };

/** Removes the interval from the value, because its ends are in separate columns. */
function withoutEnds(cell: Cell): Cell {
  const { low: _low, high: _high, ...rest } = Object.getOwnPropertyDescriptors(cell);
  return Object.defineProperties({ text: cell.text }, rest);
}
