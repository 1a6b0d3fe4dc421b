import type { Binding } from "../binding.ts";

/** Moving and deleting in a text field of one or more lines. */
const textKeys = [
  { keys: ["left", "ctrl+b"], command: "left", title: "Left" },
  { keys: ["right", "ctrl+f"], command: "right", title: "Right" },
  { keys: ["home", "ctrl+a"], command: "home", title: "Start of the line" },
  { keys: ["end", "ctrl+e"], command: "end", title: "End of the line" },
  { keys: ["ctrl+left", "alt+left"], command: "word-left", title: "A word left" },
  { keys: ["ctrl+right", "alt+right"], command: "word-right", title: "A word right" },
  { keys: ["backspace"], command: "backspace", title: "Delete before the cursor" },
  { keys: ["delete", "ctrl+d"], command: "delete", title: "Delete under the cursor" },
  { keys: ["ctrl+k"], command: "cut-line", title: "Delete to the end of the line" },
] as const satisfies readonly Binding[];

export type TextCommand = (typeof textKeys)[number]["command"];

/** A text field of one line over a screen; every other key types. */
export const lineKeys = [
  { keys: ["enter"], command: "accept", title: "Accept the text", short: "accept", footer: 1 },
  { keys: ["esc"], command: "back", title: "Cancel", short: "cancel", footer: 2 },
  ...textKeys,
] as const satisfies readonly Binding[];

/** Edit mode; every other key types. */
export const editorKeys = [
  { keys: ["esc"], command: "leave", title: "Leave the editor; the text is kept", short: "done", footer: 1 },
  {
    keys: ["shift+enter", "ctrl+r"],
    command: "run",
    title: "Leave the editor and run the cell",
    short: "run (Ctrl+R)",
    footer: 2,
  },
  { keys: ["ctrl+s"], command: "save", title: "Leave the editor and save the session", short: "save", footer: 3 },
  { keys: ["enter"], command: "newline", title: "New line" },
  { keys: ["tab"], command: "indent", title: "Indent by two blanks" },
  { keys: ["up"], command: "up", title: "Up" },
  { keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { keys: ["pageup", "ctrl+home"], command: "page-up", title: "A page up" },
  { keys: ["pagedown", "ctrl+end"], command: "page-down", title: "A page down" },
  ...textKeys,
  { keys: ["ctrl+z"], command: "undo", title: "Undo a change of this text" },
] as const satisfies readonly Binding[];
