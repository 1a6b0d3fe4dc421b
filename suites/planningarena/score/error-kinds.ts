/** Kinds of mistake, and which check finds which. */
import type { ErrorKind } from "../../../source/engine/suite.ts";
import type { Mistake } from "../../../source/engine/types.ts";
import type { Finding } from "./checks.ts";

export const errorKinds: readonly ErrorKind[] = [
  { name: "missing step", title: "Missing step", group: "steps", note: "SC: a subtask nobody does" },
  { name: "redundant step", title: "Redundant step", group: "steps", note: "SR: a step nobody asked for" },
  {
    name: "fictitious parameter",
    title: "Fictitious parameter",
    group: "calls",
    note: "PC: missing, unknown, of a wrong type, or against profile or request",
  },
  {
    name: "fictitious tool",
    title: "Fictitious tool",
    group: "calls",
    note: "FD-APP, FD-API: not offered to this task",
  },
  {
    name: "time inference",
    title: "Time inference",
    group: "calls",
    note: "TR: a date that does not follow from the calendar",
  },
  {
    name: "operation space",
    title: "Operation space",
    group: "calls",
    note: "OSC: not Tap, Text, Swipe, Back or Home",
  },
  {
    name: "dependency",
    title: "Dependency",
    group: "order",
    note: "TD: a dependency missed, invented or turned round",
  },
  {
    name: "step numbers",
    title: "Step numbers",
    group: "form",
    note: "PGR: more or fewer steps than announced, or numbered out of order",
  },
  { name: "garbled", title: "Garbled", group: "form", note: "cannot be read at all" },
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

/** Findings as mistakes. */
export function mistakesOf(findings: readonly Finding[]): Mistake[] {
  return findings.map(({ check, step, key, subtask, expected, got, text }) => ({
    kind: kindOf[check],
    ...(step === undefined ? {} : { step }),
    ...(key === undefined && subtask === undefined ? {} : { key: key ?? subtask! }),
    ...(expected === undefined ? {} : { expected }),
    ...(got === undefined ? { note: text } : { got: `${got} (${text})` }),
  }));
}
