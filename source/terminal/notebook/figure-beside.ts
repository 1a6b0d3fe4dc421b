import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { ScreenOf } from "../frame/screen.ts";

/** The first figure of the selected cell; of the next cell with figures where it has none, else of the last one before it. */
export function figureBeside(
  cells: readonly SessionCell[],
  states: ReadonlyMap<string, CellState>,
  selected: SessionCell | undefined,
): ScreenOf<"figure"> | undefined {
  const at = cells.findIndex(({ id }) => id === selected?.id);
  const hasFigures = ({ id }: SessionCell) => {
    const state = states.get(id);
    return state?.kind === "analysis" && state.figures.length > 0;
  };
  const found = cells.slice(Math.max(0, at)).find(hasFigures) ?? cells.slice(0, Math.max(0, at)).findLast(hasFigures);
  return found && { kind: "figure", cell: found.id, figure: 0 };
}
