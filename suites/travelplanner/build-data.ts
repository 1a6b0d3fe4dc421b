/** Bringing published data in: the requests are copied, the tables become one database. */
import { cpSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { BuildTools } from "./build.ts";
import { buildSandbox, openSandbox } from "./database.ts";
import { FLIGHTS_IN_ALL } from "./tables.ts";

/** Builds the database of `to` from the tables in `from`, reporting counts. Throws `DataProblem` for what is missing or damaged. */
export async function buildData(from: string, to: string, tools: BuildTools): Promise<void> {
  for (const folder of ["queries", "reference"]) {
    const source = join(from, folder);
    if (existsSync(source) && resolve(source) !== resolve(join(to, folder))) {
      cpSync(source, join(to, folder), { recursive: true, force: false });
    }
  }
  await buildSandbox(resolve(from), to, tools);
  const sandbox = await openSandbox(to, "published", tools);
  const { flights, flightsComplete } = sandbox;
  sandbox.close();
  if (flightsComplete) tools.report(`flights complete: ${flights.toLocaleString("en")} as published`);
  else {
    tools.report(
      `flight data incomplete: ${flights.toLocaleString("en")} of ${FLIGHTS_IN_ALL.toLocaleString("en")} flights; put clean_Flights_2022.csv (plain or zipped) into database/ and build again`,
    );
  }
}
