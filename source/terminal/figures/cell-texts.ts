/** Describes the options of an analysis cell and the notes of its figures. */
import { printable } from "../../engine/text/printable.ts";
import type { CellState } from "../../engine/workbench/workbench.ts";
import type { Figure } from "../../engine/figure.ts";
import { briefNames } from "../../engine/figures/drawing/brief-names.ts";
import { unmarkedText, warningMarks } from "../../engine/workbench/figures/warning-marks.ts";
import { plural } from "../../look/amounts.ts";

type Choices = Pick<Extract<CellState, { kind: "analysis" }>, "chosen" | "listed" | "titles">;

/** Returns the title of a measure or facet as figures show it; any other value unchanged. */
export const valueTitle = ({ titles = {} }: Pick<Choices, "titles">, value: string): string =>
  printable(Object.hasOwn(titles, value) ? titles[value]! : value);

/**
 * Returns text such as `measures: F1 of apps (official), by: level`; empty if the analysis has no options. `only` restricts the
 * text to options with these names.
 */
export const chosenText = (state: Choices, only: (name: string) => boolean = () => true): string =>
  chosenOptions(state)
    .filter(({ name }) => only(name))
    .map(({ name, text }) => `${printable(name)}: ${text}`)
    .join(", ");

/** Returns the options of an analysis with the titles of their values. */
export const chosenOptions = (state: Choices): readonly { readonly name: string; readonly text: string }[] =>
  Object.entries(state.chosen).map(([name, text]) => {
    const values = (state.listed[name] ?? [text]).map((value) => valueTitle(state, value));
    return { name, text: values.join(", ") };
  });

/** Returns text such as `3 notes`, counting the warnings that concern a figure and its own notes; empty if there are none. */
export function notesBadge({ notes }: Figure, marks: readonly string[]): string {
  const count = marks.length + notes.length;
  return count === 0 ? "" : plural(count, "note");
}

/** Lists all notes of a cell, or of one of its figures, one per line; empty if there are none. */
export function notesText(state: CellState, only?: Figure): string {
  const listed = (texts: readonly string[]) => texts.map((text) => `- ${text}`);
  if (state.kind === "run") {
    const { said = [] } = warningMarks([{ id: "cell", state }]).get("cell") ?? {};
    return listed(said.map((warning) => unmarkedText({ ...warning, of: briefNames(warning.of) }))).join("\n");
  }
  if (state.kind !== "analysis") return "";
  const figures = only === undefined ? state.figures : [only];
  const parts = figures.map(({ title, notes }) =>
    notes.length === 0 ? [] : [...(figures.length > 1 ? ["", title] : []), ...listed(notes)],
  );
  return [...listed(state.warnings), ...parts.flat()].join("\n").trimStart();
}
