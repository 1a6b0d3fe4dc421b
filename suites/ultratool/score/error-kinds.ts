/** Kinds of mistakes in an answer. */
import type { ErrorKind } from "../../../source/engine/suite.ts";

const formatting = "formatting";
const steps = "steps";
const choices = "choices";
const args = "arguments";
const plans = "plans";

export const errorKinds: readonly ErrorKind[] = [
  { name: "unreadable", title: "The answer cannot be parsed", group: formatting },
  {
    name: "repaired",
    title: "Parsed only after a repair",
    group: formatting,
    note: "Each mistake names the repair that was needed",
  },
  { name: "not-a-list", title: "Parsed, but not a list of steps", group: formatting },
  { name: "missing-step", title: "No usable entry for a step", group: steps },
  {
    name: "extra-step",
    title: "An entry for a step that was not requested",
    group: steps,
    note: "Does not lower the official score",
  },
  { name: "missed-need", title: "Answered 0 instead of 1", group: choices },
  { name: "needless", title: "Answered 1 instead of 0", group: choices },
  { name: "no-flag", title: "An answer that is neither 0 nor 1", group: choices },
  { name: "wrong-tool", title: "An offered, but wrong tool", group: choices },
  { name: "invented-tool", title: "A tool that was not offered", group: choices },
  { name: "missing-argument", title: "An argument of the reference is missing", group: args },
  {
    name: "changed-value",
    title: "A value that differs from the reference",
    group: args,
    note: "Some published references are themselves cut off, so even a perfect answer differs from them",
  },
  { name: "unmarked-result", title: "An earlier result not written as <...>", group: args },
  {
    name: "extra-argument",
    title: "An argument that is not in the reference",
    group: args,
    note: "Does not lower the official score",
  },
  { name: "no-tool", title: "No tool was created for a step", group: "creation" },
  { name: "malformed-tool", title: "A created tool lacks name, description, arguments or results", group: "creation" },
  { name: "not-numbered", title: "A line of the plan without a step number", group: plans },
  { name: "duplicate-number", title: "A step number used twice", group: plans },
  { name: "orphan", title: "A step whose parent is missing", group: plans },
];

/** Faults that `builtin/slips` can inject. */
export const faultKinds = [
  { name: "broken-text", title: "An answer cut off in the middle of a string", errors: ["unreadable"] },
  { name: "missing-brace", title: "A closing brace left out, which a repair inserts", errors: ["repaired"] },
  { name: "fenced", title: "A sentence and then the list in a fenced block", errors: [] },
  { name: "dropped-step", title: "One step left out", errors: ["missing-step", "no-tool"] },
  { name: "flipped-flag", title: "0 instead of 1 or 1 instead of 0 (awareness)", errors: ["missed-need", "needless"] },
  { name: "other-tool", title: "An offered, but wrong tool (selection)", errors: ["wrong-tool"] },
  { name: "invented-tool", title: "A tool that was not offered (selection)" },
  { name: "changed-value", title: "A changed argument value (usage)" },
  { name: "missing-argument", title: "An argument left out (usage)" },
  { name: "unmarked-result", title: "An earlier result without < and > (usage)" },
  { name: "malformed-tool", title: "A created tool without a description (creation)" },
  { name: "orphan", title: "A step whose parent is missing (planning)" },
  { name: "duplicate-number", title: "A step number used twice (planning)" },
  { name: "not-numbered", title: "A line without a number (planning)" },
  { name: "unreadable-judgement", title: "A judge's reply that is not JSON", errors: [] },
] as const;
