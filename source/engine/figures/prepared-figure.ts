/** What screens, exports and reports need of a whole figure, each worked out once however often they show it. */
import type { Figure, TableFigure } from "../figure.ts";
import { factOf } from "../work/fact.ts";
import { CountLook, drawingUnits, TableUnits } from "./unit-note.ts";
import { figureStops, type StopRows } from "./drawing/stops.ts";
import { OutlineLook, rankNote, type TableOutline } from "./drawing/table-outline.ts";
import { figureTable, isEmpty, nothingIn } from "./figure-table.ts";

/** What all cells of a table add up to: it may have hundreds of thousands of rows, of which a screen draws a few. */
export type TableLook = {
  readonly outline: TableOutline;
  /** Which values are shown in percent. */
  readonly units: string | undefined;
  /** How many tasks the values rest on. */
  readonly counts: string | undefined;
};

export class PreparedFigure {
  readonly #figure: Figure;
  #look: TableLook | undefined;
  #table: TableFigure | undefined;
  #stops: StopRows | undefined;

  /** `look` is what another thread, or the same figure under another title, found in the cells. */
  constructor(figure: Figure, look?: TableLook) {
    this.#figure = figure;
    this.#look = look;
  }

  /** The figure as a table of cells, for formats that know nothing else. */
  get table(): TableFigure {
    return (this.#table ??= figureTable(this.#figure));
  }

  /** The same for people, who are told if it is empty. */
  get readable(): TableFigure {
    return isEmpty(this.#figure) ? nothingIn(this.table) : this.table;
  }

  /** Looks at each row of the table once, because rows of long tables are made when they are read. */
  get look(): TableLook {
    return (this.#look ??= lookOf(this.table));
  }

  /** Which values are shown in percent, if neither their texts nor the axes say so. */
  get units(): string | undefined {
    return this.#figure.kind === "table" ? this.look.units : drawingUnits(this.#figure);
  }

  /** Everything the cursor can stop at, row by row. */
  get stops(): StopRows {
    return (this.#stops ??= figureStops(this.#figure));
  }

  /**
   * Warnings, the notes of the figure, the unit of its values, how many tasks they rest on, and what its marks mean. `unit`
   * replaces the note on the unit; an empty one leaves it out.
   */
  notes(warnings: readonly string[], unit: string | undefined = this.units): readonly string[] {
    const { notes, kind } = this.#figure;
    const { outline, counts } = this.look;
    const { marks, hasIntervals } = outline;
    const rank = rankNote(marks, "Bold: best of its column; underlined: second best");
    const saysFaint = notes.some((note) => note.includes("~"));
    return [
      ...warnings,
      ...notes,
      ...(unit === undefined || unit === "" ? [] : [unit]),
      ...(counts === undefined || kind !== "table" ? [] : [counts]),
      ...(marks.reported ? ["† reported by the paper"] : []),
      ...(rank === undefined ? [] : [rank]),
      ...(marks.faint && !saysFaint ? ["~ rests on few tasks"] : []),
      ...(marks.short ? ["~ (a of b): of b tasks that ended, a have a score"] : []),
      ...(hasIntervals ? ["[a, b]: 95 % interval"] : []),
    ];
  }

  /** The figure under another title; its cells are not looked at again. */
  titled(title: string): Figure {
    const figure = { ...this.#figure, title };
    if (figure.kind === "table") prepared.know(figure, new PreparedFigure(figure, this.look));
    return figure;
  }
}

/** The same object for the same figure. */
export const prepared = factOf((figure: Figure) => new PreparedFigure(figure));

/** The same figures, with all cells of tables looked at: drawing a table then takes as long as drawing the rows that are seen. */
export function lookedThrough(figures: readonly Figure[]): readonly Figure[] {
  for (const figure of figures) if (figure.kind === "table") void prepared(figure).look;
  return figures;
}

function lookOf(table: TableFigure): TableLook {
  const [units, outline, counts] = [new TableUnits(table), new OutlineLook(table), new CountLook(table)];
  for (const row of table.rows) for (const each of [units, outline, counts]) each.look(row);
  return { outline: outline.outline(), units: units.note(), counts: counts.note() };
}
