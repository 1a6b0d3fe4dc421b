/** Computes the state of an analysis cell: its choices, and its figures or the reason why it has none. */
import type { Analysis, RunRows } from "../../analysis.ts";
import { codeProblems, withWantedCodes } from "../../measures/code-facets.ts";
import { fieldNames, fieldTitle, hasValue } from "../../measures/run-field.ts";
import { endedRowsOf, measuresOf } from "../../measures/measure-cell.ts";
import { unfinishedRun } from "../../measures/unfinished.ts";
import { withRunNotes } from "../../measures/run-notes.ts";
import { type OfferedChoices, type PlannedAnalysis, settleChoices } from "../../session/analysis-cell.ts";
import { judgePane } from "../../session/judging/judge-check.ts";
import { withJudgeNotes } from "../../session/judging/judge-notes.ts";
import { withOwnPlace } from "../../work/own-files.ts";
import type { Suite } from "../../suite.ts";
import type { Task } from "../../types.ts";
import { type PoolableRun, pooledRuns, withDistinctLabels } from "../runs/wanted-runs.ts";
import type { CellProblem, CellState } from "../session-state.ts";
import { type Claimant, NotebookClaims } from "./notebook-claims.ts";
import { FilledTables } from "./table-progress.ts";

export type AnalysisState = Extract<CellState, { kind: "analysis" }>;

/** The request of an analysis cell. */
export type AnalysisJob<Run = PoolableRun> = {
  readonly cell: string;
  readonly source: string;
  readonly problems: readonly CellProblem[];
  /** Why the analysis has no runs. */
  readonly none: string;
  readonly runs: readonly Run[];
  /** All cells of the notebook with claims; empty if the cell has none. */
  readonly claimants: readonly Claimant<Run>[];
};

/** Returns the same job with other runs. */
export function withRuns<From, To>(job: AnalysisJob<From>, each: (run: From) => To): AnalysisJob<To> {
  const claimants = job.claimants.map((claimant) => ({ ...claimant, runs: claimant.runs.map(each) }));
  return { ...job, runs: job.runs.map(each), claimants };
}

/** The figures of an analysis cell, its runs with unscored tasks, and the number of ended tasks that the figures count. */
export type WorkedOut = {
  readonly state: AnalysisState;
  readonly open: readonly string[];
  readonly ended: number;
  /** Computes the shares of the tables, if these were left out: it takes as long as the figures. */
  readonly rest?: () => AnalysisState["filled"];
};

/** Computes analysis cells, for the screen or in its thread, and reuses unchanged claims and complete tables. */
export class AnalysisCells {
  readonly #claims = new NotebookClaims();
  readonly #filled = new FilledTables();

  /** `tasksOf` returns the tasks of a run, or undefined while they are unknown. */
  workOut(
    planned: PlannedAnalysis,
    job: AnalysisJob,
    tasksOf: (run: string) => readonly Task[] | undefined,
    { isFilledLater = false } = {},
  ): WorkedOut {
    const { cell, source, none } = job;
    const runs = job.runs.map((run) => withOrder(run, tasksOf(run.run)));
    const claims = job.claimants.length === 0 ? undefined : this.#claims.of(job.claimants, cell);
    const problems = [...job.problems, ...codeProblems(runs[0]?.codes, planned.only), ...(claims?.problems ?? [])];
    const drawn = (of: readonly PoolableRun[]) =>
      analysisState(
        beforeFigures(planned, withDistinctLabels(pooledRuns(withWantedCodes(of, planned.only))), problems, none),
      );
    const shown = drawn(runs);
    const figuresOf = (of: readonly PoolableRun[]) => drawn(of).figures;
    const { filled: known, open, rest } = this.#filled.of({ cell, source, runs, tasksOf, figuresOf });
    const filled = rest === undefined || isFilledLater ? known : rest();
    const state = {
      ...shown,
      figures: [...shown.figures, ...(claims?.figures ?? [])],
      ...(claims !== undefined && { claims: claims.answers }),
      runs: runs.map(({ run }) => run),
      ...(filled.length > 0 && { filled }),
    };
    return { state, open, ended: endedRowsOf(runs).length, ...(rest !== undefined && isFilledLater && { rest }) };
  }
}

/** Adds the order of an unfinished run to it. */
function withOrder(run: PoolableRun, tasks: readonly Task[] | undefined): PoolableRun {
  const unfinished = tasks && unfinishedRun(tasks, run.rows, run.spec.seed);
  return unfinished === undefined ? run : { ...run, unfinished };
}

/** Returns the choices known from `before`, if that state was of the same analysis. */
export function withoutFigures(
  analysis: Analysis | undefined,
  chosen: PlannedAnalysis["chosen"],
  before?: AnalysisState,
) {
  const { choices, lists, titles = {} } = before?.analysis === analysis && before !== undefined ? before : nothing;
  const offered = { choices, lists, titles, listed: {}, figures: [] };
  return { kind: "analysis", analysis, warnings: [], chosen: asText(chosen), ...offered } as const;
}

const nothing = { choices: {}, lists: {}, titles: {} };

type Given = Required<Parameters<Analysis["compute"]>>;
type BeforeFigures = { readonly state: AnalysisState; readonly given?: Given };

/** Returns a state with the error if an analysis throws. */
export function analysisState({ state, given }: BeforeFigures): AnalysisState {
  if (state.analysis === undefined || given === undefined) return state;
  try {
    const figures = withRunNotes(state.analysis.compute(...given), given[0]);
    return { ...state, figures: state.analysis.name === judgePane ? figures : withJudgeNotes(figures, given[0]) };
  } catch (bug) {
    return { ...state, problems: [failed(state.analysis, bug)] };
  }
}

