/** Keys of two runs compared. */
import type { Binding } from "../binding.ts";
import { backKeys, listKeys } from "./movement.ts";

export const compareKeys: readonly Binding[] = [
  ...listKeys("compare"),
  {
    scope: "compare",
    keys: ["enter", "o", "1"],
    command: "open-first",
    title: "Open the task in the first run",
    short: "open first",
    footer: 1,
  },
  {
    scope: "compare",
    keys: ["2"],
    command: "open-second",
    title: "Open the task in the second run",
    short: "second",
    footer: 2,
  },
  {
    scope: "compare",
    keys: ["f"],
    command: "filter",
    title: "Only tasks that flipped, or all",
    short: "only flips",
    footer: 3,
  },
  ...backKeys("compare"),
];
