import type { Binding } from "../binding.ts";
import { backKeys, listKeys } from "./movement.ts";
import { readOnly } from "./reasons.ts";

const scope = "tasks" as const;

export const taskKeys: readonly Binding[] = [
  ...listKeys(scope),
  { scope, keys: ["enter", "o"], command: "open", title: "Open the task's trajectory", short: "open", footer: 1 },
  { scope, keys: ["s"], command: "sort", title: "Sort by the next column", short: "sort", footer: 2 },
  { scope, keys: ["S"], command: "reverse", title: "Turn the order round" },
  { scope, keys: ["/"], command: "search", title: "Only tasks with these words", short: "search", footer: 3 },
  { scope, keys: ["f"], command: "filter", title: "Only right, wrong, failed ... tasks", short: "filter", footer: 4 },
  {
    scope,
    keys: ["r", "ctrl+r"],
    command: "run",
    title: "Play just these tasks again",
    short: "play again",
    footer: 5,
    disabled: readOnly,
  },
  ...backKeys(scope),
];
