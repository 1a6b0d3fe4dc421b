/** Bringing published data in: requests and small tables are copied, all tables become one database. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { copyFolder } from "../../../source/engine/files/copy-folder.ts";
import { mustStayIn } from "../../../source/engine/files/inside.ts";
import { makeFolder } from "../../../source/engine/files/make-folder.ts";
import { replaceFile } from "../../../source/engine/files/replace-file.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { BuildTools } from "./build.ts";
import { buildSandbox, openSandbox, pathsOf, tablesIn } from "./database.ts";
import { QUERY_FILES } from "./queries.ts";
import { FLIGHTS_IN_ALL } from "./tables.ts";

/** Larger tables are not copied: a damaged database is then built again from where they were. */
const COPY_LIMIT = 16 << 20;

/** Builds the database of `to` from the tables in `from`, reporting counts. Throws `DataProblem` for what is missing or damaged. */
export async function buildData(from: string, to: string, tools: BuildTools): Promise<void> {
  for (const folder of ["queries", "reference"]) {
    const source = join(from, folder);
    if (existsSync(source)) copyFolder(source, join(to, folder), from);
  }
  const splits = Object.entries(QUERY_FILES).filter(([, files]) => files.some((file) => existsSync(join(to, file))));
  if (splits.length === 0)
    throw new DataProblem(`Expected requests in ${join(from, "queries")}, such as train.jsonl or train.csv`);
  tools.report(`requests: ${splits.map(([split]) => split).join(", ")}`);
  for (const path of pathsOf(tablesIn(resolve(from)))) mustStayIn(resolve(from), path);
  await buildSandbox(resolve(from), to, tools);
  makeFolder(join(to, "database"));
  for (const path of pathsOf(tablesIn(resolve(from)))) {
    if (statSync(path).size <= COPY_LIMIT) replaceFile(join(to, "database", basename(path)), readFileSync(path));
  }
  const sandbox = await openSandbox(to, "published", tools);
  const { flights, flightsComplete } = sandbox;
  sandbox.close();
  if (flightsComplete) return;
  tools.report(
    `flight data incomplete: ${flights.toLocaleString("en")} of ${FLIGHTS_IN_ALL.toLocaleString("en")} flights; put clean_Flights_2022.csv (plain or zipped) into database/ and build again`,
  );
}
