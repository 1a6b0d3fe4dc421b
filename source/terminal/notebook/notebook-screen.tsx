/** The notebook: all cells one below the other; the window shows a part. */
import { Box, useAnimation } from "ink";
import { useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { type Line, lineText, styled } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import { typedSource } from "../../engine/session/typed-text.ts";
import type { CellState, SessionCell, Workbench } from "../../engine/workbench/workbench.ts";
import { runColours } from "../../engine/workbench/run-colours.ts";
import { marksOf } from "../../engine/workbench/warning-marks.ts";
import { listRows } from "../input/choice-list.tsx";
import { cursorAt, editorLines } from "../editor/editor-lines.ts";
import { type TextBuffer, bufferText, openBuffer } from "../editor/text-buffer.ts";
import { useFind } from "../editor/use-find.tsx";
import { type Editing, useEditor } from "../editor/use-editor.ts";
import { Rows } from "../drawing/rows.tsx";
import type { Clickable } from "../painting/surface.ts";
import { clicks } from "../frame/clicks.ts";
import type { ScreenProps } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import type { Theme } from "../drawing/theme.ts";
import { useLayer } from "../input/use-layer.ts";
import { type Block, blockOf } from "../trajectory/block.ts";
import type { Found } from "../trajectory/find.ts";
import { AskedChoice } from "./asked-choice.tsx";
import { cellLines, spins } from "./cell-lines.ts";
import { besideNotebook } from "./beside-notebook.ts";
import { notebookCommands, saveSession } from "./notebook-commands.ts";
import type { ListRequest } from "./notebook-context.ts";
import { runCell } from "./run-cells.ts";
import { type CellExtent, type Viewport, layOut, topLine } from "./scroll.ts";

type Drawn = {
  readonly cell: SessionCell;
  readonly state: CellState;
  readonly lines: readonly Line[];
  readonly focus?: number;
};

/** `index` is where the selected cell was: when it is removed, the cell now there is selected. */
type Wanted = Viewport & { readonly index: number };

function withIndex(viewport: Viewport, workbench: Workbench): Wanted {
  const index = workbench.cells().findIndex(({ id }) => id === viewport.selected);
  return { ...viewport, index: Math.max(0, index) };
}

export function NotebookScreen({ active, focused, leadTo, width, height }: ScreenProps<"notebook">): ReactNode {
  const terminal = useTerminal();
  const { theme } = terminal;
  const { workbench } = terminal;
  const cells = workbench.cells();
  const [wanted, setWanted] = useState<Wanted>(() =>
    withIndex({ selected: workbench.typed?.cell ?? cells[0]?.id, anchor: 0 }, workbench),
  );
  const [edited, setEdited] = useState(workbench.typed?.cell);
  const [asking, setAsking] = useState<ListRequest>();
  const [place, setPlace] = useState<Found>();
  const go = (next: Viewport, found?: Found) => {
    setWanted(withIndex(next, workbench));
    setPlace(found);
  };
  const found = cells.findIndex(({ id }) => id === wanted.selected);
  const selected = cells[found >= 0 ? found : Math.min(wanted.index, cells.length - 1)];
  const viewport: Viewport = { ...wanted, selected: selected?.id };
  const states = new Map(cells.map((cell) => [cell.id, workbench.state(cell.id)]));
  const warned = marksOf(workbench);
  const colours = runColours(workbench);
  const own = (cell: string) => ({ warned: warned.get(cell), colours });
  const spinning = [...states.values()].some(spins);
  const { frame } = useAnimation({ interval: 120, isActive: active && spinning });
  // The spinner already renders it often enough; the changes of runs would do so two or three times as often.
  useWorkbench(active && !spinning);
  const find = useFind(width);
  const listed = asking === undefined ? find.rows : listRows(asking.choices, height);
  const room = height - listed;

  // One column less than there is: without colour the cursor itself takes a column.
  const space = { columns: width - markColumns - 2, rows: room - 3 };
  const editing = useEditor(
    focused && edited !== undefined,
    space,
    (text, then) => {
      const cell = cells.find(({ id }) => id === edited);
      setEdited(undefined);
      workbench.keepTyped(undefined);
      if (cell === undefined) return;
      const source = typedSource(cell.source, text);
      if (source !== cell.source) workbench.edit(cell.id, source);
      if (then === "save") saveSession(terminal);
      if (then === "run" && cell.kind === "run") runCell(terminal, cell.id);
    },
    () => typedBefore(workbench),
  );
  useLayoutEffect(() => {
    if (edited !== undefined) workbench.keepTyped({ cell: edited, text: bufferText(editing.buffer) });
  }, [workbench, edited, editing.buffer]);
  const drawn = active ? cells.map((cell) => drawCell(cell, states.get(cell.id)!)) : [];
  const blocks = layOut(
    drawn.map(({ cell, lines, focus }) => ({
      id: cell.id,
      lines: lines.length,
      ...(focus !== undefined && { focus }),
    })),
  );
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
      setWanted((before) => withIndex({ ...before, selected: cell.id }, workbench));
      setEdited(cell.id);
    },
    ask: setAsking,
    find: find.open,
  });
  useLayer(focused, {
    scope: "notebook",
    commands,
    context: () => ({ workbench, cell: selected, state: selected && workbench.state(selected.id) }),
    extra: () => cells.map((cell) => goTo(cell, () => go({ selected: cell.id, anchor: 0 }))),
  });
  const beside = besideNotebook(cells, states, selected);
  useLayoutEffect(() => leadTo(beside));
  const known = useRef<ReadonlySet<string>>(undefined);
  useLayoutEffect(() => {
    // A cell that was added elsewhere (by the form, by undo) is selected.
    const added = cells.filter(({ id, kind }) => kind !== "front-matter" && known.current?.has(id) === false);
    if (active && added.length === 1) setWanted(withIndex({ selected: added[0]!.id, anchor: 2 }, workbench));
    if (active) known.current = new Set(cells.map(({ id }) => id));
  }, [active, cells, workbench]);
  if (!active) return null;

  const top = topLine(blocks, viewport, room);
  const lines = visibleLines(drawn, blocks, top, room, { selected: selected?.id, place }, theme);
  const clicked = edited === undefined ? cellClicked() : textClicked(edited);
  return (
    <Box flexDirection="column" height={height}>
      <Rows lines={withBeginning()} columns={width} height={room} click={clicked} />
      {asking === undefined ? (
        find.field({
          blocks: () => drawn.flatMap(searchedBlocks),
          here: lineOfPlace(),
          found(next) {
            // What is folded away stands for the head of its cell.
            const line = next.opens === undefined ? next.line : 0;
            go({ selected: next.block, anchor: (height >> 1) - line }, { ...next, line });
          },
        })
      ) : (
        <AskedChoice asking={asking} columns={width} height={listed} close={() => setAsking(undefined)} />
      )}
    </Box>
  );

  /** With how to begin below what is there, where nothing was begun. */
  function withBeginning(): readonly Line[] {
    if (edited !== undefined || !isUnbegun(cells)) return lines;
    const own = drawn.flatMap((each) => each.lines).length;
    return [...lines.slice(0, own), ...howToBegin(cells)];
  }

  function cellClicked(): Clickable {
    return clicks(
      "notebook",
      terminal,
      (line) => {
        const at = blocks.findIndex(({ start, lines: count }) => top + line >= start && top + line < start + count);
        return at < 0 ? undefined : at;
      },
      drawn.findIndex(({ cell }) => cell.id === selected?.id),
      (at) => go({ selected: blocks[at]!.id, anchor: blocks[at]!.start - top }),
    );
  }

  /** Puts the cursor where the text of the cell was clicked. */
  function textClicked(cell: string): Clickable {
    return {
      scope: "editor",
      at(line, column) {
        const block = blocks.find(({ id }) => id === cell);
        const row = block === undefined ? -1 : top + line - block.start - headLines;
        if (block === undefined || row < 0 || row >= block.lines - headLines) return;
        editing.move(cursorAt(editing.buffer, space.columns, theme, row, column - markColumns));
      },
    };
  }

  /** The number of the line the last place found is in; since the cursor was moved, that before the selected cell. */
  function lineOfPlace(): number {
    let before = 0;
    for (const { cell, lines } of drawn) {
      // Behind what is folded into the head of the cell, where that was found.
      const folded = place?.opens === undefined ? 0 : 0.5;
      if (cell.id === selected?.id) return before + (place?.block === cell.id ? place.line + folded : -1);
      before += lines.length;
    }
    return -1;
  }

  function drawCell(cell: SessionCell, state: CellState): Drawn {
    if (cell.id === edited) return { cell, state, ...editedCell(cell, editing, space.columns, theme) };
    return { cell, state, lines: cellLines(cell, state, width - 2, theme, frame, own(cell.id)) };
  }
}

