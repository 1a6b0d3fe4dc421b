/** Faults `builtin/slips` can inject here. */
export const faultKinds = [
  { name: "broken-text", title: "An answer cut off in the middle of a string", errors: ["unreadable"] },
  { name: "missing-brace", title: "A closing brace left out, which a repair puts back", errors: ["repaired"] },
  { name: "fenced", title: "The list in a fence, with a sentence before it", errors: [] },
  { name: "dropped-step", title: "One step left out", errors: ["missing-step", "no-tool"] },
  { name: "flipped-flag", title: "0 for 1 or 1 for 0 (awareness)", errors: ["missed-need", "needless"] },
  { name: "other-tool", title: "Another tool of the set (selection)", errors: ["wrong-tool"] },
  { name: "invented-tool", title: "A tool that is not in the set (selection)" },
  { name: "changed-value", title: "A changed argument value (usage)" },
  { name: "missing-argument", title: "An argument left out (usage)" },
  { name: "unmarked-result", title: "An earlier result without < and > (usage)" },
  { name: "malformed-tool", title: "A created tool without a description (creation)" },
  { name: "orphan", title: "A step whose parent is missing (planning)" },
  { name: "duplicate-number", title: "A step number used twice (planning)" },
  { name: "not-numbered", title: "A line without a number (planning)" },
  { name: "unreadable-judgement", title: "A judge's reply that is no JSON", errors: [] },
] as const;
