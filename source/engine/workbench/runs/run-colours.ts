/** One colour a run through the whole notebook: in lists, legends and figures, whatever a run is called there. */
import type { ColourOf } from "../../figures/drawing/drawing.ts";
import type { CellState, Workbench } from "../workbench.ts";

/** The number of its colour for every run, in the order of the notebook. */
export function runColours(workbench: Pick<Workbench, "cells" | "state">): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const { id, kind } of workbench.cells()) {
    if (kind !== "run") continue;
    const state = workbench.state(id);
    for (const { run } of state.kind === "run" ? state.runs : []) if (!numbers.has(run)) numbers.set(run, numbers.size);
  }
  return numbers;
}

/**
 * The colours of what stands in an analysis cell's figures: of a text that is the name of a run there, and of a title that ends
 * with one (`Errors: flat`), with or without the marks of warnings behind it. Figures know runs by these names alone. The same
 * function as long as the colours of these runs are the same: what it coloured need not be drawn again.
 */
export function colouringOf(state: CellState, colours: ReadonlyMap<string, number>): ColourOf {
  const named = (state.kind === "analysis" ? state.labels : undefined) ?? none;
  const known = new Map<string, number>();
  for (const { label, run } of named) {
    const colour = colours.get(run);
    if (colour !== undefined) known.set(label, colour);
  }
  const before = last.get(named);
  if (before !== undefined && isSame(before.known, known)) return before.colourOf;
  const labels = [...known.keys()];
  const colourOf = (marked: string) => {
    const label = runNamed(marked, labels);
    return label === undefined ? undefined : known.get(label);
  };
  last.set(named, { known, colourOf });
  return colourOf;
}

type Colouring = { readonly known: ReadonlyMap<string, number>; readonly colourOf: ColourOf };

/** By the runs of a cell, as last asked for. */
const last = new WeakMap<NonNullable<Extract<CellState, { kind: "analysis" }>["labels"]>, Colouring>();
const none: NonNullable<Extract<CellState, { kind: "analysis" }>["labels"]> = [];

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([label, colour]) => other.get(label) === colour);
}

/** The one of these labels that a text is, or that a title ends with (`Errors: flat`); marks of warnings behind it count for nothing. */
export function runNamed(marked: string, labels: readonly string[]): string | undefined {
  const text = marked.replace(/ (\[\d+\])+$/, "");
  if (labels.includes(text)) return text;
  // The longest: one name may end another.
  return labels.filter((each) => text.endsWith(`: ${each}`)).sort((a, b) => b.length - a.length)[0];
}
