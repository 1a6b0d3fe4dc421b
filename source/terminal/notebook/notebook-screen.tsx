/** Shows the notebook: the cells below each other, as far as they fit into the window. */
import { Box, useAnimation } from "ink";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { type Line, lineText, styled } from "../../engine/figures/drawing/line.ts";
import { emphasised } from "../../engine/text/markdown.ts";
import { printable } from "../../engine/text/printable.ts";
import { typedSource } from "../../engine/session/document/typed-text.ts";
import type { CellState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";
import { runColours } from "../../engine/workbench/runs/run-colours.ts";
import { marksOf } from "../../engine/workbench/figures/warning-marks.ts";
import { AskedChoice, type ListRequest, listRows } from "../input/choice-list.tsx";
import { cursorAt, editorLines } from "../editor/editor-lines.ts";
import { type TextBuffer, bufferText, openBuffer } from "../editor/text-buffer.ts";
import { type Searched, useFind } from "../editor/use-find.tsx";
import { type Editing, type Leaving, useEditor } from "../editor/use-editor.ts";
import { wantedColumns } from "../../engine/figures/drawing/wanted-columns.ts";
import { Rows } from "../drawing/rows.tsx";
import type { Clickable } from "../painting/surface.ts";
import { clicks } from "../frame/clicks.ts";
import type { Screen, ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench, useLayer } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import { type Block, blockOf } from "../trajectory/block.ts";
import type { Found } from "../trajectory/find.ts";
import { optionLines, settingLines } from "./setting-lines.ts";
import { cellLines, spins } from "./cell-lines.ts";
import { besideNotebook } from "./beside-notebook.ts";
import { type CellExtent, type Viewport, layOut, topLine } from "./scroll.ts";
import { notebookCommands, saveSession } from "./notebook-commands.ts";
import { runCell } from "./run-cells.ts";

type Drawn = {
  readonly cell: SessionCell;
  readonly state: CellState;
  readonly lines: readonly Line[];
  readonly focus?: number;
};

/** `index` is the position of the selected cell: if it is removed, the cell that is then at the position is selected. */
type Wanted = Viewport & { readonly index: number };

function withIndex(viewport: Viewport, workbench: Workbench): Wanted {
  const index = workbench.cells().findIndex(({ id }) => id === viewport.selected);
  return { ...viewport, index: Math.max(0, index) };
}

/** Returns the columns that the widest figure of the cell needs; a figure that adapts to any width needs none. */
function wantedBeside(beside: Screen | undefined, states: ReadonlyMap<string, CellState>, { ascii }: Theme): number {
  const state = beside?.kind === "figure" ? states.get(beside.cell) : undefined;
  if (state?.kind !== "analysis") return 0;
  // The cursor and the edge take two columns more.
  return 2 + Math.max(0, ...state.figures.map((figure) => wantedColumns(figure, ascii, "below")));
}

export function NotebookScreen({ active, focused, leadTo, width, height }: ScreenProps<"notebook">): ReactNode {
  const book = useNotebook(active);
  const { terminal, cells, states, selected, edited, setEdited, asking, ask, viewport, go } = book;
  const { workbench } = terminal;
  const find = useFind(width);
  const listed = asking === undefined ? find.rows : listRows(asking.choices, height);
  const room = height - listed;
  // The last column stays free, because without colour the cursor itself takes a column.
  const editorSize = { columns: width - markColumns - 2, rows: room - 3 };
  const editing = useCellEditor(book, focused, editorSize);
  const drawn = active ? drawnCells(book, editing, width - 2) : [];
  const blocks = layOut(drawn.map(({ cell, lines, focus }) => ({ id: cell.id, lines: lines.length, focus })));
  const commands = notebookCommands({
    terminal,
    selected,
    state: selected && states.get(selected.id),
    blocks,
    viewport,
    height: room,
    go,
    edit(cell) {
      editing.open(editorText(cell));
      book.setWanted((before) => withIndex({ ...before, selected: cell.id }, workbench));
      setEdited(cell.id);
    },
    ask,
    find: find.open,
    opened: book.opened,
    setOpened: book.setOpened,
  });
  useLayer(focused, {
    scope: "notebook",
    commands,
    context() {
      // The cell may have been removed since this was drawn.
      const cell = workbench.cells().find(({ id }) => id === selected?.id);
      return { workbench, cell, state: cell && workbench.state(cell.id) };
    },
    extra: () => cells.map((cell) => goTo(cell, () => go({ selected: cell.id, anchor: 0 }))),
  });
  const beside = besideNotebook(cells, states, selected);
  useLayoutEffect(() => leadTo(beside, wantedBeside(beside, states, terminal.theme)));
  if (!active) return null;

  const seen: Seen = { drawn, blocks, top: topLine(blocks, viewport, room), height: room };
  const clicked =
    edited === undefined
      ? cellClicked(book, seen)
      : textClicked(edited, editing, seen, editorSize.columns, terminal.theme);
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={shownLines(book, seen)} columns={width} height={room} click={clicked} />
      {asking === undefined ? (
        find.field(searched(book, drawn, height))
      ) : (
        <AskedChoice asking={asking} columns={width} height={listed} close={() => ask(undefined)} />
      )}
    </Box>
  );
}

