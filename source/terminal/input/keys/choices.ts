import type { Binding } from "../binding.ts";

/** A list over a screen; every other key filters it. */
export const choiceKeys = [
  { keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { keys: ["up"], command: "up", title: "Up" },
  { keys: ["pagedown"], command: "page-down", title: "A page down" },
  { keys: ["pageup"], command: "page-up", title: "A page up" },
  { keys: ["home"], command: "first", title: "Go to the first" },
  { keys: ["end"], command: "last", title: "Go to the last" },
  {
    keys: ["space"],
    command: "mark",
    title: "Mark several values: they make a grid of runs",
    short: "mark several",
    footer: 2,
    // A list with a single choice has no marks, so Space belongs to the filter.
    optional: true,
  },
  { keys: ["enter"], command: "accept", title: "Choose", short: "choose", footer: 1 },
  { keys: ["backspace"], command: "erase", title: "Delete the last character of the filter" },
  { keys: ["esc"], command: "back", title: "Cancel", short: "cancel", footer: 9 },
] as const satisfies readonly Binding[];

/** The keys of `ink-select-input`, which wraps around at the ends. */
export const shortListKeys = [
  { keys: ["j", "down", "ctrl+n"], command: "down", title: "Down; from the last to the first" },
  { keys: ["k", "up"], command: "up", title: "Up; from the first to the last" },
  { keys: ["enter"], command: "accept", title: "Choose", short: "choose", footer: 1 },
  { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], command: "number", title: "Choose by its number" },
  { keys: ["esc", "q"], command: "back", title: "Cancel", short: "cancel", footer: 9 },
] as const satisfies readonly Binding[];

/** The command palette; every other key filters it. */
export const paletteKeys = [
  { keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { keys: ["up"], command: "up", title: "Up" },
  { keys: ["enter"], command: "accept", title: "Run the command", short: "run command", footer: 1 },
  { keys: ["backspace"], command: "erase", title: "Delete the last character" },
  { keys: ["esc", "ctrl+p"], command: "back", title: "Close", short: "close", footer: 2 },
] as const satisfies readonly Binding[];
