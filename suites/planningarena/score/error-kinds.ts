/** Kinds of mistakes, the checks that find them, and the faults that `builtin/slips` can inject. */
import type { ErrorKind, Suite } from "../../../source/engine/suite.ts";
import type { Mistake } from "../../../source/engine/types.ts";
import type { Finding } from "./checks.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "missing step", title: "Missing step", group: "steps", note: "SC: a subtask has no step" },
  { name: "redundant step", title: "Redundant step", group: "steps", note: "SR: no subtask needs the step" },
  {
    name: "fictitious parameter",
    title: "Fictitious parameter",
    group: "calls",
    note: "PC: a parameter is missing, unknown, of a wrong type, or contradicts the profile or the request",
  },
  {
    name: "fictitious tool",
    title: "Fictitious tool",
    group: "calls",
    note: "FD-APP, FD-API: the task does not offer the tool",
  },
  {
    name: "time inference",
    title: "Time inference",
    group: "calls",
    note: "TR: a date is missing or wrong",
  },
  {
    name: "operation space",
    title: "Operation space",
    group: "calls",
    note: "OSC: the operation is not Tap, Text, Swipe, Back or Home",
  },
  {
    name: "dependency",
    title: "Dependency",
    group: "order",
    note: "TD: a dependency is missing, invented or reversed",
  },
  {
    name: "step numbers",
    title: "Step numbers",
    group: "form",
    note: "PGR: there are more or fewer steps than announced, or their numbers are out of order",
  },
  { name: "garbled", title: "Garbled", group: "form", note: "The plan cannot be read" },
];

const kindOf: Readonly<Record<Finding["check"], string>> = {
  SC: "missing step",
  SR: "redundant step",
  PC: "fictitious parameter",
  "FD-APP": "fictitious tool",
  "FD-API": "fictitious tool",
  TR: "time inference",
  OSC: "operation space",
  TD: "dependency",
  garbled: "garbled",
  generated: "step numbers",
};

/** Converts findings to mistakes. */
export const mistakesOf = (findings: readonly Finding[]): Mistake[] =>
  findings.map(({ check, step, key, subtask, expected, got, text }) => ({
    kind: kindOf[check],
    ...(step === undefined ? {} : { step }),
    ...(key === undefined && subtask === undefined ? {} : { key: key ?? subtask! }),
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? { note: text } : { got: `${got} (${text})` }),
  }));

export const faultKinds = [
  { name: "missing-step", title: "leaves a step out", errors: ["missing step"] },
  { name: "redundant-step", title: "does a step twice", errors: ["redundant step"] },
  { name: "dependency", title: "breaks or invents a dependency", errors: ["dependency"] },
  { name: "fictitious-app", title: "uses an app that was not offered", errors: ["fictitious tool"] },
  { name: "operation-space", title: "uses an operation that does not exist", errors: ["operation space"] },
  { name: "fictitious-tool", title: "adds a call of a tool that does not exist", errors: ["fictitious tool"] },
  {
    name: "fictitious-parameter",
    title: "adds a parameter that the tool does not have",
    errors: ["fictitious parameter"],
  },
  { name: "wrong-value", title: "ignores a value of the profile or the request", errors: ["fictitious parameter"] },
  { name: "time-inference", title: "gets a date wrong", errors: ["time inference"] },
  { name: "step-number", title: "numbers a step wrongly", errors: ["step numbers"] },
  { name: "garbled", title: "cannot be read", errors: ["garbled"] },
] as const satisfies Suite["faultKinds"];