type Notebook = ReturnType<typeof useNotebook>;

/** Keeps the cells with their states, the selected cell, and the cell being edited. */
function useNotebook(active: boolean) {
  const terminal = useTerminal();
  const { workbench } = terminal;
  const cells = workbench.cells();
  const [wanted, setWanted] = useState<Wanted>(() =>
    withIndex({ selected: workbench.typed?.cell ?? cells[0]?.id, anchor: 0 }, workbench),
  );
  const [edited, setEdited] = useState(workbench.typed?.cell);
  const [asking, ask] = useState<ListRequest>();
  const [place, setPlace] = useState<Found>();
  /** Cells that show all their settings. */
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const go = (next: Viewport, found?: Found) => {
    setWanted(withIndex(next, workbench));
    setPlace(found);
  };
  const found = cells.findIndex(({ id }) => id === wanted.selected);
  const selected = cells[found >= 0 ? found : Math.min(wanted.index, cells.length - 1)];
  const viewport: Viewport = { ...wanted, selected: selected?.id };
  const states = new Map(cells.map((cell) => [cell.id, workbench.state(cell.id)]));
  const isSpinning = [...states.values()].some(spins);
  const { frame } = useAnimation({ interval: 120, isActive: active && isSpinning });
  // The spinner already renders often enough; the changes of runs would render two or three times as often.
  useWorkbench(active && !isSpinning);
  useAdded(active, cells, workbench, setWanted);
  return {
    terminal,
    cells,
    states,
    frame,
    selected,
    viewport,
    go,
    setWanted,
    edited,
    setEdited,
    asking,
    ask,
    opened,
    setOpened,
    /** The place that was found last. */
    place,
  };
}

/** Selects a cell that was added by the form or by undo. */
function useAdded(
  active: boolean,
  cells: readonly SessionCell[],
  workbench: Workbench,
  setWanted: (next: Wanted) => void,
): void {
  const known = useRef<ReadonlySet<string>>(undefined);
  useLayoutEffect(() => {
    if (!active) return;
    const added = cells.filter(({ id, kind }) => kind !== "front-matter" && known.current?.has(id) === false);
    if (added.length === 1) setWanted(withIndex({ selected: added[0]!.id, anchor: 2 }, workbench));
    known.current = new Set(cells.map(({ id }) => id));
  }, [active, cells, workbench, setWanted]);
}

