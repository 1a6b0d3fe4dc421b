/** Reads the logs of Who&When from a folder in its published layout. */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { MissingFile, readJson } from "../../engine/text/json-lines.ts";
import type { Json } from "../../engine/types.ts";
import {
  type AnnotatedLog,
  annotatedLog,
  type AnnotatedSet,
} from "../../engine/workbench/recordings/who-and-when-recording.ts";

/** A log with the content of its file. */
export type PublishedLog = { readonly log: AnnotatedLog; readonly value: Json };

/**
 * Reads the logs of a set, in the order of their numbers, from a folder that contains `Who&When/` or is that folder. Throws
 * `MissingFile` without such a folder, `DataProblem` for a log that lacks its annotation.
 */
export async function publishedLogs(folder: string, set: AnnotatedSet): Promise<readonly PublishedLog[]> {
  const inside = [join(folder, "Who&When", set), join(folder, set)].find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  );
  if (inside === undefined) throw new MissingFile(`Expected a folder \`Who&When/${set}\` in ${folder}, found none`);
  const names = readdirSync(inside)
    .filter((name) => name.endsWith(".json"))
    .toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10) || (one < other ? -1 : 1));
  return Promise.all(
    names.map(async (name) => {
      const path = join(inside, name);
      const value = await readJson(path);
      return { value, log: annotatedLog(value, set, basename(path, ".json"), path) };
    }),
  );
}
