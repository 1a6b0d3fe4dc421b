/** Edit mode: a text buffer with its keys. The caller draws it and handles leaving it. */
import { useState } from "react";
import { useLayer, useTerminal } from "../terminal.ts";
import { type TextBuffer, bufferText, insertText, moveRows, newLine, openBuffer, textCommands } from "./text-buffer.ts";
import { moveVisually } from "./text-rows.ts";

export type Editing = {
  readonly buffer: TextBuffer;
  readonly open: (text: string) => void;
  /** Moves the cursor. */
  readonly move: (next: TextBuffer) => void;
};
type Size = { readonly columns: number; readonly rows: number };
export type Leaving = (text: string, then: "stay" | "run" | "save") => void;

/** Limit of undo steps. */
const mostUndo = 200;

type History = { readonly buffer: TextBuffer; readonly past: readonly TextBuffer[] };

/**
 * `size` is the space the text is drawn in. `first` returns the versions of a text that is open from the start, the
 * current one last.
 */
export function useEditor(
  active: boolean,
  size: Size,
  leave: Leaving,
  first: () => readonly TextBuffer[] = () => [],
): Editing {
  const { notices } = useTerminal();
  const { columns, rows: page } = size;
  const [{ buffer, past }, setHistory] = useState<History>(() => {
    const texts = first();
    return { buffer: texts.at(-1) ?? openBuffer(""), past: texts.slice(0, -1) };
  });
  const move = (next: TextBuffer) => setHistory({ buffer: next, past });
  const change = (next: TextBuffer) => {
    if (next !== buffer) setHistory({ buffer: next, past: [...past.slice(1 - mostUndo), buffer] });
  };
  useLayer(active, {
    scope: "editor",
    commands: {
      leave: () => leave(bufferText(buffer), "stay"),
      run: () => leave(bufferText(buffer), "run"),
      save: () => leave(bufferText(buffer), "save"),
      newline: () => change(newLine(buffer)),
      indent: () => change(insertText(buffer, "  ")),
      ...textCommands(buffer, move, change),
      up: () => move(moveVisually(buffer, -1, columns)),
      down: () => move(moveVisually(buffer, 1, columns)),
      "page-up": () => move(moveRows(buffer, -page)),
      "page-down": () => move(moveRows(buffer, page)),
      undo: () => {
        const before = past.at(-1);
        if (before === undefined) notices.say("There is nothing to undo in this text");
        else setHistory({ buffer: before, past: past.slice(0, -1) });
      },
    },
    text: (text) => change(insertText(buffer, text)),
    paste: (text) => change(insertText(buffer, text)),
  });
  return {
    buffer,
    move,
    open(text) {
      setHistory({ buffer: openBuffer(text), past: [] });
    },
  };
}
