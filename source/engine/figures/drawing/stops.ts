/** What the cursor of a figure can stand on. */
import {
  type BarsFigure,
  type Cell,
  copyOf,
  type Figure,
  type GridFigure,
  type PointsFigure,
  type TableColumn,
  type TableFigure,
} from "../../figure.ts";
import { columnName } from "../column-heads.ts";
import { ceilingText } from "../ceiling.ts";
import { intervalEnds } from "../interval-text.ts";
import type { Stop } from "./drawing.ts";
import { namingColumns } from "./table-outline.ts";
import { pointGroups } from "./plot.ts";

/** Rows of stops, each made when it is looked at: a table may have hundreds of thousands. */
export class StopRows implements Iterable<readonly Stop[]> {
  readonly length: number;
  readonly #columns: (row: number) => number;
  readonly #stop: (row: number, column: number) => Stop;
  readonly #made = new Map<number, readonly Stop[]>();

  /** So many rows, each of as many stops as `columns` says. */
  constructor(length: number, columns: (row: number) => number, stop: (row: number, column: number) => Stop) {
    this.length = length;
    this.#columns = columns;
    this.#stop = stop;
  }

  /** How many stops a row has. */
  count(row: number): number {
    return this.#columns(row);
  }

  /** The same array each time; empty where there is no such row. */
  row(at: number): readonly Stop[] {
    if (!(at >= 0 && at < this.length)) return none;
    const known = this.#made.get(at);
    if (known !== undefined) return known;
    const stops = this.#make(at);
    // Those around the cursor are looked at again with every key; of all that were ever passed, nobody needs them.
    if (this.#made.size > mostKept) this.#made.clear();
    this.#made.set(at, stops);
    return stops;
  }

  /** Whether there are tasks behind any of them: a list of them beside the figure would else stay empty. */
  get hasTasks(): boolean {
    return (this.#hasTasks ??= Iterator.from(this).some((row) =>
      row.some(({ cell }) => (cell?.tasks?.length ?? 0) > 0),
    ));
  }
  #hasTasks: boolean | undefined;

  [Symbol.iterator](): Iterator<readonly Stop[]> {
    return Array.from({ length: this.length })
      .keys()
      .map((at) => this.#make(at));
  }

  #make(row: number): readonly Stop[] {
    return Array.from({ length: this.#columns(row) }, (_, column) => this.#stop(row, column));
  }
}

const none: readonly Stop[] = [];
const mostKept = 500;

/** Columns of names before the values of a heat map. */
export const gridNames = 1;

/** Everything the cursor can stop at, row by row. */
export function figureStops(figure: Figure): StopRows {
  switch (figure.kind) {
    case "table":
      return tableStops(figure);
    case "grid":
      return gridStops(figure);
    case "bars": {
      const stop = (bar: BarsFigure["bars"][number]) => ({
        label: barName(bar),
        cell: explained(bar.cell, bar.low, bar.high),
      });
      return new StopRows(
        figure.bars.length,
        () => 1,
        (row) => stop(figure.bars[row]!),
      );
    }
    case "lines": {
      const { series, x: axis } = figure;
      return new StopRows(
        series.length,
        (row) => series[row]!.points.length,
        (row, column) => {
          const { x, cell, low, high } = series[row]!.points[column]!;
          return { label: `${series[row]!.label}, ${axis} ${x}`, cell: explained(cell, low, high) };
        },
      );
    }
    case "points":
      return pointsStops(figure);
    default:
      return figure satisfies never;
  }
}

/** The row by its names before the column, and the column. */
function tableLabel(names: readonly Cell[], of: TableColumn | undefined): string {
  const parts = [...names.map(({ text }) => text.trim()), of === undefined ? "" : columnName(of)];
  return parts.filter((part) => part !== "").join(", ");
}

/** The whole name of a bar, where it is seen alone. */
export function barName({ group, label }: BarsFigure["bars"][number]): string {
  return group === undefined ? label : `${group}, ${label}`;
}

/** With its interval and its ceiling in words, before its own note. */
function explained(cell: Cell, low = cell.low, high = cell.high): Cell {
  const ends = intervalEnds({ text: cell.text, ...(cell.value !== undefined && { value: cell.value }), low, high });
  const interval = ends === undefined ? undefined : `95 % interval ${ends.join(" to ")}`;
  const words = [interval, ceilingText(cell)].filter((part) => part !== undefined);
  if (words.length === 0) return cell;
  return copyOf(cell, { note: [...words, ...(cell.note === undefined ? [] : [cell.note])].join("; ") });
}

function tableStops(figure: TableFigure): StopRows {
  const { rows, columns } = figure;
  return new StopRows(
    rows.length,
    (row) => rows[row]!.length,
    (row, column) => ({
      label: tableLabel(rows[row]!.slice(0, Math.min(column, namingColumns(figure))), columns[column]),
      cell: explained(rows[row]![column]!),
    }),
  );
}

function gridStops(figure: GridFigure): StopRows {
  const { x, y, cells } = figure;
  // As in a table, the name of a row stands before its values.
  return new StopRows(
    y.ticks.length,
    () => x.ticks.length + gridNames,
    (row, column) => {
      const name = `${y.label} ${y.ticks[row]!}`;
      if (column < gridNames) return { label: "", cell: { text: name } };
      const at = column - gridNames;
      const cell = cells[row]?.[at];
      return {
        label: `${name}, ${x.label} ${x.ticks[at]!}`,
        cell: cell === undefined ? undefined : explained(cell),
      };
    },
  );
}

function pointsStops(figure: PointsFigure): StopRows {
  const groups = pointGroups(figure);
  return new StopRows(
    groups.length,
    (row) => groups[row]!.indexes.length,
    (row, column) => {
      const { group, indexes } = groups[row]!;
      const { x, y, label, tasks } = figure.points[indexes[column]!]!;
      const text = `${figure.x} ${Number(x.toPrecision(4))}, ${figure.y} ${Number(y.toPrecision(4))}`;
      return { label: `${group}: ${label}`, cell: { text, ...(tasks && { tasks }) } };
    },
  );
}
