/** Finds the mistakes in a plan, by call and argument. */
import type { Mistake } from "../../../source/engine/types.ts";
import { align, sameApp } from "./align.ts";
import { type CanonicalValue, canonicalKey } from "./canonical-call.ts";
import type { ErrorName } from "./error-kinds.ts";
import type { Answer, Gold } from "../data/gold.ts";
import type { PlanCall } from "./plan-call.ts";
import { planCalls, referenceOf, type ScoredPlan } from "./scored-plan.ts";
import { isPlaceKey, isTimeKey } from "./score-analysis.ts";
import { acceptance } from "./values.ts";

type Found = Mistake & { readonly kind: ErrorName };

/**
 * Returns every mistake in an answer, by reference call. `step` is the index of the reference call, or of the plan's call if it
 * is superfluous. Values are compared as by the official scorer; mistakes that only paper mode counts have separate kinds.
 */
export function mistakesOf({ output }: Answer, scored: ScoredPlan, gold: Gold): Mistake[] {
  const reference = planCalls(referenceOf(gold));
  const plan = planCalls(scored);
  if (plan.length === 0) return [clipped({ kind: "no-plan", got: output })];
  const { pairs, missing, extra } = align(reference, plan);
  const found: Found[] = pairs.flatMap(([left, right]) =>
    pairMistakes(left, reference[left]!, plan[right]!, gold.user_aware_arguments),
  );
  for (const step of missing) {
    const call = reference[step]!;
    const appUsed = call.app === "" || plan.some((other) => sameApp(other, call));
    const kind = appUsed ? "missing-api" : "missing-app";
    found.push({ kind, step, expected: call.text });
  }
  for (const step of extra) {
    const call = plan[step]!;
    found.push({ kind: extraKind(call, reference), step, got: call.text });
  }
  return found.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0)).map(clipped);
}

/** Maximum length of model text in a score; the log has the whole reply. */
const longest = 300;

function clipped(mistake: Found): Mistake {
  const { expected, got, ...rest } = mistake;
  return {
    ...rest,
    ...(expected === undefined ? {} : { expected: expected.slice(0, longest) }),
    ...(got === undefined ? {} : { got: got.slice(0, longest) }),
  };
}

function extraKind(call: PlanCall, reference: readonly PlanCall[]): ErrorName {
  if (call.api === "") return "unreadable-call";
  return reference.some((other) => sameApp(other, call)) ? "extra-api" : "extra-app";
}

function pairMistakes(
  step: number,
  expected: PlanCall,
  given: PlanCall,
  userValues: Gold["user_aware_arguments"],
): Found[] {
  const found: Found[] = [];
  if (given.official === undefined || given.canonical === undefined) {
    found.push({ kind: "unreadable-call", step, expected: expected.text, got: given.text });
    if (given.api === "") return found;
  }
  if (expected.api !== given.api) {
    return [...found, { kind: "wrong-api", step, expected: expected.api, got: given.api }];
  }
  if (!sameApp(expected, given)) found.push({ kind: "wrong-app", step, expected: expected.app, got: given.app });
  if (isMisread(given) && !isMisread(expected)) found.push({ kind: "misread-arguments", step, got: given.text });
  return [...found, ...argumentMistakes(step, expected, given, userValues)];
}

/** Reports whether the official reading has other keys than the text, or empty values although the text has values. */
function isMisread({ official, canonical }: PlanCall): boolean {
  if (official === undefined || canonical === undefined) return false;
  const read = new Map(Array.from(official.arguments, ([key, value]) => [canonicalKey(key), value]));
  if (read.size !== canonical.arguments.size) return true;
  for (const [key, { text }] of canonical.arguments) {
    const value = read.get(key);
    if (value === undefined || (value === "" && text !== "")) return true;
  }
  return false;
}

function argumentMistakes(
  step: number,
  expected: PlanCall,
  given: PlanCall,
  userValues: Gold["user_aware_arguments"],
): Found[] {
  const found: Found[] = [];
  for (const [key, value] of expected.arguments) {
    const other = given.arguments.get(key);
    if (other === undefined) {
      const kind = value.kind === "reference" ? "key-dependent" : "key-independent";
      found.push({ kind, step, key, expected: value.written });
      continue;
    }
    const kind = valueMistake(key, value, other, userValues);
    if (kind !== undefined) found.push({ kind, step, key, expected: value.written, got: other.written });
  }
  for (const [key, value] of given.arguments) {
    if (!expected.arguments.has(key)) found.push({ kind: "extra-key", step, key, got: value.written });
  }
  return found;
}

function valueMistake(
  key: string,
  expected: CanonicalValue,
  given: CanonicalValue,
  userValues: Gold["user_aware_arguments"],
): ErrorName | undefined {
  if (expected.kind !== given.kind) {
    return expected.kind === "reference" ? "literal-for-reference" : "reference-for-literal";
  }
  if (expected.text === given.text) return undefined;
  if (acceptance(key, expected.text, given.text, userValues, new Map()) !== undefined) return "value-inexact";
  if (expected.kind === "reference") return "value-dependent";
  if (isTimeKey(key)) return "value-time";
  return isPlaceKey(key) ? "value-space" : "value-independent";
}
