import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { Screen, ScreenOf } from "../frame/screen.ts";

/** The list of a larger cell is read only where somebody opens it: so many are gathered in some milliseconds. */
const mostTasks = 5_000;

/**
 * What stands beside the notebook in a wide window: the first figure of the selected cell, or the tasks of its runs. Of a cell that has
 * neither, that of the next one which has, else of the last one before it; where nothing was begun, the keys.
 */
export function besideNotebook(
  cells: readonly SessionCell[],
  states: ReadonlyMap<string, CellState>,
  selected: SessionCell | undefined,
): Screen {
  const at = Math.max(
    0,
    cells.findIndex(({ id }) => id === selected?.id),
  );
  for (const cell of [...cells.slice(at), ...cells.slice(0, at).reverse()]) {
    const found = detailOf(cell, states.get(cell.id));
    if (found !== undefined) return found;
  }
  return { kind: "help", scope: "notebook" };
}

function detailOf(cell: SessionCell, state: CellState | undefined): Screen | undefined {
  if (state?.kind === "analysis" && state.figures.length > 0) return { kind: "figure", cell: cell.id, figure: 0 };
  if (state?.kind !== "run") return undefined;
  const tasks = state.runs.reduce((sum, { total }) => sum + total, 0);
  if (tasks === 0 || tasks > mostTasks) return undefined;
  return tasksOfRuns(
    cell,
    state.runs.map(({ run }) => run),
  );
}

/** The list of the tasks of some runs of a cell. */
export function tasksOfRuns({ id, name }: SessionCell, runs: readonly string[]): ScreenOf<"tasks"> {
  return { kind: "tasks", title: `run ${name}`, tasks: { cell: id, runs } };
}
