/**
 * Reads the first stage of hierarchical prompting: the apps an answer names, and the meaning of `app1`, `app2` in a
 * plan.
 */
import { strip } from "../../../source/engine/python/text.ts";

/** Returns the apps whose exact name occurs anywhere in the answer, in catalogue order; placeholders refer to them. */
export const namedApps = (answer: string, catalogue: readonly string[]): string[] =>
  catalogue.filter((app) => answer.includes(app));

/** Returns the chosen apps without repeats in catalogue order (upstream's own order varies between runs). */
export function chosenApps(answer: string, catalogue: readonly string[]): string[] {
  const named = namedApps(answer, catalogue);
  if (named.length > 0) return named;
  const characters = new Set(answer);
  return catalogue.filter((app) => [...app].some((character) => characters.has(character)));
}

/**
 * Replaces placeholders among the app names of a plan. A name that starts with `app` (any case) becomes the n-th app of
 * `firstStep`; n is what remains without every "app" and without the first underscore and the text after it. A name
 * without a number, or beyond the list, is dropped; n = 0 means the last app, like index -1 in Python.
 */
export const mapPlaceholders = (apps: readonly string[], firstStep: readonly string[]): string[] =>
  apps.flatMap((app) => {
    const name = app.toLowerCase();
    if (!name.startsWith("app")) return [app];
    const number = strip(name.replaceAll("app", "").split("_")[0]!);
    if (!/^[+-]?[0-9]+$/.test(number)) return [];
    const mapped = firstStep.at(Number(number) - 1);
    return mapped === undefined ? [] : [mapped];
  });
