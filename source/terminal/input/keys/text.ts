import type { Binding } from "../binding.ts";

/** Moving and deleting in a text field, of one line or of many. */
export const textKeys = [
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
