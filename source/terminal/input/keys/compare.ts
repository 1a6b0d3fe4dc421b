import { key } from "../binding.ts";
import { backKeys, copyKeys, findKeys, listKeys, leftRightKeys } from "./movement.ts";

/** Two runs compared. */
export const compareKeys = [
  ...listKeys,
  key(["enter", "o"], "open", "Show both plans of the task beside each other", { short: "both plans", footer: 1 }),
  key(["1"], "open-first", "Open the task in the first run", { short: "open first", footer: 2 }),
  key(["2"], "open-second", "Open the task in the second run", { short: "open second", footer: 2 }),
  key(["f"], "filter", "Show only tasks whose score differs, or all", { short: "filter", footer: 3 }),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;

/** A task in two runs. */
export const besideKeys = [
  ...listKeys,
  key(["tab"], "section", "Plans or steps", { short: "plans/steps", footer: 1 }),
  key(["n", "e"], "next-difference", "Next difference or mistake", { short: "next", footer: 2 }),
  key(["N", "E"], "previous-difference", "Previous difference or mistake"),
  key(["1", "enter", "o"], "open-first", "Open the task in the first run", { short: "open 1", footer: 3 }),
  key(["2"], "open-second", "Open the task in the second run", { short: "open 2", footer: 4 }),
  key(["]", ...leftRightKeys[1].keys], "next", "Next task", { short: "next task", footer: 5 }),
  key(["[", ...leftRightKeys[0].keys], "previous", "Previous task"),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;
