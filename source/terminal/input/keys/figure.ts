import type { Binding } from "../binding.ts";
import { exportKeys } from "./exports.ts";
import { backKeys, listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

const scope = "figure" as const;

export const figureKeys: readonly Binding[] = [
  ...listKeys(scope),
  { scope, keys: ["h", "left"], command: "left", title: "To the left" },
  { scope, keys: ["l", "right"], command: "right", title: "To the right" },
  { scope, keys: ["enter", "o"], command: "open", title: "List the tasks behind the value", short: "tasks", footer: 1 },
  {
    scope,
    keys: ["c"],
    command: "choose",
    title: "Change what the analysis shows",
    short: "choose",
    footer: 2,
    disabled: readOnly,
  },
  { scope, keys: ["tab", "]"], command: "next", title: "Next figure of the cell", short: "next figure", footer: 3 },
  { scope, keys: ["shift+tab", "["], command: "previous", title: "Previous figure of the cell" },
  { scope, keys: ["n"], command: "notes", title: "Read the notes in full", short: "notes", footer: 4 },
  ...exportKeys(scope),
  ...backKeys(scope),
];
