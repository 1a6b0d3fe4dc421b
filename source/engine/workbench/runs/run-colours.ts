/** Assigns each run one colour for the whole notebook (lists, legends and figures), under any name. */
import { hues } from "../../../look/palettes.ts";
import type { ColourOf } from "../../figures/drawing/drawing.ts";
import type { CellState, ReadSession, RunState } from "../session-state.ts";

/** Returns the identifier of a cell's part of a run; cells of different tasks may share the run's folder. */
export const partOf = ({ part, run }: Pick<RunState, "part" | "run">): string => part ?? run;

/**
 * Returns the number of its colour for every part of a run, in the order of the notebook; a run has the colour of its first part.
 * If the notebook has several models, the hue is that of the model and the shade that of the other settings, so that the same
 * settings have the same shade for each model.
 */
export function runColours(workbench: Pick<ReadSession, "cells" | "state">): ReadonlyMap<string, number> {
  const [numbers, firsts] = [new Map<string, number>(), new Map<string, number>()];
  const numberOf = numbering(workbench);
  for (const { id, kind } of workbench.cells()) {
    if (kind !== "run") continue;
    const state = workbench.state(id);
    for (const run of state.kind === "run" ? state.runs : []) {
      const part = partOf(run);
      if (!numbers.has(part)) numbers.set(part, numberOf(run));
      firsts.set(run.run, firsts.get(run.run) ?? numbers.get(part)!);
    }
  }
  return new Map([...firsts, ...numbers]);
}

/** Returns a function that numbers runs as they come: by model and other settings, or in their order if all have one model. */
function numbering(workbench: Pick<ReadSession, "cells" | "state">): (run: RunState) => number {
  const [models, others] = [new Map<string, number>(), new Map<string, number>()];
  const runs = workbench.cells().flatMap(({ id }) => {
    const state = workbench.state(id);
    return state.kind === "run" ? state.runs : [];
  });
  for (const { spec } of runs) if (!models.has(spec.model)) models.set(spec.model, models.size);
  let seen = 0;
  if (models.size < 2) return () => seen++;
  return ({ spec }) => {
    const setting = JSON.stringify({ ...spec, model: undefined });
    if (!others.has(setting)) others.set(setting, others.size);
    return (models.get(spec.model)! % hues) + hues * others.get(setting)!;
  };
}

/**
 * Returns the colours of texts in an analysis cell's figures: names of runs, and titles that end with a name (`Errors: flat`),
 * with or without marks of warnings. Figures know runs only by these names. Returns the same function until these runs' colours
 * change, so that coloured parts need not be drawn again.
 */
export function colouringOf(state: CellState, colours: ReadonlyMap<string, number>): ColourOf {
  const named = (state.kind === "analysis" ? state.labels : undefined) ?? none;
  const known = new Map<string, number>();
  for (const { label, run } of named) {
    const colour = colours.get(run);
    if (colour !== undefined) known.set(label, colour);
  }
  const before = last.get(named);
  if (before !== undefined && isSameColours(before.known, known)) return before.colourOf;
  const labels = [...known.keys()];
  const colourOf = (marked: string) => {
    const label = runNamed(marked, labels);
    return label === undefined ? undefined : known.get(label);
  };
  last.set(named, { known, colourOf });
  return colourOf;
}

type Colouring = { readonly known: ReadonlyMap<string, number>; readonly colourOf: ColourOf };

/** The last result, by the runs of a cell. */
const last = new WeakMap<NonNullable<Extract<CellState, { kind: "analysis" }>["labels"]>, Colouring>();
const none: NonNullable<Extract<CellState, { kind: "analysis" }>["labels"]> = [];

/** Colours are collected again in every frame. */
export const isSameColours = (one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean =>
  one.size === other.size && [...one].every(([label, colour]) => other.get(label) === colour);

/** Returns the label that a text equals or that a title ends with (`Errors: flat`), ignoring marks of warnings. */
export function runNamed(marked: string, labels: readonly string[]): string | undefined {
  const text = marked.replace(/ (\[\d+\])+$/, "");
  if (labels.includes(text)) return text;
  // Chooses the longest because one name may end another.
  return labels.filter((each) => text.endsWith(`: ${each}`)).sort((a, b) => b.length - a.length)[0];
}
