/** What is to be known of an exported figure beside its numbers. */
import type { Figure } from "../figure.ts";
import { rankNote } from "./drawing/draw-figure.ts";
import { tableOutline } from "./drawing/table-outline.ts";
import { countNote } from "./count-note.ts";
import { figureTable } from "./figure-table.ts";
import { unitNote } from "./unit-note.ts";

/**
 * Warnings, the figure's own notes, the unit of its values, how many tasks they rest on, and what its marks mean; `unit` is what is
 * said of it, empty for nothing.
 */
export function notesOf(figure: Figure, warnings: readonly string[], unit = unitNote(figure)): readonly string[] {
  const { marks, hasIntervals } = tableOutline(figureTable(figure));
  const rank = rankNote(marks, "Bold: best of its column; underlined: second best");
  const count = figure.kind === "table" ? countNote(figure) : undefined;
  const saysFaint = figure.notes.some((note) => note.includes("~"));
  return [
    ...warnings,
    ...figure.notes,
    ...(unit === undefined || unit === "" ? [] : [unit]),
    ...(count === undefined ? [] : [count]),
    ...(marks.reported ? ["† reported by the paper"] : []),
    ...(rank === undefined ? [] : [rank]),
    ...(marks.faint && !saysFaint ? ["~ rests on few tasks"] : []),
    ...(marks.short ? ["~ (a of b): of b tasks that ended, a have a score"] : []),
    ...(hasIntervals ? ["[a, b]: 95 % interval"] : []),
  ];
}
