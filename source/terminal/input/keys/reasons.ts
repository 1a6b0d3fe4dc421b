/** Why a command cannot be done now. */
import type { KeyContext } from "../binding.ts";

export function readOnly({ workbench }: KeyContext): string | undefined {
  return workbench.readOnly === undefined ? undefined : `Read-only: ${workbench.readOnly}`;
}

export function noCell({ cell }: KeyContext): string | undefined {
  return cell === undefined ? "There is no cell yet: b adds one" : undefined;
}

export function noRunCell(context: KeyContext): string | undefined {
  const { cell } = context;
  if (cell === undefined) return noCell(context);
  return cell.kind === "run" ? undefined : `Only a run cell can do this, and this is ${aKind(cell.kind)}`;
}

export function noAnalysisCell(context: KeyContext): string | undefined {
  const { cell } = context;
  if (cell === undefined) return noCell(context);
  return cell.kind === "analysis" ? undefined : `Only an analysis cell can do this, and this is ${aKind(cell.kind)}`;
}

function aKind(kind: "note" | "run" | "analysis"): string {
  return kind === "analysis" ? "an analysis cell" : kind === "run" ? "a run cell" : "a note";
}

const going = new Set(["loading", "running", "paused"]);

export function isGoing({ state, run }: KeyContext): boolean {
  if (run !== undefined) return going.has(run.status);
  return state?.kind === "run" && state.runs.some(({ status }) => going.has(status));
}

export function notGoing(context: KeyContext): string | undefined {
  if (context.run === undefined && noRunCell(context) !== undefined) return noRunCell(context);
  return isGoing(context) ? undefined : "Nothing is running in this cell";
}

export function cannotRun(context: KeyContext): string | undefined {
  const reason = noRunCell(context) ?? readOnly(context);
  if (reason !== undefined) return reason;
  const { state } = context;
  if (state?.kind !== "run") return undefined;
  const problem = state.problems[0];
  if (problem !== undefined) return `This cell cannot run: ${problem.message}`;
  if (state.runs.some(({ status }) => status === "stopping")) return "It is still stopping";
  if (state.runs.some(({ status }) => status === "paused")) return "It is paused: p goes on";
  return isGoing(context) ? "It is running already: x stops it, p pauses it" : undefined;
}

export function cannotCorrect(context: KeyContext): string | undefined {
  const { run, errors = { all: 0, here: 0 } } = context;
  const reason = readOnly(context);
  if (reason !== undefined) return reason;
  if (run === undefined) return "Its run is in no cell any more: nothing can be corrected";
  if (run.status === "stopping" || isGoing(context)) return "This run is going: stop it first, or wait until it ends";
  if (errors.all === 0) return "No error was found in this task: there is nothing to correct";
  return errors.here > 0 ? undefined : "No error of the scorer is on this line: 3 lists them, n goes to the next";
}

/** The first reason there is. */
export function either(...reasons: ((context: KeyContext) => string | undefined)[]) {
  return (context: KeyContext): string | undefined => {
    for (const reason of reasons) {
      const words = reason(context);
      if (words !== undefined) return words;
    }
    return undefined;
  };
}
