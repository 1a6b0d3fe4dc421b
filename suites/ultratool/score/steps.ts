/** How the official scorers find the predicted entry for a reference step: by its number alone. */
import { entryOf, isDict, isList, type PythonDict, type PythonValue } from "../../../source/engine/python/value.ts";

/** Text before the first space: `1.2` of `1.2 Send the letter`. The ideographic space does not count. */
export function stepNumber(step: string): string {
  const space = step.indexOf(" ");
  return space === -1 ? step : step.slice(0, space);
}

/** 1 for `1.`, 2 for `1.2`, 3 for `1.2.1`. */
export function depthOf(step: string): number {
  const parts = stepNumber(step).split(".");
  return parts.filter((part) => part !== "").length || 1;
}

/** The entries of a list that are dicts with a step in words, filed by step number, in order. */
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
