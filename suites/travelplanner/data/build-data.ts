/** Installs published data: copies requests and small tables, and builds a database from all tables. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { copyFolder } from "../../../source/engine/files/replace-folder.ts";
import { mustStayIn } from "../../../source/engine/files/inside.ts";
import { makeFolder } from "../../../source/engine/files/make-folder.ts";
import { replaceFile } from "../../../source/engine/files/replace-file.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import type { BuildTools } from "./build.ts";
import { buildSandbox, openSandbox, pathsOf, tablesIn } from "./database.ts";
import { QUERY_FILES } from "./query-files.ts";
import { FLIGHTS_IN_ALL, LARGE_TABLES } from "./tables.ts";

/** Larger tables are not copied; a damaged database is then rebuilt from their original location. */
const COPY_LIMIT = 16 << 20;

/**
 * Builds the database of `to` from the tables in `from` and reports counts. Throws `DataProblem` for missing or damaged
 * files.
 */
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
  const large: string[] = [];
  for (const path of pathsOf(tablesIn(resolve(from)))) {
    if (statSync(path).size <= COPY_LIMIT) replaceFile(join(to, "database", basename(path)), readFileSync(path));
    else large.push(path);
  }
  const noted = join(to, "database", LARGE_TABLES);
  rmSync(noted, { force: true });
  const sandbox = await openSandbox(to, "published", tools);
  const { flights, flightsComplete } = sandbox;
  sandbox.close();
  if (flightsComplete) return;
  // Runs with part of the flights must differ from runs with another part or all of them.
  if (large.length > 0) replaceFile(noted, (await Promise.all(large.map(hashLine))).join(""));
  tools.report(
    `flight data incomplete: ${flights.toLocaleString("en")} of ${FLIGHTS_IN_ALL.toLocaleString("en")} flights; put clean_Flights_2022.csv (plain or zipped) into database/ and build again`,
  );
}

async function hashLine(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return `${hash.digest("hex")}  ${basename(path)}\n`;
}
