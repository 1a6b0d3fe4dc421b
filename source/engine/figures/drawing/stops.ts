/** Positions of the cursor in a figure. */
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
import { floorText } from "../floor-text.ts";
import { intervalEnds, intervalWord } from "../interval-text.ts";
import type { Stop } from "./drawing.ts";
import { namingColumns } from "./table-outline.ts";
import { pointGroups } from "./plot.ts";

/** Rows of stops, each made on first access, because a table may have hundreds of thousands. */
export class StopRows implements Iterable<readonly Stop[]> {
  readonly length: number;
  readonly #columns: (row: number) => number;
  readonly #stop: (row: number, column: number) => Stop;
  readonly #made = new Map<number, readonly Stop[]>();

  /** `columns` returns the number of stops of a row. */
  constructor(length: number, columns: (row: number) => number, stop: (row: number, column: number) => Stop) {
    this.length = length;
    this.#columns = columns;
    this.#stop = stop;
  }

  /** Returns the number of stops of a row. */
  count(row: number): number {
    return this.#columns(row);
  }

  /** Returns the stops of a row, the same array each time; empty if the row does not exist. */
  row(at: number): readonly Stop[] {
    if (!(at >= 0 && at < this.length)) return none;
    const known = this.#made.get(at);
    if (known !== undefined) return known;
    const stops = this.#make(at);
    // Rows around the cursor are read after every key, but older ones are not needed again.
    if (this.#made.size > mostKept) this.#made.clear();
    this.#made.set(at, stops);
    return stops;
  }

  /** True if any stop has tasks; otherwise the task list beside the figure would be empty. */
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

/** Number of name columns before the values of a heat map. */
export const gridNames = 1;

/** Returns every position of the cursor, row by row. */
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
  }
}

/** Joins the names that precede the column with the column title. */
function tableLabel(names: readonly Cell[], of: TableColumn | undefined): string {
  const parts = [...names.map(({ text }) => text.trim()), of === undefined ? "" : columnName(of)];
  return parts.filter((part) => part !== "").join(", ");
}

/** Returns the complete name of a bar that is shown alone. */
export const barName = ({ group, label }: BarsFigure["bars"][number]): string =>
  group === undefined ? label : `${group}, ${label}`;

/** Adds the interval, the ceiling and the floor as text before the cell's own note. */
function explained(cell: Cell, low = cell.low, high = cell.high): Cell {
  const ends = intervalEnds({ text: cell.text, ...(cell.value !== undefined && { value: cell.value }), low, high });
  const word = `${cell.rough === true ? "rough " : ""}95 % ${intervalWord(cell.anytime)}`;
  const interval = ends === undefined ? undefined : `${word} ${ends.join(" to ")}`;
  const words = [interval, ceilingText(cell), floorText(cell)].filter((part) => part !== undefined);
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
  // As in a table, the row name precedes its values.
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
