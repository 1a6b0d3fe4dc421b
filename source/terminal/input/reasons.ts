/** Reasons why a command cannot be used now. */
import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { KeyContext } from "./binding.ts";

export const readOnly = ({ workbench }: KeyContext): string | undefined =>
  workbench.readOnly === undefined ? undefined : `Read-only: ${workbench.readOnly}`;

export const noCell = ({ cell }: KeyContext): string | undefined =>
  cell === undefined ? "There is no cell yet: b adds one" : undefined;

const notOfKind =
  (...allowed: readonly SessionCell["kind"][]) =>
  (context: KeyContext) => {
    const { cell } = context;
    if (cell === undefined) return noCell(context);
    return allowed.includes(cell.kind)
      ? undefined
      : `Only for ${allowed.join(" and ")} cells; this is ${kinds[cell.kind]}`;
  };

export const noRunCell = notOfKind("run");
export const noAnalysisCell = notOfKind("analysis");

/** Runs and analyses have settings. */
export const noSettings = notOfKind("run", "analysis");

const kinds: Readonly<Record<SessionCell["kind"], string>> = {
  "front-matter": "front matter",
  note: "a note",
  run: "a run cell",
  analysis: "an analysis cell",
  kinds: "a kinds cell",
};

/** The first cell cannot move up, and the last one cannot move down. */
export const cannotMove =
  (by: 1 | -1) =>
  ({ workbench, cell }: KeyContext): string | undefined => {
    const cells = workbench.cells();
    const other = cells[cells.findIndex(({ id }) => id === cell?.id) + by];
    if (other === undefined) return by > 0 ? "This is the last cell" : "This is the first cell";
    const isFixed = cell?.kind === "front-matter" || other.kind === "front-matter";
    return isFixed ? "Front matter stays before all cells" : undefined;
  };

export function noOlderCode({ state }: KeyContext): string | undefined {
  const runs = state?.kind === "run" ? state.runs : [];
  const has = runs.some(({ older, kept }) => older !== undefined || kept !== undefined);
  return has ? undefined : "This cell has no results of older code";
}

export function notGivenAway({ state }: KeyContext): string | undefined {
  const isAway = state?.kind === "run" && state.runs.some(({ givenAway }) => givenAway === true);
  return isAway ? undefined : "No worker has tasks of this cell, or the results are being collected";
}

/** Statuses in which a run can be paused, resumed and stopped; a stopping run cannot. */
const running = new Set(["loading", "running", "paused"]);

const isActive = (state: CellState): boolean =>
  state.kind === "run" && state.runs.some(({ status }) => running.has(status) || status === "stopping");

export function isRunning({ state, run }: KeyContext): boolean {
  if (run !== undefined) return running.has(run.status);
  return state?.kind === "run" && state.runs.some(({ status }) => running.has(status));
}

export function notRunning(context: KeyContext): string | undefined {
  if (context.run === undefined && noRunCell(context) !== undefined) return noRunCell(context);
  return isRunning(context) ? context.workbench.unsteerable : "Nothing is running in this cell";
}

export function cannotRun(context: KeyContext): string | undefined {
  const reason = noRunCell(context) ?? readOnly(context);
  if (reason !== undefined) return reason;
  const { state } = context;
  if (state?.kind !== "run") return undefined;
  const problem = state.problems[0];
  if (problem !== undefined) return `This cell cannot run: ${problem.message}`;
  if (state.runs.some(({ status }) => status === "stopping")) return "The run is still stopping";
  if (state.runs.some(({ status }) => status === "paused")) return "The run is paused: p resumes it";
  return isRunning(context) ? "The run is already running: x stops it, p pauses it" : undefined;
}

export function cannotRunAll(context: KeyContext): string | undefined {
  const { workbench } = context;
  const reason = readOnly(context);
  if (reason !== undefined) return reason;
  const cells = workbench.cells().filter(({ kind }) => kind === "run");
  if (cells.length === 0) return "There is no run cell yet: n sets up an experiment";
  const active = cells.find(({ id }) => isActive(workbench.state(id)));
  return active && `${active.name} is running: x on that cell stops it`;
}

export function cannotCorrect(context: KeyContext): string | undefined {
  const { run, isScored = false } = context;
  const reason = readOnly(context) ?? whileBlind(context);
  if (reason !== undefined) return reason;
  if (run === undefined) return "No cell requests this run any more: nothing can be corrected";
  if (run.status === "stopping" || isRunning(context)) return "The run is not finished: stop it first, or wait";
  return isScored ? undefined : "This task has no score: there is nothing to correct";
}

export function cannotTag(context: KeyContext): string | undefined {
  if (context.run === undefined) return "No cell requests this run any more: nothing can be tagged";
  return (
    readOnly(context) ?? (context.hasBegun === false ? "This task has not begun: there is nothing to tag" : undefined)
  );
}

/** Commands that would reveal facts hidden from a person who labels blind. */
export const whileBlind = ({ isBlind = false }: KeyContext): string | undefined =>
  isBlind ? "Not available while you label blind" : undefined;

/** For commands about the runs of a run cell or of an analysis. */
export function noRuns(context: KeyContext): string | undefined {
  const { state } = context;
  const runs = state?.kind === "run" || state?.kind === "analysis" ? state.runs : [];
  return noCell(context) ?? (runs.length === 0 ? "Only for cells with runs" : undefined);
}

/** Returns the first reason that applies. */
export const either =
  (...reasons: ((context: KeyContext) => string | undefined)[]) =>
  (context: KeyContext): string | undefined => {
    for (const reason of reasons) {
      const text = reason(context);
      if (text !== undefined) return text;
    }
    return undefined;
  };