/** Edits a cell; the workbench keeps the typed text in case the program ends. */
function useCellEditor(
  { terminal, cells, edited, setEdited }: Notebook,
  focused: boolean,
  size: Parameters<typeof useEditor>[1],
): Editing {
  const { workbench } = terminal;
  const leave: Leaving = (text, then) => {
    const cell = cells.find(({ id }) => id === edited);
    setEdited(undefined);
    workbench.keepTyped(undefined);
    if (cell === undefined) return;
    const source = typedSource(cell.source, text);
    if (source !== cell.source) workbench.edit(cell.id, source);
    if (then === "save") saveSession(terminal);
    if (then === "run" && cell.kind === "run") runCell(terminal, cell.id);
  };
  const editing = useEditor(focused && edited !== undefined, size, leave, () => typedBefore(workbench));
  const { buffer } = editing;
  useLayoutEffect(() => {
    if (edited !== undefined) workbench.keepTyped({ cell: edited, text: bufferText(buffer) });
  }, [workbench, edited, buffer]);
  return editing;
}

function drawnCells(book: Notebook, editing: Editing, columns: number): readonly Drawn[] {
  const { terminal, cells, states, edited, frame, opened } = book;
  const { workbench, theme } = terminal;
  const warned = marksOf(workbench);
  const colours = runColours(workbench);
  return cells.map((cell) => {
    const state = states.get(cell.id)!;
    if (cell.id === edited) return { cell, state, ...editedCell(cell, editing, columns - markColumns, theme) };
    const settings = opened.has(cell.id) ? settingsOf(cell, state, workbench, columns) : undefined;
    const around = { warned: warned.get(cell.id), colours, suites: workbench.suites, settings };
    const lines = cellLines(cell, state, columns, theme, frame, around);
    return { cell, state, lines };
  });
}

function settingsOf(cell: SessionCell, state: CellState, workbench: Workbench, columns: number) {
  if (state.kind === "run") return settingLines(cell, workbench, columns);
  return state.kind === "analysis" ? optionLines(state) : undefined;
}

/** The part of the document in the window. */
type Seen = {
  readonly drawn: readonly Drawn[];
  readonly blocks: readonly CellExtent[];
  /** The first visible line. */
  readonly top: number;
  readonly height: number;
};

/** Returns the visible lines, in a new notebook followed by instructions for the first steps. */
function shownLines({ terminal, cells, edited, selected, place }: Notebook, seen: Seen): readonly Line[] {
  const lines = visibleLines(seen, { selected: selected?.id, place }, terminal.theme);
  if (edited !== undefined || !isUnbegun(cells)) return lines;
  const own = seen.drawn.flatMap((each) => each.lines).length;
  return [...lines.slice(0, own), ...howToBegin(cells)];
}

function cellClicked({ terminal, selected, go }: Notebook, { drawn, blocks, top }: Seen): Clickable {
  const cellAt = (line: number) => {
    const at = blocks.findIndex(({ start, lines }) => top + line >= start && top + line < start + lines);
    return at < 0 ? undefined : at;
  };
  const here = drawn.findIndex(({ cell }) => cell.id === selected?.id);
  return clicks("notebook", terminal, cellAt, here, (at) =>
    go({ selected: blocks[at]!.id, anchor: blocks[at]!.start - top }),
  );
}

/** Puts the cursor at the clicked character. */
const textClicked = (
  cell: string,
  editing: Editing,
  { blocks, top }: Seen,
  columns: number,
  theme: Theme,
): Clickable => ({
  scope: "editor",
  at(line, column) {
    const block = blocks.find(({ id }) => id === cell);
    const row = block === undefined ? -1 : top + line - block.start - headLines;
    if (block === undefined || row < 0 || row >= block.lines - headLines) return;
    editing.move(cursorAt(editing.buffer, columns, theme, row, column - markColumns));
  },
});

function searched({ selected, place, go }: Notebook, drawn: readonly Drawn[], height: number): Searched {
  return {
    blocks: () => drawn.flatMap(searchedBlocks),
    here: lineOfPlace(),
    found(next) {
      // A place in a folded text is shown at the head of its cell.
      const line = next.opens === undefined ? next.line : 0;
      go({ selected: next.block, anchor: (height >> 1) - line }, { ...next, line });
    },
  };

  /** Returns the line of the last match, or, if the cursor has moved since, the line before the selected cell. */
  function lineOfPlace(): number {
    let before = 0;
    for (const { cell, lines } of drawn) {
      // If the place is in the folded text, counts it after the cell's first line.
      const folded = place?.opens === undefined ? 0 : 0.5;
      if (cell.id === selected?.id) return before + (place?.block === cell.id ? place.line + folded : -1);
      before += lines.length;
    }
    return -1;
  }
}

