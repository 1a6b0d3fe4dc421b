/**
 * Places the warnings of a notebook: each appears in full once, in the first cell that it concerns, and as a mark in the others.
 */
import type { Figure } from "../../figure.ts";
import { prepared } from "../../figures/prepared-figure.ts";
import type { CellState, ReadSession, RunState } from "../session-state.ts";

export type MarkedWarning = {
  readonly mark: string;
  readonly text: string;
  /** Labels of the runs of this cell that the warning concerns; empty means all. */
  readonly of: readonly string[];
  /** True if the warning does not affect any reading of a number. */
  readonly isRemark?: true;
};

/** The warnings of a cell: the warnings shown in full, and the marks of all warnings that concern the cell. */
export type CellWarnings = { readonly said: readonly MarkedWarning[]; readonly marks: readonly string[] };

/**
 * Returns warnings by cell, in the order of the notebook; `remarks` do not affect any reading of a number. Cells without warnings
 * are omitted.
 */
export function warningMarks(
  cells: readonly { readonly id: string; readonly state: CellState }[],
  remarks: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, CellWarnings> {
  const marks = new Map<string, string>();
  const shown = new Map<string, CellWarnings>();
  for (const { id, state } of cells) {
    const said: MarkedWarning[] = [];
    const own = [...warningsOf(state)].map(([text, of]) => {
      const known = marks.get(text);
      const mark = known ?? `[${marks.size + 1}]`;
      if (known === undefined) {
        marks.set(text, mark);
        said.push({ mark, text, of, ...(remarks.has(text) && { isRemark: true }) });
      }
      return mark;
    });
    if (own.length > 0) shown.set(id, { said, marks: own });
  }
  return shown;
}

/** Returns warnings of an open notebook for its current cells. */
export function marksOf(workbench: ReadSession): ReadonlyMap<string, CellWarnings> {
  const cells = workbench.cells().map(({ id }) => ({ id, state: workbench.state(id) }));
  return warningMarks(cells, remarksOf(workbench));
}

/** Warnings that do not affect any reading of a number. */
export const remarksOf = ({ suites }: Pick<ReadSession, "suites">): ReadonlySet<string> =>
  new Set(suites.flatMap(({ remarks = [] }) => remarks));

/** Returns a figure with marks next to its title. */
export const markedFigure = (figure: Figure, { marks }: CellWarnings = { said: [], marks: [] }): Figure =>
  marks.length === 0 ? figure : prepared(figure).titled(`${figure.title} ${marks.join("")}`);

/** True for the warning that a model reads the answer key. */
export const isAboutAnswerKey = (text: string): boolean => text.endsWith(" reads the answer key");

/** True for the warning that the tasks are samples. */
export const isAboutSample = (text: string): boolean => text.startsWith("Sample tasks");

/** Returns each warning of a cell, with the labels of its runs unless it concerns all runs. */
function warningsOf(state: CellState): ReadonlyMap<string, readonly string[]> {
  if (state.kind === "analysis") return new Map(state.warnings.map((text) => [text, []]));
  if (state.kind !== "run") return new Map();
  // A run that is not loaded yet has only one known warning.
  const known = state.runs.filter((run) => run.status !== "ready" || warningsOfRun(run).length > 0);
  const holders = new Map<string, string[]>();
  for (const run of known)
    for (const text of new Set(warningsOfRun(run))) holders.set(text, [...(holders.get(text) ?? []), run.label]);
  return new Map([...holders].map(([text, labels]) => [text, labels.length === known.length ? [] : labels]));
}

/** Warns before a run starts that its answers will come from the answer key. */
function warningsOfRun({ warnings, readsAnswerKey, spec }: RunState): readonly string[] {
  if (!readsAnswerKey || warnings.some(isAboutAnswerKey)) return warnings;
  const model = spec.model.startsWith("builtin/") ? spec.model : "A model";
  const reader = spec.pick === "oracle" ? "pick: oracle" : model;
  return [`${reader} reads the answer key`, ...warnings];
}

/**
 * Returns the text below the runs of a cell: warnings that are shown there, otherwise the marks of warnings that are shown
 * above.
 */
export function warningTexts({ said, marks }: CellWarnings): readonly string[] {
  if (said.length > 0) return said.map(warningText);
  return marks.length > 0 ? [marks.join("")] : [];
}

/** Returns a warning in full, with its mark. */
export const warningText = (warning: MarkedWarning): string => `${warning.mark} ${unmarkedText(warning)}`;

/** Returns a warning with its runs unless its text contains them. Labels may contain commas. */
export function unmarkedText({ text, of }: Omit<MarkedWarning, "mark">): string {
  const isNamed = of.every((label) => text.startsWith(`${label} `));
  return `${isNamed ? "" : `${of.join("; ")}: `}${text}`;
}
