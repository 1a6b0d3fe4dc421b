import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, findKeys, listKeys } from "./movement.ts";

/** Two runs compared. */
export const compareKeys = [
  ...listKeys,
  {
    keys: ["enter", "o", "1"],
    command: "open-first",
    title: "Open the task in the first run",
    short: "open first",
    footer: 1,
  },
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
