import { key } from "../binding.ts";
import { exportKeys, backKeys, copyKeys, findKeys, leftRightKeys, listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

export const figureKeys = [
  ...listKeys,
  ...leftRightKeys,
  key(["enter", "o"], "open", "List the tasks behind the value", { short: "tasks", footer: 1 }),
  key(["c"], "choose", "Choose what the analysis shows", { short: "choose", footer: 2, disabled: readOnly }),
  key(["tab", "]"], "next", "Next figure of the cell", { short: "next figure", footer: 3 }),
  key(["shift+tab", "["], "previous", "Previous figure of the cell"),
  key(["v"], "bars", "Show numbers as bars, or as numbers", { short: "bars", footer: 9 }),
  key(["i"], "intervals", "Hide or show the intervals of a table"),
  key(["n"], "notes", "Read the notes in full", { short: "notes", footer: 4 }),
  ...exportKeys(),
  ...findKeys,
  ...copyKeys,
  ...backKeys,
] as const;
