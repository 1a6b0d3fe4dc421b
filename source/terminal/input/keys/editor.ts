import type { Binding } from "../binding.ts";

const scope = "editor" as const;

/** Edit mode: every other key types. */
export const editorKeys: readonly Binding[] = [
  { scope, keys: ["esc"], command: "leave", title: "Leave; the text is kept", short: "done", footer: 1 },
  {
    scope,
    keys: ["shift+enter", "ctrl+r"],
    command: "run",
    title: "Leave and run the cell",
    short: "run (Ctrl+R)",
    footer: 2,
  },
  { scope, keys: ["ctrl+s"], command: "save", title: "Keep the text and save the document", short: "save", footer: 3 },
  { scope, keys: ["enter"], command: "newline", title: "New line" },
  { scope, keys: ["tab"], command: "indent", title: "Two blanks" },
  { scope, keys: ["left", "ctrl+b"], command: "left", title: "Left" },
  { scope, keys: ["right", "ctrl+f"], command: "right", title: "Right" },
  { scope, keys: ["up"], command: "up", title: "Up" },
  { scope, keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { scope, keys: ["home", "ctrl+a"], command: "home", title: "Start of the line" },
  { scope, keys: ["end", "ctrl+e"], command: "end", title: "End of the line" },
  { scope, keys: ["ctrl+left", "alt+left"], command: "word-left", title: "A word left" },
  { scope, keys: ["ctrl+right", "alt+right"], command: "word-right", title: "A word right" },
  { scope, keys: ["pageup", "ctrl+home"], command: "page-up", title: "A page up" },
  { scope, keys: ["pagedown", "ctrl+end"], command: "page-down", title: "A page down" },
  { scope, keys: ["backspace"], command: "backspace", title: "Delete before the cursor" },
  { scope, keys: ["delete", "ctrl+d"], command: "delete", title: "Delete under the cursor" },
  { scope, keys: ["ctrl+k"], command: "cut-line", title: "Delete to the end of the line" },
  { scope, keys: ["ctrl+z"], command: "undo", title: "Undo within the text" },
];
