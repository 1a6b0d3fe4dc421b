import type { Binding } from "../binding.ts";
import { backKeys, copyKeys, listKeys } from "./movement.ts";
import { cannotCorrect, readOnly } from "./reasons.ts";

export const trajectoryKeys = [
  ...listKeys,
  { keys: ["tab"], command: "next-section", title: "Next section", short: "section", footer: 1 },
  { keys: ["shift+tab"], command: "previous-section", title: "Previous section" },
  { keys: ["1"], command: "section-1", title: "Plan beside the reference" },
  { keys: ["2"], command: "section-2", title: "Steps: the conversation, followed while it runs" },
  { keys: ["3"], command: "section-3", title: "Checks: score, errors, constraints" },
  { keys: ["4"], command: "section-4", title: "Raw requests and replies" },
  { keys: ["5"], command: "section-5", title: "Tree, if the strategy builds one" },
  { keys: ["e"], command: "next-error", title: "Next error", short: "next error", footer: 2 },
  { keys: ["E"], command: "previous-error", title: "Previous error" },
  { keys: ["m"], command: "words", title: "Next error shown at the model's words, in the steps" },
  { keys: ["/"], command: "find", title: "Find text in this section, in folded texts too", short: "find", footer: 4 },
  { keys: ["n"], command: "next-found", title: "Next place with the text; without a search, next error" },
  { keys: ["N"], command: "previous-found", title: "Previous place with the text, or error" },
  {
    keys: ["c"],
    command: "correct",
    title: "Correct this error, or on other lines the score, with a reason",
    short: "correct",
    footer: 2,
    disabled: cannotCorrect,
  },
  {
    keys: ["enter", "o", "space"],
    command: "open",
    title: "Expand or collapse a long text; on a mistake, go to its words",
    short: "expand",
    footer: 3,
  },
  { keys: ["]", "l", "right"], command: "next", title: "Next task", short: "next task", footer: 4 },
  { keys: ["[", "h", "left"], command: "previous", title: "Previous task", short: "previous", footer: 5 },
  {
    keys: ["F"],
    command: "fork",
    title: "Fork: continue from this request with another model, strategy or message",
    short: "fork",
    footer: 6,
    disabled: (context) =>
      readOnly(context) ??
      (context.run === undefined ? "No cell has this run any more: it cannot be forked" : undefined),
  },
  {
    keys: ["b"],
    command: "beside",
    title: "Show a fork beside its original",
    disabled: ({ run }) =>
      run?.spec.fork === undefined ? "Only for forks: this run continues no other one" : undefined,
  },
  { keys: ["v"], command: "raw", title: "Show texts byte for byte, or for reading", short: "raw text", footer: 7 },
  { keys: ["w"], command: "wrap", title: "Wrap or cut long lines", short: "wrap", footer: 7 },
  {
    keys: [],
    command: "export",
    title: "Export this trajectory as JSON (ATIF)",
    disabled: (context) => (context.run === undefined ? "No cell has this run any more" : undefined),
  },
  ...copyKeys,
  ...backKeys,
] as const satisfies readonly Binding[];
