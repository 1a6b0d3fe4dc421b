/** What the keys do that all text fields have in common. */
import type { TextCommand } from "../input/keys/text.ts";
import { type TextBuffer, backspace, cutToEnd, deleteAhead, moveBy, moveWord, toEnd } from "./text-buffer.ts";

/** `move` takes a buffer with another cursor position, `change` one with another text. */
export function textCommands(
  buffer: TextBuffer,
  move: (next: TextBuffer) => void,
  change: (next: TextBuffer) => void,
): Readonly<Record<TextCommand, () => void>> {
  return {
    left: () => move(moveBy(buffer, -1)),
    right: () => move(moveBy(buffer, 1)),
    home: () => move(toEnd(buffer, "start")),
    end: () => move(toEnd(buffer, "end")),
    "word-left": () => move(moveWord(buffer, -1)),
    "word-right": () => move(moveWord(buffer, 1)),
    backspace: () => change(backspace(buffer)),
    delete: () => change(deleteAhead(buffer)),
    "cut-line": () => change(cutToEnd(buffer)),
  };
}
