import { partOf } from "../../engine/workbench/runs/run-colours.ts";
import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { Screen, ScreenOf } from "../frame/screen.ts";

/** Maximum number of tasks that are listed automatically, because gathering more takes milliseconds. */
const mostTasks = 5_000;

/**
 * Returns the screen beside the notebook in a wide window: the first figure of the selected cell or the tasks of its runs. If
 * it has neither, returns the screen of the next cell that has one, otherwise of the last such cell above; in a new notebook,
 * the keys.
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
  if (state?.kind === "analysis" && state.figures.length > 0) return figureOf(cell.id, state);
  if (state?.kind !== "run") return undefined;
  const tasks = state.runs.reduce((sum, { total }) => sum + total, 0);
  if (tasks === 0 || tasks > mostTasks) return undefined;
  return tasksOfRuns(cell, state.runs.map(partOf));
}

/** Returns the figure of an analysis cell that opens first. */
export const figureOf = (
  cell: string,
  { analysis, figures }: Extract<CellState, { readonly kind: "analysis" }>,
): ScreenOf<"figure"> => ({ kind: "figure", cell, figure: Math.max(0, analysis?.opensAt?.(figures) ?? 0) });

/** Returns the list of the tasks of some runs of a cell. */
export const tasksOfRuns = ({ id, name }: SessionCell, runs: readonly string[]): ScreenOf<"tasks"> => ({
  kind: "tasks",
  title: `run ${name}`,
  tasks: { cell: id, runs },
});
