import type { Binding } from "../binding.ts";
import { backKeys, listKeys } from "./movement.ts";
import { cannotCorrect, readOnly } from "./reasons.ts";

const scope = "trajectory" as const;

export const trajectoryKeys: readonly Binding[] = [
  ...listKeys(scope),
  { scope, keys: ["tab"], command: "next-pane", title: "Next section", short: "section", footer: 1 },
  { scope, keys: ["shift+tab"], command: "previous-pane", title: "Section before" },
  { scope, keys: ["1"], command: "pane-1", title: "Plan beside the reference" },
  { scope, keys: ["2"], command: "pane-2", title: "Steps: the conversation; follows it while it goes on" },
  { scope, keys: ["3"], command: "pane-3", title: "Checks: score, mistakes, constraints" },
  { scope, keys: ["4"], command: "pane-4", title: "Raw requests and replies" },
  { scope, keys: ["5"], command: "pane-5", title: "Tree, where the strategy builds one" },
  { scope, keys: ["n", "e"], command: "next-error", title: "Next error", short: "next error", footer: 2 },
  { scope, keys: ["N", "E"], command: "previous-error", title: "Error before" },
  {
    scope,
    keys: ["c"],
    command: "correct",
    title: "Correct this error: say which kind it is, and why",
    short: "correct",
    footer: 2,
    disabled: cannotCorrect,
  },
  {
    scope,
    keys: ["enter", "o", "space"],
    command: "open",
    title: "Open or close a long text",
    short: "open",
    footer: 3,
  },
  { scope, keys: ["]", "l", "right"], command: "next", title: "Next task", short: "next task", footer: 4 },
  { scope, keys: ["[", "h", "left"], command: "previous", title: "Task before", short: "task before", footer: 5 },
  {
    scope,
    keys: ["F"],
    command: "fork",
    title: "Fork: go on from this request with another model, strategy or message",
    short: "fork",
    footer: 6,
    disabled: (context) =>
      readOnly(context) ??
      (context.run === undefined ? "Its run is in no cell any more: there is nothing to fork from" : undefined),
  },
  { scope, keys: ["w"], command: "wrap", title: "Wrap long lines, or cut them", short: "wrap", footer: 7 },
  ...backKeys(scope),
];
