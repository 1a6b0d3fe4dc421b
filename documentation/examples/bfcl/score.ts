/** Scores a reply: the expected calls, any call, or none, as its category wants. */
import { type ErrorKind, meanMeasure, type Score } from "planwright";
import { readCalls } from "./ask.ts";
import { refusalOf, type Refusal } from "./checker.ts";
import { expectedOf, type FunctionTask } from "./tasks.ts";

export const measures = [
  meanMeasure("right", { name: "official.accuracy", title: "Accuracy", mode: "official", note: "Mean over tasks" }),
];

export const errorKinds: readonly ErrorKind[] = [
  { name: "unreadable", title: "No list of calls" },
  { name: "unwanted-call", title: "Call where none fits" },
  { name: "no-call", title: "No call where one fits" },
  { name: "wrong-count", title: "Too many or too few calls" },
  { name: "wrong-function", title: "Wrong function" },
  { name: "missing-argument", title: "Missing argument" },
  { name: "unexpected-argument", title: "Unexpected argument" },
  { name: "wrong-type", title: "Wrong type" },
  { name: "wrong-value", title: "Wrong value" },
];

type Wrong = { readonly kind: Refusal["kind"] | "unreadable" | "unwanted-call" | "no-call" } & Omit<Refusal, "kind">;

/** What is wrong with a reply; undefined where it is right. */
export function wrongIn(task: FunctionTask, reply: string): Wrong | undefined {
  const { category, functions } = task.input;
  const calls = readCalls(reply);
  // Whatever is no list of calls makes no call.
  if (category.right === "no-call")
    return calls === undefined || calls.length === 0 ? undefined : { kind: "unwanted-call" };
  if (category.right === "call") return calls === undefined || calls.length === 0 ? { kind: "no-call" } : undefined;
  if (calls === undefined) return { kind: "unreadable" };
  return refusalOf(calls, { functions, expected: expectedOf(task), language: category.language });
}

export function scoreReply(task: FunctionTask, reply: string): Score {
  const wrong = wrongIn(task, reply);
  const value = wrong === undefined ? 1 : 0;
  if (wrong === undefined) return { value, metrics: { right: value }, checks: [], errors: [] };
  const { kind, call, key } = wrong;
  const place = { ...(call !== undefined && { step: call }), ...(key !== undefined && { key }) };
  return {
    value,
    metrics: { right: value },
    checks: [],
    errors: [{ kind, ...place, expected: task.answer, got: reply }],
  };
}
