/** Data that screens, exports and reports derive from a whole figure, computed once per figure. */
import { signs } from "../../look/signs.ts";
import type { Figure, TableFigure } from "../figure.ts";
import { factOf } from "../work/fact.ts";
import { FloorLook } from "./floor-text.ts";
import { CountLook, drawingUnits, TableUnits } from "./unit-note.ts";
import { figureStops, type StopRows } from "./drawing/stops.ts";
import {
  type IntervalPlace,
  naturalWidths,
  OutlineLook,
  rankNote,
  shortNote,
  type TableOutline,
} from "./drawing/table-outline.ts";
import { bracketNotes } from "./interval-text.ts";
import { figureTable, isEmpty, nothingIn } from "./figure-table.ts";

/** Totals over all cells of a table, which may have hundreds of thousands of rows while a screen draws a few. */
export type TableLook = {
  readonly outline: TableOutline;
  /** Note on the values shown in percent. */
  readonly units: string | undefined;
  /** Note on the number of tasks per value. */
  readonly counts: string | undefined;
  /** The scores of trivial answers, and the values that are not above them. */
  readonly floors: string | undefined;
  readonly below: string | undefined;
};

export class PreparedFigure {
  readonly #figure: Figure;
  #look: TableLook | undefined;
  #table: TableFigure | undefined;
  #stops: StopRows | undefined;
  readonly #widths: Partial<Record<IntervalPlace, readonly number[]>> = {};

  /** `look` is the result of another thread, or that of the same figure under another title. */
  constructor(figure: Figure, look?: TableLook) {
    this.#figure = figure;
    this.#look = look;
  }

  /** The figure as a table of cells, for formats without drawings. */
  get table(): TableFigure {
    return (this.#table ??= figureTable(this.#figure));
  }

  /** The table for readers, with a message if it is empty. */
  get readable(): TableFigure {
    return isEmpty(this.#figure) ? nothingIn(this.table) : this.table;
  }

  /** Reads each row of the table once, because rows of long tables are made when they are read. */
  get look(): TableLook {
    return (this.#look ??= lookOf(this.table));
  }

  /** Returns the width of each column of the table if nothing is truncated, with the intervals at this place. */
  widths(place: IntervalPlace): readonly number[] {
    return (this.#widths[place] ??= naturalWidths(this.table.columns, this.look.outline, place));
  }

  /** The note on the values shown in percent, if neither their texts nor the axes show it. */
  get units(): string | undefined {
    return this.#figure.kind === "table" ? this.look.units : drawingUnits(this.#figure);
  }

  /** Every position of the cursor, row by row. */
  get stops(): StopRows {
    return (this.#stops ??= figureStops(this.#figure));
  }

  /**
   * Returns warnings, the notes of the figure, the unit of its values, the tasks per value and the meaning of its marks. `unit`
   * replaces the note on the unit; an empty text omits the note.
   */
  notes(warnings: readonly string[], unit: string | undefined = this.units): readonly string[] {
    const { notes, kind } = this.#figure;
    const { outline, counts, below } = this.look;
    const { marks, hasIntervals } = outline;
    const rank = rankNote(marks, "Bold: best of its column; underlined: second best");
    const saysFaint = notes.some((note) => note.includes("~"));
    return [
      ...warnings,
      ...notes,
      ...(below === undefined ? [] : [below]),
      ...(unit === undefined || unit === "" ? [] : [unit]),
      ...(counts === undefined || kind !== "table" ? [] : [counts]),
      ...(marks.reported ? [`${signs.reported} reported by the paper`] : []),
      ...(rank === undefined ? [] : [rank]),
      ...(marks.faint && !saysFaint ? ["~ based on few tasks"] : []),
      ...(marks.short ? [shortNote(marks, "~")] : []),
      ...(hasIntervals ? bracketNotes(marks) : []),
    ];
  }

  /** Returns the figure under another title without reading its cells again. */
  titled(title: string): Figure {
    const figure = { ...this.#figure, title };
    if (figure.kind === "table") prepared.know(figure, new PreparedFigure(figure, this.look));
    return figure;
  }
}

/** Returns the same object for the same figure. */
export const prepared = factOf((figure: Figure) => new PreparedFigure(figure));

/** Reads all cells of tables in advance, so that drawing a table then reads only its visible rows. */
export function lookedThrough(figures: readonly Figure[]): readonly Figure[] {
  for (const figure of figures) if (figure.kind === "table") void prepared(figure).look;
  return figures;
}

function lookOf(table: TableFigure): TableLook {
  const [units, outline, counts] = [new TableUnits(table), new OutlineLook(table), new CountLook(table)];
  const floors = new FloorLook(table);
  for (const row of table.rows) for (const each of [units, outline, counts, floors]) each.look(row);
  const ofFloors = { floors: floors.floors(), below: floors.note() };
  return { outline: outline.outline(), units: units.note(), counts: counts.note(), ...ofFloors };
}
