/** The first stage of hierarchical prompting: which apps an answer names, and what `app1`, `app2` in a plan then mean. */
import { strip } from "../../../source/engine/python/text.ts";

/** Apps whose exact name occurs anywhere in the answer, in catalogue order: what placeholders refer to. */
export function namedApps(answer: string, catalogue: readonly string[]): string[] {
  return catalogue.filter((app) => answer.includes(app));
}

/**
 * The apps upstream reads from a first-stage answer, with its repeats; undefined where the stage fails. When no name
 * occurs, upstream's fuzzy search goes through the characters of the answer and takes every app that contains one.
 */
export function readAppList(answer: string, catalogue: readonly string[]): string[] | undefined {
  const named = namedApps(answer, catalogue);
  if (named.length > 0) return named;
  const apps: string[] = [];
  for (const character of answer) {
    for (const app of catalogue) if (app.includes(character)) apps.push(app);
  }
  return apps.length === 0 ? undefined : apps;
}

/** The chosen apps without repeats in catalogue order (upstream's own order varies between runs); empty when none. */
export function chosenApps(answer: string, catalogue: readonly string[]): string[] {
  const named = namedApps(answer, catalogue);
  if (named.length > 0) return named;
  const characters = new Set(answer);
  return catalogue.filter((app) => [...app].some((character) => characters.has(character)));
}

/**
 * App names of a plan with placeholders replaced: a name that starts with `app` (any case) becomes the n-th of
 * `firstStep`, n being the number left when every "app" and what follows the first underscore are taken away. Without a
 * number or beyond the list it is dropped; n = 0 means the last app, as an index of -1 does in Python.
 */
export function mapPlaceholders(apps: readonly string[], firstStep: readonly string[]): string[] {
  return apps.flatMap((app) => {
    const name = app.toLowerCase();
    if (!name.startsWith("app")) return [app];
    const number = strip(name.replaceAll("app", "").split("_")[0]!);
    if (!/^[+-]?[0-9]+$/.test(number)) return [];
    const mapped = firstStep.at(Number(number) - 1);
    return mapped === undefined ? [] : [mapped];
  });
}
