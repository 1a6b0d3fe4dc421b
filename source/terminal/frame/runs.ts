import type { RunState, Workbench } from "../../engine/workbench/workbench.ts";
import { plural } from "../drawing/amount.ts";
import type { Terminal } from "../terminal.ts";

/** The cell a run belongs to, with the run's state; undefined when its cell was changed or removed. */
export function cellOfRun(
  workbench: Workbench,
  run: string,
): { readonly cell: string; readonly state: RunState } | undefined {
  for (const { id, kind } of workbench.cells()) {
    if (kind !== "run") continue;
    const cell = workbench.state(id);
    const state = cell.kind === "run" ? cell.runs.find((each) => each.run === run) : undefined;
    if (state !== undefined) return { cell: id, state };
  }
  return undefined;
}

/** True from the start of a run until it has ended. */
export function isActive({ status }: Pick<RunState, "status">): boolean {
  return status === "loading" || status === "running" || status === "paused" || status === "stopping";
}

/** The runs of all run cells, each once. Those of several cells with one label are told apart by their cells' names, or by a number. */
export function allRuns(workbench: Pick<Workbench, "cells" | "state">): readonly RunState[] {
  const found = new Map<string, { readonly cell: string; readonly state: RunState }>();
  for (const { id, kind, name } of workbench.cells()) {
    const cell = kind === "run" ? workbench.state(id) : undefined;
    if (cell?.kind !== "run") continue;
    for (const state of cell.runs) if (!found.has(state.run)) found.set(state.run, { cell: name, state });
  }
  const labels = new Map<string, number>();
  for (const { state } of found.values()) labels.set(state.label, (labels.get(state.label) ?? 0) + 1);
  const named = new Map<string, number>();
  return [...found.values()].map(({ cell, state }) => {
    if (labels.get(state.label) === 1) return state;
    const label = cell === "" ? state.label : `${cell}: ${state.label}`;
    const times = (named.get(label) ?? 0) + 1;
    named.set(label, times);
    return { ...state, label: times === 1 ? label : `${label} (${times})` };
  });
}

/** Changes how many tasks of a cell run at once, and shows the new number; `run` is a run of the cell that is active. */
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
