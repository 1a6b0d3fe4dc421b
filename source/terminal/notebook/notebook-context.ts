import type { CellState, SessionCell } from "../../engine/workbench/workbench.ts";
import type { ListRequest } from "../input/choice-list.tsx";
import type { Terminal } from "../terminal.ts";
import type { CellExtent, Viewport } from "./scroll.ts";

/** The context of the notebook's commands. */
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
  /** Opens the search field. */
  readonly find: () => void;
};
