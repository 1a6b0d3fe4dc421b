import type { Binding } from "../binding.ts";
import { textKeys } from "./text.ts";

/** Edit mode: every other key types. */
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
