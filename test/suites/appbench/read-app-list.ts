/** Reads a list of apps like the publisher's code. */
import { namedApps } from "../../../suites/appbench/ask/app-list.ts";

/**
 * Returns the apps that upstream reads from a first-stage answer, including repeats; undefined if the stage fails. If no name occurs,
 * upstream's fuzzy search adds, for each character of the answer, every app that contains it.
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