/** Returns the state without figures, and the inputs of the figures unless there are none. `none` is the message without runs. */
export function beforeFigures(
  { analysis, chosen, only }: PlannedAnalysis,
  runs: readonly RunRows[],
  problems: readonly CellProblem[],
  none: string,
): BeforeFigures {
  const warnings = [...new Set(runs.flatMap((run) => run.warnings))];
  const bare = {
    ...withoutFigures(analysis, chosen),
    runs: runs.map(({ run }) => run),
    labels: runs.map(({ run, label }) => ({ run, label })),
    warnings,
  };
  const empty = { ...bare, problems, missing: undefined };
  if (analysis === undefined || problems.length > 0) return { state: empty };
  if (runs.length === 0) return { state: { ...empty, missing: none } };
  const withResults = runs.filter(({ rows }) => rows.some(({ state }) => state !== "running"));
  if (withResults.length === 0) return { state: { ...empty, missing: "No results yet: press r on the run cell" } };
  try {
    const missing = analysis.missing?.(withResults);
    if (missing !== undefined) return { state: { ...empty, missing } };

    const choices = analysis.choices(withResults);

    const lists = analysis.lists?.(withResults) ?? {};

    const {
      settled,
      listed,
      problems: unfit,
    } = settleChoices({ choices, lists }, chosenBySettings(chosen, { choices, lists }, withResults));
    const picked = Object.entries(only).map(([name, values]) => `${name} ${values.join(" or ")}`);
    const text = { ...settled, ...asText({ ...listed, only: picked }) };
    const titles = titlesOf(analysis, withResults);
    const state = { ...empty, choices, lists, listed, titles, chosen: text, problems: unfit };
    return { state, given: [withResults, settled, listed] };
  } catch (bug) {
    return { state: { ...empty, problems: [failed(analysis, bug)] } };
  }
}

/**
 * Returns the choices with runs that are chosen by settings (`before: {prompts: standard}`) as their labels: the runs that have
 * one of the given values for each setting.
 */
function chosenBySettings(
  chosen: PlannedAnalysis["chosen"],
  { choices, lists = {} }: OfferedChoices,
  runs: readonly RunRows[],
): PlannedAnalysis["chosen"] {
  const labels = runs.map(({ label }) => label);
  const resolved = Object.entries(chosen).map(([name, values]) => {
    const offered = lists[name]?.values ?? choices[name] ?? [];
    const isOfRuns = labels.length > 0 && labels.every((label) => offered.includes(label));
    const pairs = values.map((value) => [value.slice(0, value.indexOf("=")), value] as const);
    if (!isOfRuns || !pairs.every(([field, value]) => field !== "" && value.includes("=") && !offered.includes(value)))
      return [name, values] as const;
    const fields = Map.groupBy(pairs, ([field]) => field);
    const fitting = runs.filter((run) =>
      [...fields].every(([field, written]) =>
        written.some(([, value]) => hasValue(run, field, value.slice(field.length + 1))),
      ),
    );
    return [name, fitting.length === 0 ? values : fitting.map(({ label }) => label)] as const;
  });
  return Object.fromEntries(resolved);
}

/** A failing analysis must not end the notebook and its runs. */
function failed({ name }: Analysis, bug: unknown): CellProblem {
  return { message: `The analysis \`${name}\` failed on these rows: ${withOwnPlace((bug as Error).message, bug)}` };
}

/** Returns names in words of settings, facets and measures of these runs, and of the analysis's own values. */
export function titlesOf({ titles = {} }: Analysis, runs: readonly RunRows[]): Readonly<Record<string, string>> {
  const fields = [...new Set(runs.flatMap(fieldNames))];
  const facets = runs.flatMap(({ suite }) => suite.facets);
  return Object.fromEntries([
    ...fields.map((name) => [name, fieldTitle(runs, name).toLowerCase()]),
    ...facets.map(({ name, title }) => [name, title.toLowerCase()]),
    ...measuresOf(runs).map(({ name, title, mode }) => [name, `${title} (${mode})`]),
    ...Object.entries(titles),
  ]);
}

/** Drops empty lists. */
function asText(listed: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>> {
  const named = Object.entries(listed).filter(([, values]) => values.length > 0);
  return Object.fromEntries(named.map(([name, values]) => [name, values.join(", ")]));
}

/**
 * Returns the reason why an analysis has no figures; undefined if it may have some. With results, the analysis decides. Without
 * results, and if it needs more than rows, the suites report which analyses they support; `isListed` is true if any suite lists
 * this analysis.
 */
export function whyEmpty(
  planned: PlannedAnalysis,
  runs: readonly (Pick<RunRows, "suite"> & { readonly results: RunRows | undefined })[],
  isListed: boolean,
): string | undefined {
  const { analysis } = planned;
  if (analysis === undefined) return undefined;
  const suites = [...new Set(runs.map(({ suite }) => suite))];
  const isOfSuite = suites.some(({ analyses }) => analyses.includes(analysis.name));
  const results = runs.flatMap((run) => run.results ?? []);
  if (analysis.needsClusters === true || analysis.needsStatistics === true || results.length === 0)
    return isOfSuite || !isListed ? undefined : `${suites.map(nameOf).join(", ")} has no data for this analysis`;
  return beforeFigures(planned, results, [], "").state.missing;
}

const nameOf = ({ title }: Suite) => title;
