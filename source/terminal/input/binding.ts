/** Keys as data. Footer, help, palette and the printed reference are made from these; see keys.ts for the table. */
import type { CellState, RunState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";

/** Where keys hold: the screens, and what can lie over them. */
export type Scope =
  | "everywhere"
  | "notebook"
  | "editor"
  | "figure"
  | "form"
  | "choices"
  | "line"
  | "live"
  | "tasks"
  | "trajectory"
  | "fork"
  | "compare"
  | "text"
  | "palette"
  | "question";

/** What a reason not to can be found in. */
export type KeyContext = {
  readonly workbench: Workbench;
  readonly cell?: SessionCell | undefined;
  readonly state?: CellState | undefined;
  readonly run?: RunState | undefined;
  /** Errors that were scored: how many the task has, and how many are on the line one is on. */
  readonly errors?: { readonly all: number; readonly here: number };
};

export type Binding = {
  readonly scope: Scope;
  /** Chords as in chord.ts; a sequence is written with blanks (`d d`). None: only in the palette. */
  readonly keys: readonly string[];
  /** Named for what it does; a screen gives a function for each it offers. */
  readonly command: string;
  readonly title: string;
  /** Shown in the footer, the lowest number first; left out of it when absent. */
  readonly footer?: number;
  /** Short word for the footer, where the title is long. */
  readonly short?: string;
  /** Why it cannot be done now, in words for a person; undefined when it can. */
  readonly disabled?: (context: KeyContext) => string | undefined;
};
