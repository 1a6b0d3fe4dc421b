import type { Line } from "../../engine/figures/drawing/line.ts";
import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { Theme } from "../drawing/theme.ts";
import { analysisLines } from "./analysis-lines.ts";
import { noteLines } from "./note-lines.ts";
import { runLines } from "./run-lines.ts";

/** Prose in longer lines is hard to read. */
const readable = 100;

type Drawn = {
  readonly cell: SessionCell;
  readonly columns: number;
  readonly theme: Theme;
  readonly frame: number;
  readonly lines: Line[];
};
/** By the state, as that is another object once anything in it changed; notes, whose states are alike, by the cell. */
const known = new WeakMap<object, Drawn>();

/** A cell as lines of at most `columns`; `frame` is the spinner's. Laid out once for as long as nothing differs. */
export function cellLines(cell: SessionCell, state: CellState, columns: number, theme: Theme, frame: number): Line[] {
  const key = state.kind === "note" ? cell : state;
  const drawn = known.get(key);
  const same = drawn?.cell === cell && drawn.columns === columns && drawn.theme === theme;
  if (same && (drawn.frame === frame || !spins(state))) return drawn.lines;
  const lines = laidOut(cell, state, columns, theme, frame);
  known.set(key, { cell, columns, theme, frame, lines });
  return lines;
}

/** Whether something in it turns while nothing else happens. */
export function spins(state: CellState): boolean {
  return state.kind === "run" && state.runs.some(({ status }) => ["loading", "running", "stopping"].includes(status));
}

function laidOut(cell: SessionCell, state: CellState, columns: number, theme: Theme, frame: number): Line[] {
  switch (state.kind) {
    case "note": {
      const lines = noteLines(cell.source, Math.min(columns, readable), theme.symbols);
      if (lines.length === 0) lines.push([{ text: "(an empty note: Enter edits it)", style: "faint" }]);
      return lines;
    }
    case "run":
      return runLines(cell, state, columns, theme, frame);
    case "analysis":
      return analysisLines(cell, state, columns, theme);
    default:
      state satisfies never;
      return [];
  }
}
