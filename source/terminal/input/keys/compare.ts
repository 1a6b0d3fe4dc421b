import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, findKeys, listKeys } from "./movement.ts";

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
  {
    keys: ["f"],
    command: "filter",
    title: "Show only tasks whose score differs, or all",
    short: "filter",
    footer: 3,
  },
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];
