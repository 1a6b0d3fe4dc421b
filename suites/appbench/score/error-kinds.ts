/** Kinds of mistake. Each mistake has exactly one kind; groups follow the paper's Table 4. */
import type { ErrorKind } from "../../../source/engine/suite.ts";

const strict = "Counted only in paper mode, because the official scorer counts this as right.";

export const errorKinds = [
  { name: "no-apps", title: "First answer names no app", group: "form" },
  { name: "no-plan", title: "No call could be read", group: "form" },
  {
    name: "unreadable-call",
    title: "Call that cannot be read",
    group: "form",
    note: "Found by the official scoring, by paper mode, or by both.",
  },
  {
    name: "misread-arguments",
    title: "Arguments that the official parser loses",
    group: "form",
    note: "A space after a comma is missing, or a value contains a comma, a bracket or an equals sign.",
  },
  { name: "missing-app", title: "Missing call, app never used", group: "app" },
  { name: "extra-app", title: "Extra call, app not needed", group: "app" },
  { name: "wrong-app", title: "Right API under another app", group: "app" },
  { name: "missing-api", title: "Missing call", group: "API" },
  { name: "extra-api", title: "Extra call", group: "API" },
  { name: "wrong-api", title: "Another API of the right app", group: "API" },
  { name: "key-independent", title: "Missing key that the user gave", group: "key, independent" },
  { name: "key-dependent", title: "Missing key that another call returns", group: "key, dependent" },
  { name: "extra-key", title: "Extra key", group: "key, independent", note: strict },
  { name: "value-time", title: "Wrong date or time", group: "value, independent" },
  {
    name: "value-space",
    title: "Wrong place",
    group: "value, independent",
    note: "The key's name contains from, to, city or destination, as in the official test.",
  },
  { name: "value-independent", title: "Other wrong value", group: "value, independent" },
  { name: "value-dependent", title: "Wrong reference", group: "value, dependent" },
  {
    name: "literal-for-reference",
    title: "Literal where a reference belongs",
    group: "value, dependent",
    note: "The official scorer accepts a literal if it is the first value that the user gave for that key.",
  },
  { name: "reference-for-literal", title: "Reference where a literal belongs", group: "value, independent" },
  { name: "value-inexact", title: "Value that matches only partly", group: "value, independent", note: strict },
] as const satisfies readonly ErrorKind[];

export type ErrorName = (typeof errorKinds)[number]["name"];

/** Faults that `builtin/slips` can inject, each with the error kinds that may report the fault. */
export const faultKinds = [
  { name: "app", title: "Wrong app", errors: ["wrong-app"] },
  { name: "api", title: "Wrong API", errors: ["wrong-api"] },
  { name: "missing-call", title: "Missing call", errors: ["missing-api", "missing-app"] },
  { name: "extra-call", title: "Extra call", errors: ["extra-api", "extra-app"] },
  { name: "missing-key", title: "Missing key", errors: ["key-independent", "key-dependent"] },
  { name: "wrong-value", title: "Wrong value", errors: ["value-independent"] },
  { name: "wrong-time-value", title: "Wrong date or time", errors: ["value-time"] },
  { name: "wrong-place-value", title: "Wrong place", errors: ["value-space"] },
  { name: "literal-for-reference", title: "Literal for a reference", errors: ["literal-for-reference"] },
  { name: "garbage", title: "No plan", errors: ["no-plan"] },
] as const satisfies readonly { name: string; title: string; errors: readonly ErrorName[] }[];

export type FaultName = (typeof faultKinds)[number]["name"];