/** The lines of a cell; before them, as folded into its first one, those of its text that are not shown as they are. */
function searchedBlocks({ cell, lines }: Drawn): Block[] {
  const shown = lines.map(lineText).join("\n");
  const hidden =
    cell.kind === "note" ? [] : cell.source.split("\n").filter((line) => !shown.includes(printable(line).trim()));
  const folded = { ...blockOf(`${cell.id} text`, []), folded: { id: cell.id, lines: hidden.map(printable) } };
  return [...(hidden.length === 0 ? [] : [folded]), blockOf(cell.id, lines)];
}

/** Nothing stands in it but, as in a new one, its title. */
function isUnbegun(cells: readonly SessionCell[]): boolean {
  return cells.length < 2 && cells.every(({ kind, source }) => kind === "note" && /^# .*\n*$/.test(source));
}

function howToBegin({ length }: readonly SessionCell[]): readonly Line[] {
  return [
    "",
    length === 0 ? "  This notebook is empty." : "  No experiment here yet.",
    "",
    "  n  sets up an experiment: a benchmark, a model, tasks; r there runs it",
    "  b  adds a note, an experiment as text, or an analysis of runs above it",
    "  ?  lists all keys",
  ].map((text) => styled("faint", text));
}

/** A cell's source as it is edited: the line break before the end of its fence is not shown. */
function editorText({ source }: SessionCell): string {
  return source.replace(/\n$/, "");
}

/** What an earlier program left in the editor, and before it what the cell has: undo goes back to that. */
function typedBefore(workbench: Workbench): readonly TextBuffer[] {
  const { typed } = workbench;
  const cell = workbench.cells().find(({ id }) => id === typed?.cell);
  if (typed === undefined || cell === undefined) return [];
  return [openBuffer(editorText(cell)), openBuffer(typed.text, "end")];
}

/** Lines of an edited cell above its text. */
const headLines = 1;
/** Before each line of a cell. */
const markColumns = 2;

function editedCell(cell: SessionCell, { buffer }: Editing, columns: number, theme: Theme) {
  const title = nameOf(cell);
  const head = styled("warn", `${title} (editing: Esc leaves and keeps the text)`);
  const { lines, focus } = editorLines(buffer, columns, theme);
  return { lines: [head, ...lines], focus: focus + headLines };
}

/** What a cell is called where its text does not tell. */
function nameOf({ kind, name }: SessionCell): string {
  if (kind === "front-matter") return "whole notebook";
  return kind === "note" ? "note" : `${kind} ${name}`;
}

function goTo(cell: SessionCell, perform: () => void) {
  const name = cell.kind === "note" ? (cell.source.trim().split("\n")[0] ?? "") : nameOf(cell);
  return { title: `Go to cell: ${name.replace(/^#+ /, "")}`, keys: [], perform };
}

/** The lines from `top` on, those of the selected cell with a mark before them, another one before what was found. */
function visibleLines(
  drawn: readonly Drawn[],
  blocks: readonly CellExtent[],
  top: number,
  height: number,
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
