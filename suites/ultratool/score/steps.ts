/**
 * Step numbers, in answers and in plans. The official scorers find the entry for a reference step by its number alone.
 */
import { entryOf, isDict, isList, type PythonDict, type PythonValue } from "../../../source/engine/python/value.ts";
import type { Mistake } from "../../../source/engine/types.ts";

/** Returns the text before the first space: `1.2` of `1.2 Send the letter`. The ideographic space does not count. */
export function stepNumber(step: string): string {
  const space = step.indexOf(" ");
  return space === -1 ? step : step.slice(0, space);
}

/** Returns 1 for `1.`, 2 for `1.2`, 3 for `1.2.1`. */
export function depthOf(step: string): number {
  const parts = stepNumber(step).split(".");
  return parts.filter((part) => part !== "").length || 1;
}

/** Groups the entries of a list that are dicts with a text `step` by step number, in order. */
export function entriesByNumber(list: PythonValue): ReadonlyMap<string, readonly PythonDict[]> {
  const found = new Map<string, PythonDict[]>();
  if (!isList(list)) return found;
  for (const entry of list) {
    if (!isDict(entry)) continue;
    const step = entryOf(entry, "step");
    if (typeof step !== "string") continue;
    const number = stepNumber(step);
    const known = found.get(number);
    if (known === undefined) found.set(number, [entry]);
    else known.push(entry);
  }
  return found;
}

const number = /^\d+(?:\.\d+)*\.?$/;

/** Maximum number of mistakes per plan; an answer of a million lines shows no more. */
const most = 100;

/** Returns the lines that begin with a step number. */
export const planSteps = (plan: string): readonly string[] =>
  plan
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => number.test(stepNumber(line)));

/** Finds mistakes in a plan as a numbered tree, regardless of its content. */
export function planMistakes(plan: string): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const seen = new Set<string>();
  const lines = plan.split("\n").map((line) => line.trim());
  for (const [step, line] of lines.filter((each) => each !== "").entries()) {
    if (mistakes.length >= most) break;
    const written = stepNumber(line);
    if (!number.test(written)) {
      mistakes.push({ kind: "not-numbered", step, got: line.slice(0, 200) });
      continue;
    }
    const path = written.replace(/\.$/, "");
    if (seen.has(path)) mistakes.push({ kind: "duplicate-number", step, got: line.slice(0, 200) });
    seen.add(path);
    const parent = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : undefined;
    if (parent !== undefined && !seen.has(parent))
      mistakes.push({ kind: "orphan", step, expected: parent, got: written });
  }
  return mistakes;
}
