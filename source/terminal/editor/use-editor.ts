/** Edit mode: a text buffer with its keys. The caller draws it and says what leaving means. */
import { useRef, useState } from "react";
import { useLayer } from "../input/use-layer.ts";
import { type TextBuffer, bufferText, insertText, moveRows, moveVisually, newLine, openBuffer } from "./text-buffer.ts";
import { textCommands } from "./text-commands.ts";

export type Editing = { readonly buffer: TextBuffer; readonly open: (text: string) => void };
type Size = { readonly columns: number; readonly rows: number };
export type Leaving = (text: string, then: "stay" | "run" | "save") => void;

/** States that undo within the text goes back through. */
const remembered = 200;

/** `size` is the room the text is drawn in. */
export function useEditor(active: boolean, size: Size, leave: Leaving): Editing {
  const { columns, rows: page } = size;
  const [buffer, setBuffer] = useState(() => openBuffer(""));
  const past = useRef<TextBuffer[]>([]);
  const move = (next: TextBuffer) => setBuffer(next);
  const change = (next: TextBuffer) => {
    if (next === buffer) return;
    past.current = [...past.current.slice(-remembered), buffer];
    setBuffer(next);
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
        const before = past.current.pop();
        if (before !== undefined) setBuffer(before);
      },
    },
    text: (text) => change(insertText(buffer, text)),
    paste: (text) => change(insertText(buffer, text)),
  });
  return {
    buffer,
    open(text) {
      past.current = [];
      setBuffer(openBuffer(text));
    },
  };
}
