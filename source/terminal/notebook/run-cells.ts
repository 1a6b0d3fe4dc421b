/** Executes run cells, one or all of the notebook, and reports how they ended. */
import { endedTasks, openTasks, summedCounts } from "../../engine/log/rows/task-counts.ts";
import type { RunState, SessionCell } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import { whenAllowed } from "../frame/allow.ts";
import { report } from "../frame/notices.ts";
import type { Terminal } from "../terminal.ts";

/** Starts the runs of a cell, and reports how they ended. */
export function runCell(terminal: Terminal, cell: string): void {
  whenAllowed(terminal, [cell], () =>
    report(terminal, terminal.workbench.run(cell), () => notifyEnd(terminal, [cell])),
  );
}

/**
 * Runs all run cells in order, each after the previous cell has ended; finished tasks are not repeated. Stopping a cell's runs
 * also prevents later cells from running; a cell that failed or cannot run does not.
 */
export function runAllCells(terminal: Terminal): void {
  const cells = terminal.workbench.cells().flatMap(({ id, kind }) => (kind === "run" ? [id] : []));
  whenAllowed(terminal, cells, () => report(terminal, runInOrder(terminal, cells)));
}

async function runInOrder(terminal: Terminal, cells: readonly string[]): Promise<void> {
  for (const cell of cells) {
    // The cell may have been deleted since.
    if (cellNow(terminal, cell) === undefined) continue;
    if (!(await terminal.workbench.run(cell))) return notifyEnd(terminal, cells);
  }
  const [refused] = statesOf(terminal, cells).filter(({ state }) => state.problems.length > 0);
  if (refused === undefined) notifyEnd(terminal, cells);
  else terminal.notices.say(`${refused.name} could not run: ${refused.state.problems[0]!.message}`, "bad");
}

const cellNow = ({ workbench }: Terminal, cell: string): SessionCell | undefined =>
  workbench.cells().find(({ id }) => id === cell);

const statesOf = (terminal: Terminal, cells: readonly string[]) =>
  cells.flatMap((id) => {
    const cell = cellNow(terminal, id);
    const state = cell && terminal.workbench.state(id);
    return cell !== undefined && state?.kind === "run" ? [{ name: cell.name, state }] : [];
  });

/** Reports how the runs of these cells ended. */
function notifyEnd(terminal: Terminal, cells: readonly string[]): void {
  const { notices } = terminal;
  const runs = statesOf(terminal, cells).flatMap(({ state }) => state.runs);
  if (runs.length === 0) return;
  const verdict = runs.find(({ message }) => message !== undefined)?.message;
  if (verdict !== undefined && runs.every(({ status }) => status === "decided" || status === "done"))
    return notices.say(verdict, "good");
  const problem = problemOf(runs);
  if (problem !== undefined) return notices.say(problem, "bad");
  const counts = summedCounts(runs.map((run) => run.counts));
  const ended = endedTasks(counts);
  const { right, unscored } = counts;
  const rest = unscored === 0 ? "" : `, ${unscored} unscored`;
  if (runs.every(({ status }) => status === "done"))
    return notices.say(`Done: ${right} of ${ended} right${rest}`, "good");
  const tasks = plural(ended + openTasks(counts), "task");
  notices.say(`Stopped after ${ended} of ${tasks}: ${cells.length > 1 ? "R" : "r"} resumes`);
}

/** Returns the first message of any of the runs. */
export function problemOf(runs: readonly RunState[]): string | undefined {
  const found = runs.find(({ message }) => message !== undefined);
  return found && `${found.label}: ${found.message}`;
}
