import type { Binding } from "../binding.ts";

/** The keys of `ink-select-input`: after the last comes the first. */
export const shortListKeys = [
  { keys: ["j", "down", "ctrl+n"], command: "down", title: "Down; from the last to the first" },
  { keys: ["k", "up"], command: "up", title: "Up; from the first to the last" },
  { keys: ["enter"], command: "accept", title: "Choose", short: "choose", footer: 1 },
  {
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    command: "number",
    title: "Choose by its number",
  },
  { keys: ["esc", "q"], command: "back", title: "Cancel", short: "cancel", footer: 9 },
] as const satisfies readonly Binding[];
