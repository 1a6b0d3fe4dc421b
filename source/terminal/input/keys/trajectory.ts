import { key } from "../binding.ts";
import { backKeys, copyKeys, listKeys } from "./movement.ts";
import { cannotCorrect, readOnly } from "./reasons.ts";

export const trajectoryKeys = [
  ...listKeys,
  key(["tab"], "next-section", "Next section", { short: "section", footer: 1 }),
  key(["shift+tab"], "previous-section", "Previous section"),
  key(["1"], "section-1", "Plan beside the reference"),
  key(["2"], "section-2", "Steps: the conversation, followed while it runs"),
  key(["3"], "section-3", "Checks: score, errors, constraints"),
  key(["4"], "section-4", "Raw requests and replies"),
  key(["5"], "section-5", "Tree, if the strategy builds one"),
  key(["e"], "next-error", "Next error", { short: "next error", footer: 2 }),
  key(["E"], "previous-error", "Previous error"),
  key(["m"], "words", "Next error shown at the model's words, in the steps"),
  key(["/"], "find", "Find text in this section, in folded texts too", { short: "find", footer: 4 }),
  key(["n"], "next-found", "Next place with the text; without a search, next error"),
  key(["N"], "previous-found", "Previous place with the text, or error"),
  key(["c"], "correct", "Correct this error, or on other lines the score, with a reason", {
    short: "correct",
    footer: 2,
    disabled: cannotCorrect,
  }),
  key(["enter", "o", "space"], "open", "Expand or collapse a long text; on a mistake, go to its words", {
    short: "expand",
    footer: 3,
  }),
  key(["]", "l", "right"], "next", "Next task", { short: "next task", footer: 4 }),
  key(["[", "h", "left"], "previous", "Previous task", { short: "previous", footer: 5 }),
  key(["F"], "fork", "Fork: continue from this request with another model, strategy or message", {
    short: "fork",
    footer: 6,
    disabled: (context) =>
      readOnly(context) ??
      (context.run === undefined ? "No cell has this run any more: it cannot be forked" : undefined),
  }),
  key(["b"], "beside", "Show a fork beside its original", {
    disabled: ({ run }) =>
      run?.spec.fork === undefined ? "Only for forks: this run continues no other one" : undefined,
  }),
  key(["v"], "raw", "Show texts byte for byte, or for reading", { short: "raw text", footer: 7 }),
  key(["w"], "wrap", "Wrap or cut long lines", { short: "wrap", footer: 7 }),
  key([], "export", "Export this trajectory as JSON (ATIF)", {
    disabled: (context) => (context.run === undefined ? "No cell has this run any more" : undefined),
  }),
  ...copyKeys,
  ...backKeys,
] as const;
