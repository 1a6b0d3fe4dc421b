/** Keys as data. Footer, help, palette and the README are made from these; see keys.ts for the whole table. */
import type { CellState, RunState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";

/** Where keys apply: the screens, and what can lie over them. */
export type Scope =
  | "everywhere"
  | "notebook"
  | "editor"
  | "figure"
  | "form"
  | "choices"
  | "short-list"
  | "line"
  | "live"
  | "tasks"
  | "search"
  | "trajectory"
  | "fork"
  | "compare"
  | "beside"
  | "text"
  | "palette"
  | "question";

/** What a command is checked against before it runs. */
export type KeyContext = {
  readonly workbench: Workbench;
  readonly cell?: SessionCell | undefined;
  readonly state?: CellState | undefined;
  readonly run?: RunState | undefined;
  /** Whether the task has been scored. */
  readonly isScored?: boolean;
};

export type Binding = {
  /** Chords as in chord.ts; a sequence is written with blanks (`d d`). None: only in the palette. */
  readonly keys: readonly string[];
  /** Named for what it does. A screen of this scope must have a handler for it. */
  readonly command: string;
  readonly title: string;
  /** Shown in the footer, the lowest number first; left out of it when absent. */
  readonly footer?: number;
  /** Short word for the footer, where the title is long. */
  readonly short?: string;
  /** Why it cannot be used now, as shown to the user; undefined when it can. */
  readonly disabled?: (context: KeyContext) => string | undefined;
  /** A layer of this scope may leave it out: its key then types, and neither footer nor palette shows it. */
  readonly optional?: true;
};
