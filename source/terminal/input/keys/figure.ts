import type { Binding } from "../binding.ts";
import { exportKeys, backKeys, copyKeys, findKeys, leftRightKeys, listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

export const figureKeys = [
  ...listKeys,
  ...leftRightKeys,
  { keys: ["enter", "o"], command: "open", title: "List the tasks behind the value", short: "tasks", footer: 1 },
  {
    keys: ["c"],
    command: "choose",
    title: "Choose what the analysis shows",
    short: "choose",
    footer: 2,
    disabled: readOnly,
  },
  { keys: ["tab", "]"], command: "next", title: "Next figure of the cell", short: "next figure", footer: 3 },
  { keys: ["shift+tab", "["], command: "previous", title: "Previous figure of the cell" },
  { keys: ["v"], command: "bars", title: "Show numbers as bars, or as numbers", short: "bars", footer: 9 },
  { keys: ["i"], command: "intervals", title: "Hide or show the intervals of a table" },
  { keys: ["n"], command: "notes", title: "Read the notes in full", short: "notes", footer: 4 },
  ...exportKeys(),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];
