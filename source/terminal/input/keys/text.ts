import { key } from "../binding.ts";

/** Moving and deleting in a text field of one or more lines. */
const textKeys = [
  key(["left", "ctrl+b"], "left", "Left"),
  key(["right", "ctrl+f"], "right", "Right"),
  key(["home", "ctrl+a"], "home", "Start of the line"),
  key(["end", "ctrl+e"], "end", "End of the line"),
  key(["ctrl+left", "alt+left"], "word-left", "A word left"),
  key(["ctrl+right", "alt+right"], "word-right", "A word right"),
  key(["backspace"], "backspace", "Delete before the cursor"),
  key(["delete", "ctrl+d"], "delete", "Delete under the cursor"),
  key(["ctrl+k"], "cut-line", "Delete to the end of the line"),
] as const;

export type TextCommand = (typeof textKeys)[number]["command"];

/** A text field of one line over a screen; every other key types. */
export const lineKeys = [
  key(["enter"], "accept", "Accept the text", { short: "accept", footer: 1 }),
  key(["esc"], "back", "Cancel", { short: "cancel", footer: 2 }),
  ...textKeys,
] as const;

/** Edit mode; every other key types. */
export const editorKeys = [
  key(["esc"], "leave", "Leave the editor; the text is kept", { short: "done", footer: 1 }),
  key(["shift+enter", "ctrl+r"], "run", "Leave the editor and run the cell", { short: "run (Ctrl+R)", footer: 2 }),
  key(["ctrl+s"], "save", "Leave the editor and save the session", { short: "save", footer: 3 }),
  key(["enter"], "newline", "New line"),
  key(["tab"], "indent", "Indent by two blanks"),
  key(["up"], "up", "Up"),
  key(["down", "ctrl+n"], "down", "Down"),
  key(["pageup", "ctrl+home"], "page-up", "A page up"),
  key(["pagedown", "ctrl+end"], "page-down", "A page down"),
  ...textKeys,
  key(["ctrl+z"], "undo", "Undo a change of this text"),
] as const;
