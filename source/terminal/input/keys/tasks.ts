import { key } from "../binding.ts";
import { backKeys, copyKeys, listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

export const taskKeys = [
  ...listKeys,
  key(["enter", "o"], "open", "Open the trajectory of the task", { short: "open", footer: 1 }),
  key(["m"], "words", "Open the task at its first error in the model's words"),
  key(["s"], "sort", "Sort by the next column", { short: "sort", footer: 2 }),
  key(["S"], "reverse", "Reverse the order"),
  key(["/"], "search", "Search for words", { short: "search", footer: 3 }),
  key(["f"], "filter", "Show only right, wrong, failed ... tasks", { short: "filter", footer: 4 }),
  key(["r", "ctrl+r"], "rerun", "Re-run these tasks", { short: "re-run", footer: 5, disabled: readOnly }),
  key(["L"], "live", "Watch the run live", { short: "live", footer: 7 }),
  ...copyKeys,
  ...backKeys,
] as const;

/** The field for words to search for; every other key types. */
export const searchKeys = [
  key(["enter"], "accept", "Keep the search", { short: "keep", footer: 1 }),
  key(["backspace"], "erase", "Delete the last character"),
  key(["esc"], "back", "End the search: show all tasks again", { short: "cancel", footer: 2 }),
] as const;