/**
 * Returns a cell's lines, preceded by the lines of its source that are not shown literally, as if folded into the first
 * one.
 */
function searchedBlocks({ cell, lines }: Drawn): Block[] {
  const shown = lines.map(lineText).join("\n");
  const hidden =
    cell.kind === "note" ? [] : cell.source.split("\n").filter((line) => !shown.includes(printable(line).trim()));
  const folded = { ...blockOf(`${cell.id} text`, []), folded: { id: cell.id, lines: hidden.map(printable) } };
  return [...(hidden.length === 0 ? [] : [folded]), blockOf(cell.id, lines)];
}

/** Returns true if the notebook is empty or, like a new one, contains only its title. */
const isUnbegun = (cells: readonly SessionCell[]): boolean =>
  cells.length < 2 && cells.every(({ kind, source }) => kind === "note" && /^# .*\n*$/.test(source));

const howToBegin = ({ length }: readonly SessionCell[]): readonly Line[] =>
  [
    "",
    length === 0 ? "  This notebook is empty." : "  No experiment here yet.",
    "",
    "  n  sets up an experiment: a benchmark, a model, tasks; r in its form runs it",
    "  b  adds a note, an experiment as text, or an analysis of the runs above",
    "  ?  lists all keys",
  ].map((text) => styled("faint", text));

/** Returns the source in the form in which it is edited, without the line break before the end of its fence. */
const editorText = ({ source }: SessionCell): string => source.replace(/\n$/, "");

/** Returns the text that an earlier program left in the editor, after the cell's own text, to which undo returns. */
function typedBefore(workbench: Workbench): readonly TextBuffer[] {
  const { typed } = workbench;
  const cell = workbench.cells().find(({ id }) => id === typed?.cell);
  if (typed === undefined || cell === undefined) return [];
  return [openBuffer(editorText(cell)), openBuffer(typed.text, "end")];
}

/** Lines above the text of an edited cell. */
const headLines = 1;
/** Columns before each line of a cell. */
const markColumns = 2;

function editedCell(cell: SessionCell, { buffer }: Editing, columns: number, theme: Theme) {
  const title = nameOf(cell);
  const head = styled("warn", `${title} (editing: Esc leaves and keeps the text)`);
  const { lines, focus } = editorLines(buffer, columns, theme);
  return { lines: [head, ...lines], focus: focus + headLines };
}

/** Returns a name for a cell whose text does not contain one. */
function nameOf({ kind, name }: SessionCell): string {
  if (kind === "front-matter") return "whole notebook";
  return kind === "note" ? "note" : `${kind} ${name}`;
}

function goTo(cell: SessionCell, perform: () => void) {
  const name = cell.kind === "note" ? (cell.source.trim().split("\n")[0] ?? "") : nameOf(cell);
  const words = emphasised(name.replace(/^#+ /, "")).map(({ text }) => text);
  return { title: `Go to cell: ${words.join("")}`, keys: [], perform };
}

/** Returns the visible lines, with a mark before the lines of the selected cell and another mark before the search result. */
function visibleLines(
  { drawn, blocks, top, height }: Seen,
  { selected, place }: { readonly selected: string | undefined; readonly place: Found | undefined },
  { symbols }: Theme,
): Line[] {
  const lines: Line[] = Array.from({ length: height }, () => []);
  for (const [index, { cell, lines: own }] of drawn.entries()) {
    const { start } = blocks[index]!;
    const found = place?.block === cell.id ? place.line : undefined;
    for (let line = Math.max(0, top - start); line < own.length && start + line < top + height; line++) {
      const mark = cell.id !== selected ? " " : line === found ? symbols.pointer : symbols.here;
      lines[start + line - top] = [{ text: `${mark} `, style: "accent" }, ...own[line]!];
    }
  }
  return lines;
}
