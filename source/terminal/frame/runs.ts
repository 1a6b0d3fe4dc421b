import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import type { RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { plural } from "../../look/amounts.ts";
import type { Terminal } from "../terminal.ts";

type Cells = Pick<Workbench, "cells" | "state">;

/** Returns the runs of this cell; empty if it is not a run cell, or was removed. */
export const runsOfCell = (workbench: Cells, cell: string): readonly RunState[] =>
  runCellState(workbench, cell)?.runs ?? [];

/** Returns the state of a run cell; undefined if it is not a run cell, or was removed. */
export function runCellState(workbench: Cells, cell: string) {
  if (!workbench.cells().some(({ id, kind }) => id === cell && kind === "run")) return undefined;
  const state = workbench.state(cell);
  return state.kind === "run" ? state : undefined;
}

/** Returns the runs of every run cell. A run that several cells contain is returned for each of them. */
export const runsOfCells = (workbench: Cells) =>
  workbench.cells().flatMap(({ id, name }) => runsOfCell(workbench, id).map((state) => ({ cell: id, name, state })));

/** Counts the runs of all cells that are loading, running, paused or stopping and for which `counts` holds. */
export const activeRuns = (workbench: Cells, counts: (run: RunState) => boolean = () => true): number =>
  runsOfCells(workbench).filter(({ state }) => isActive(state) && counts(state)).length;

/**
 * Returns the cell to which a run or part of a run belongs, with the run's state; undefined if its cell was changed or removed.
 */
export function cellOfRun(workbench: Cells, run: string) {
  const all = runsOfCells(workbench);
  return all.find(({ state }) => partOf(state) === run) ?? all.find(({ state }) => state.run === run);
}

/** Returns true from the start of a run until its end. */
export const isActive = ({ status }: Pick<RunState, "status">): boolean =>
  status === "loading" || status === "running" || status === "paused" || status === "stopping";

/**
 * Returns the runs of all run cells, each once. Runs with equal labels are distinguished by the names of their cells,
 * or by a number.
 */
export function allRuns(workbench: Cells): readonly RunState[] {
  const found = [...Map.groupBy(runsOfCells(workbench), ({ state }) => partOf(state)).values()].map((same) => same[0]!);
  const labels = new Map<string, number>();
  for (const { state } of found) labels.set(state.label, (labels.get(state.label) ?? 0) + 1);
  const named = new Map<string, number>();
  return found.map(({ name, state }) => {
    if (labels.get(state.label) === 1) return state;
    const label = name === "" ? state.label : `${name}: ${state.label}`;
    const times = (named.get(label) ?? 0) + 1;
    named.set(label, times);
    return { ...state, label: times === 1 ? label : `${label} (${times})` };
  });
}

/** Changes how many tasks of a cell are executed at once and shows the new number; `run` is an active run of the cell. */
export function changeConcurrency(
  { workbench, notices }: Terminal,
  cell: string,
  run: RunState | undefined,
  by: number,
): void {
  const wanted = Math.max(1, (run?.concurrency ?? 1) + by);
  workbench.setConcurrency(cell, wanted);
  notices.say(`Concurrency: ${plural(wanted, "task")} at once`);
}
