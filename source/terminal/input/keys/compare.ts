import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, findKeys, listKeys, leftRightKeys } from "./movement.ts";

/** Two runs compared. */
export const compareKeys = [
  ...listKeys,
  {
    keys: ["enter", "o"],
    command: "open",
    title: "Show both plans of the task beside each other",
    short: "both plans",
    footer: 1,
  },
  { keys: ["1"], command: "open-first", title: "Open the task in the first run", short: "open first", footer: 2 },
  { keys: ["2"], command: "open-second", title: "Open the task in the second run", short: "open second", footer: 2 },
  { keys: ["f"], command: "filter", title: "Show only tasks whose score differs, or all", short: "filter", footer: 3 },
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];

/** A task in two runs. */
export const besideKeys = [
  ...listKeys,
  { keys: ["tab"], command: "section", title: "Plans or steps", short: "plans/steps", footer: 1 },
  { keys: ["n", "e"], command: "next-difference", title: "Next difference or mistake", short: "next", footer: 2 },
  { keys: ["N", "E"], command: "previous-difference", title: "Previous difference or mistake" },
  {
    keys: ["1", "enter", "o"],
    command: "open-first",
    title: "Open the task in the first run",
    short: "open 1",
    footer: 3,
  },
  { keys: ["2"], command: "open-second", title: "Open the task in the second run", short: "open 2", footer: 4 },
  { keys: ["]", ...leftRightKeys[1].keys], command: "next", title: "Next task", short: "next task", footer: 5 },
  { keys: ["[", ...leftRightKeys[0].keys], command: "previous", title: "Previous task" },
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];
