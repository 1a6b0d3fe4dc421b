import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

export const taskKeys = [
  ...listKeys,
  { keys: ["enter", "o"], command: "open", title: "Open the trajectory of the task", short: "open", footer: 1 },
  { keys: ["m"], command: "words", title: "Open the task at its first error in the model's words" },
  { keys: ["s"], command: "sort", title: "Sort by the next column", short: "sort", footer: 2 },
  { keys: ["S"], command: "reverse", title: "Reverse the order" },
  { keys: ["/"], command: "search", title: "Search for words", short: "search", footer: 3 },
  { keys: ["f"], command: "filter", title: "Show only right, wrong, failed ... tasks", short: "filter", footer: 4 },
  {
    keys: ["r", "ctrl+r"],
    command: "rerun",
    title: "Re-run these tasks",
    short: "re-run",
    footer: 5,
    disabled: readOnly,
  },
  { keys: ["L"], command: "live", title: "Watch the run live", short: "live", footer: 7 },
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];

/** The field for words to search for; every other key types. */
export const searchKeys = [
  { keys: ["enter"], command: "accept", title: "Keep the search", short: "keep", footer: 1 },
  { keys: ["backspace"], command: "erase", title: "Delete the last character" },
  { keys: ["esc"], command: "back", title: "End the search: show all tasks again", short: "cancel", footer: 2 },
] as const satisfies readonly Binding[];
