import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, findKeys, leftRightKeys, listKeys } from "./movement.ts";

/** One task in two runs. */
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
