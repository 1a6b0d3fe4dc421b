import type { Line } from "../../engine/drawing/line.ts";
import type { CellState, SessionCell } from "../../engine/workbench.ts";
import type { Theme } from "../theme.ts";
import { analysisLines } from "./analysis-lines.ts";
import { noteLines } from "./note-lines.ts";
import { runLines } from "./run-lines.ts";

/** Prose in longer lines is hard to read. */
const readable = 100;

type Drawn = { readonly key: string; readonly lines: Line[] };
const notes = new WeakMap<SessionCell, Drawn>();

/** A cell as lines of at most `columns`; `frame` is the spinner's. */
export function cellLines(cell: SessionCell, state: CellState, columns: number, theme: Theme, frame: number): Line[] {
  switch (state.kind) {
    case "note": {
      const key = `${columns} ${theme.ascii} ${cell.source}`;
      const known = notes.get(cell);
      if (known?.key === key) return known.lines;
      const lines = noteLines(cell.source, Math.min(columns, readable), theme.symbols);
      if (lines.length === 0) lines.push([{ text: "(an empty note: Enter edits it)", style: "faint" }]);
      notes.set(cell, { key, lines });
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
