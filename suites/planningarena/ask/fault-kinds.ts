/** Faults `builtin/slips` can inject here, and the error kinds the scorer reports them as. */
import type { Suite } from "../../../source/engine/suite.ts";

export const faultKinds = [
  { name: "missing-step", title: "leaves a step out", errors: ["missing step"] },
  { name: "redundant-step", title: "does a step twice", errors: ["redundant step"] },
  { name: "dependency", title: "breaks or invents a dependency", errors: ["dependency"] },
  { name: "fictitious-app", title: "uses an app that was not offered", errors: ["fictitious tool"] },
  { name: "operation-space", title: "uses an operation that does not exist", errors: ["operation space"] },
  { name: "fictitious-tool", title: "adds a call of a tool that does not exist", errors: ["fictitious tool"] },
  { name: "fictitious-parameter", title: "adds a parameter the tool does not have", errors: ["fictitious parameter"] },
  { name: "wrong-value", title: "ignores what profile or request fixed", errors: ["fictitious parameter"] },
  { name: "time-inference", title: "gets a date wrong", errors: ["time inference"] },
  { name: "step-number", title: "numbers a step wrongly", errors: ["step numbers"] },
  { name: "garbled", title: "cannot be read", errors: ["garbled"] },
] as const satisfies Suite["faultKinds"];
