/** Finds published data. Measurements that need missing data are omitted with their names, never replaced by a sample. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { openSettings } from "../source/engine/settings/settings.ts";

const shared = resolve(process.env["PLANWRIGHT_SHARED"] ?? join(import.meta.dirname, "..", "..", "shared"));

/** The folder of a suite's published data that has this file: as it was brought in, else as the tests have it. */
export async function publishedData(suite: string, file: string): Promise<string | undefined> {
  const installed = (await openSettings()).read().data[suite];
  const folders = [...(installed === undefined ? [] : [installed]), join(shared, "data", suite)];
  return folders.find((folder) => existsSync(join(folder, file)));
}

/** A folder of expected values, such as `travelplanner`. */
export function conformanceFiles(name: string): string | undefined {
  const folder = join(shared, "conformance", name);
  return existsSync(folder) ? folder : undefined;
}
