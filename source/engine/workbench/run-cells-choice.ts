/** Which run cells an analysis cell is of, as a choice that every analysis cell has. */
import { allAbove } from "../session/analysis-cell.ts";
import type { AnalysisState } from "./analysis-state.ts";
import type { SessionCell } from "./workbench.ts";

/** With the choice `of` first among its lists; `of` is what its cell names now, undefined where that is all above. */
export function withRunCells(
  state: AnalysisState,
  of: readonly string[] | undefined,
  cells: readonly SessionCell[],
): AnalysisState {
  const names = cells.flatMap(({ kind, name }) => (kind === "run" && name !== "" ? [name] : []));
  if (names.length === 0) return state;
  const key = JSON.stringify([names, of ?? null]);
  const known = made.get(state);
  if (known?.key === key) return known.state;
  const list = { values: [allAbove, ...new Set(names)], standard: [allAbove], alone: [allAbove] };
  const chosen = { lists: { of: list, ...state.lists }, listed: { of: of ?? [allAbove], ...state.listed } };
  const withChoice = { ...state, ...chosen };
  made.set(state, { key, state: withChoice });
  return withChoice;
}

/** The same object while nothing changes: cells are looked at with every frame. */
const made = new WeakMap<AnalysisState, { readonly key: string; readonly state: AnalysisState }>();
