/** The publisher's reading of a list of apps. */
import { namedApps } from "../../../suites/appbench/ask/app-list.ts";

/**
 * Returns the apps that upstream reads from a first-stage answer, repeats included; undefined if the stage fails. If no
 * name occurs, upstream's fuzzy search takes every app that contains a character of the answer, for each character.
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
