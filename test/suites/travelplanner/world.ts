/** The published sandbox, opened once for all tests of a file. */
import { openSandbox } from "../../../suites/travelplanner/data/database.ts";
import { readQueries } from "../../../suites/travelplanner/data/queries.ts";
import { shared } from "../../shared.ts";

export const tools = { report: () => {}, signal: new AbortController().signal };

export function publishedSandbox() {
  return openSandbox(shared("data/travelplanner"), "published", tools);
}

export async function publishedQueries() {
  const folder = shared("data/travelplanner");
  return { train: await readQueries(folder, "train"), validation: await readQueries(folder, "validation") };
}
