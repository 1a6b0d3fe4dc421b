import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { Choice } from "../input/choice.ts";
import type { Terminal } from "../terminal.ts";
import type { CellExtent, Viewport } from "./scroll.ts";

/** A list to choose from, and what then happens. */
export type ListRequest = {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly taken: readonly string[];
  /** Set where typed text is accepted; returns what is wrong with it. */
  readonly free?: (text: string) => string | undefined;
  readonly answer: (value: string) => void;
};

/** What the commands of the notebook work with. */
export type NotebookContext = {
  readonly terminal: Terminal;
  readonly selected: SessionCell | undefined;
  readonly state: CellState | undefined;
  readonly blocks: readonly CellExtent[];
  readonly viewport: Viewport;
  readonly height: number;
  readonly go: (viewport: Viewport) => void;
  readonly edit: (cell: SessionCell) => void;
  readonly ask: (asking: ListRequest) => void;
  /** Opens the field for words to find. */
  readonly find: () => void;
};
