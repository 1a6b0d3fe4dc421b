/** What is to be known of a cell's numbers beside them: behind a badge that counts it, and a key that shows it. */
import type { Figure } from "../../engine/figure.ts";
import type { CellState } from "../../engine/workbench/workbench.ts";
import { type CellWarnings, markedTexts } from "../../engine/workbench/figures/warning-marks.ts";
import { plural } from "../drawing/amount.ts";

/** `3 notes`: of the warnings that concern a figure, and of its own notes; empty where there are none. */
export function notesBadge({ notes }: Figure, marks: readonly string[]): string {
  const count = marks.length + notes.length;
  return count === 0 ? "" : plural(count, "note");
}

/** All notes of a cell, or of one of its figures, a line each; empty where there is nothing to say. */
export function notesText(state: CellState, warned: CellWarnings | undefined, only?: Figure): string {
  const listed = (texts: readonly string[]) => texts.map((text) => `- ${text}`);
  if (state.kind === "run") {
    const own = [...new Set(state.runs.flatMap(({ warnings }) => warnings))];
    return listed(own.length === warned?.marks.length ? markedTexts(own, warned) : own).join("\n");
  }
  if (state.kind !== "analysis") return "";
  const figures = only === undefined ? state.figures : [only];
  const parts = figures.map(({ title, notes }) =>
    notes.length === 0 ? [] : [...(figures.length > 1 ? ["", title] : []), ...listed(notes)],
  );
  return [...listed(markedTexts(state.warnings, warned)), ...parts.flat()].join("\n").trimStart();
}
