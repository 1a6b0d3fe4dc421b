/** Why an analysis cell is of no runs: there is no run cell, or what there is cannot run. */
import type { CellProblem } from "../../session/cell.ts";
import type { SessionCell } from "../workbench.ts";

/** `of`: the run cells it is of, which have no runs. */
export function whyNoRuns(
  of: readonly SessionCell[],
  problemsOf: (cell: SessionCell) => readonly CellProblem[],
): string {
  const [wrong, ...others] = of.filter((cell) => problemsOf(cell).length > 0);
  if (wrong === undefined) return "No run cell above this one";
  if (others.length > 0) return `${others.length + 1} run cells have mistakes: correct them first`;
  return `The run cell${wrong.name === "" ? "" : ` ${wrong.name}`} has a mistake: correct it first`;
}
