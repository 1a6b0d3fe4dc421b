import { key } from "../binding.ts";

/** A list over a screen; every other key filters it. */
export const choiceKeys = [
  key(["down", "ctrl+n"], "down", "Down"),
  key(["up"], "up", "Up"),
  key(["pagedown"], "page-down", "A page down"),
  key(["pageup"], "page-up", "A page up"),
  key(["home"], "first", "Go to the first"),
  key(["end"], "last", "Go to the last"),
  // A list with a single choice has no marks, so Space belongs to the filter.
  key(["space"], "mark", "Mark several values: they make a grid of runs", {
    short: "mark several",
    footer: 2,
    optional: true,
  }),
  key(["enter"], "accept", "Choose", { short: "choose", footer: 1 }),
  key(["backspace"], "erase", "Delete the last character of the filter"),
  key(["esc"], "back", "Cancel", { short: "cancel", footer: 9 }),
] as const;

/** The keys of `ink-select-input`, which wraps around at the ends. */
export const shortListKeys = [
  key(["j", "down", "ctrl+n"], "down", "Down; from the last to the first"),
  key(["k", "up"], "up", "Up; from the first to the last"),
  key(["enter"], "accept", "Choose", { short: "choose", footer: 1 }),
  key(["1", "2", "3", "4", "5", "6", "7", "8", "9"], "number", "Choose by its number"),
  key(["esc", "q"], "back", "Cancel", { short: "cancel", footer: 9 }),
] as const;

/** The command palette; every other key filters it. */
export const paletteKeys = [
  key(["down", "ctrl+n"], "down", "Down"),
  key(["up"], "up", "Up"),
  key(["enter"], "accept", "Run the command", { short: "run command", footer: 1 }),
  key(["backspace"], "erase", "Delete the last character"),
  key(["esc", "ctrl+p"], "back", "Close", { short: "close", footer: 2 }),
] as const;
