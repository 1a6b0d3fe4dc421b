import type { Binding } from "../binding.ts";

const scope = "line" as const;

/** One line over a screen: every other key types. */
export const lineKeys: readonly Binding[] = [
  { scope, keys: ["enter"], command: "take", title: "Take what was typed", short: "take", footer: 1 },
  { scope, keys: ["esc"], command: "back", title: "Leave everything as it is", short: "cancel", footer: 2 },
  { scope, keys: ["left", "ctrl+b"], command: "left", title: "Left" },
  { scope, keys: ["right", "ctrl+f"], command: "right", title: "Right" },
  { scope, keys: ["home", "ctrl+a"], command: "home", title: "Start of the line" },
  { scope, keys: ["end", "ctrl+e"], command: "end", title: "End of the line" },
  { scope, keys: ["ctrl+left", "alt+left"], command: "word-left", title: "A word left" },
  { scope, keys: ["ctrl+right", "alt+right"], command: "word-right", title: "A word right" },
  { scope, keys: ["backspace"], command: "backspace", title: "Delete before the cursor" },
  { scope, keys: ["delete", "ctrl+d"], command: "delete", title: "Delete under the cursor" },
  { scope, keys: ["ctrl+k"], command: "cut-line", title: "Delete to the end of the line" },
];
