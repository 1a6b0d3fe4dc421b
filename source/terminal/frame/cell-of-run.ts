import type { RunState, Workbench } from "../../engine/workbench/workbench.ts";

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
