import type { Binding } from "../binding.ts";

/** The command palette: every other key filters it. */
export const paletteKeys = [
  { keys: ["down", "ctrl+n"], command: "down", title: "Down" },
  { keys: ["up"], command: "up", title: "Up" },
  { keys: ["enter"], command: "accept", title: "Run the command", short: "run command", footer: 1 },
  { keys: ["backspace"], command: "erase", title: "Delete the last character" },
  { keys: ["esc", "ctrl+p"], command: "back", title: "Close", short: "close", footer: 2 },
] as const satisfies readonly Binding[];
