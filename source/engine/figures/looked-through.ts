/** Figures of so many cells that the screen would wait while they are looked through for what drawing a few of their rows asks. */
import type { Figure } from "../figure.ts";
import { CountLook, countNote } from "./count-note.ts";
import { OutlineLook, tableOutline } from "./drawing/table-outline.ts";
import { TableUnits, unitNote } from "./unit-note.ts";

/** The same figures; drawing them takes no longer than drawing the rows that are seen. */
export function lookedThrough(figures: readonly Figure[]): readonly Figure[] {
  for (const figure of figures) {
    if (figure.kind === "table") {
      const [units, outline, counts] = [new TableUnits(figure), new OutlineLook(figure), new CountLook(figure)];
      // All at each row: rows of long tables are made when they are read.
      for (const row of figure.rows) {
        units.look(row);
        outline.look(row);
        counts.look(row);
      }
      tableOutline.know(figure, outline.outline());
      countNote.know(figure, counts.note());
      unitNote.know(figure, units.note());
    } else unitNote(figure);
  }
  return figures;
}
