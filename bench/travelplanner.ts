/**
 * Scoring TravelPlanner plans from file to table, and the sandbox with as many flights as the published table has
 * (3,827,361 synthetic rows, since the table itself cannot be shipped): time to build, size, time of a search, memory.
 * The flights are built and searched in processes of their own, whose peak memory is then theirs alone.
 */
import { createWriteStream, cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { sampleFolder } from "../source/engine/settings/package-folder.ts";
import { randomFrom } from "../source/engine/statistics/random.ts";
import type { Json } from "../source/engine/types.ts";
import { DATABASE, buildSandbox, openSandbox } from "../suites/travelplanner/data/database.ts";
import { travelplanner } from "../suites/travelplanner/index.ts";
import { searchFlights } from "../suites/travelplanner/ask/searches.ts";
import { FLIGHTS_IN_ALL } from "../suites/travelplanner/data/tables.ts";
import { measured } from "./child-program.ts";
import type { LeftOut, Measurement } from "./measurement.ts";
import { conformanceFiles, publishedData } from "./published.ts";

/** The official evaluator takes 43 s for as many delivered plans, 5.1 s for the 180 of its example. */
const PLANS = 877;
const SEARCHES = 5000;

export async function bench(): Promise<readonly (Measurement | LeftOut)[]> {
  return [...(await scoring()), ...(await flights())];
}

async function scoring(): Promise<readonly (Measurement | LeftOut)[]> {
  const folder = await publishedData("travelplanner", "database");
  const fixtures = conformanceFiles("travelplanner");
  if (folder === undefined || fixtures === undefined)
    return [{ of: `scoring ${PLANS} plans`, leftOut: "no published TravelPlanner data and conformance files" }];
  const plans = fixturePlans(fixtures);
  const cold = await timed(() => score(folder, plans));
  const warm = await timed(() => score(folder, plans));
  return [
    { what: `${PLANS} plans, files to tables`, ours: cold, unit: "s" },
    { what: `${PLANS} plans, tables already read`, ours: warm, unit: "s" },
  ];
}

type Line = { readonly query_set: string; readonly query_idx: number; readonly plan: Json };

async function score(folder: string, plans: readonly Line[]): Promise<void> {
  for (const [split, lines] of Map.groupBy(plans, ({ query_set }) => query_set)) {
    const { signal } = new AbortController();
    const numbered = lines.map((value, index) => ({ number: index + 1, value: value as unknown as Json }));
    const { figures } = await travelplanner.predictions!.score({
      lines: numbered,
      folder,
      data: "published",
      split,
      flags: {},
      signal,
    });
    if (figures.length === 0) throw new Error(`Expected tables for ${split}, got none`);
  }
}

/** The official evaluator's own plans, over and over. */
function fixturePlans(fixtures: string): readonly Line[] {
  const read = (name: string) => JSON.parse(gunzipSync(readFileSync(join(fixtures, name))).toString("utf8")) as unknown;
  const { cases } = read("plans_a.json.gz") as { cases: Line[] };
  type Submission = { query_set: string; plans: { idx: number; plan: Json }[] };
  const { submissions } = read("aggregates_a.json.gz") as { submissions: Record<string, Submission> };
  const whole = Object.values(submissions).flatMap(({ query_set, plans }) =>
    plans.map(({ idx, plan }): Line => ({ query_set, query_idx: idx, plan })),
  );
  const delivered = [...cases, ...whole].filter(({ plan }) => Array.isArray(plan) && plan.length > 0);
  return Array.from({ length: PLANS }, (_, index) => delivered[index % delivered.length]!);
}

async function timed(run: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await run();
  return (performance.now() - from) / 1000;
}

async function flights(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-flights-"));
  try {
    await writeFlights(folder);
    const built = await measured<{ seconds: number; memory: number }>("travelplanner.ts", "build", folder);
    const searched = await measured<{ median: number; slowest: number; memory: number }>(
      "travelplanner.ts",
      "search",
      folder,
    );
    const of = `${FLIGHTS_IN_ALL.toLocaleString("en")} made-up flights`;
    return [
      { what: `${of}: build`, ours: built.seconds, unit: "s" },
      { what: `${of}: build, peak memory`, ours: built.memory, unit: "MB" },
      { what: `${of}: CSV`, ours: statSync(flightsOf(folder)).size / 1e6, unit: "MB" },
      { what: `${of}: database`, ours: statSync(join(folder, DATABASE)).size / 1e6, unit: "MB" },
      { what: `${of}: FlightSearch, median of ${SEARCHES}`, ours: searched.median, unit: "ms" },
      { what: `${of}: FlightSearch, 99th of 100`, ours: searched.slowest, unit: "ms" },
      { what: `${of}: searching, peak memory`, ours: searched.memory, unit: "MB" },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const flightsOf = (folder: string) => join(folder, "database/clean_Flights_2022.csv");
const cityOf = (number: number) => `City ${number}`;
const dateOf = (day: number) => new Date(Date.UTC(2022, 1, 1 + day)).toISOString().slice(0, 10);
const DAYS = 90;
const PAIRS = 5000;

/** Pairs of cities with about eight flights a day between them, in date order as published. */
async function writeFlights(folder: string): Promise<void> {
  cpSync(join(sampleFolder("travelplanner"), "database"), join(folder, "database"), { recursive: true });
  const random = randomFrom("flights");
  const file = createWriteStream(flightsOf(folder));
  file.write("Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance\n");
  let chunk = "";
  for (let row = 0; row < FLIGHTS_IN_ALL; row++) {
    const date = dateOf(Math.floor((row / FLIGHTS_IN_ALL) * DAYS));
    const { from, to } = pairOf(Math.floor(random() * PAIRS));
    const leaves = Math.floor(random() * 1440);
    const clock = (minute: number) => new Date(minute * 60_000).toISOString().slice(11, 16);
    const minutes = 40 + Math.floor(random() * 300);
    const elapsed = `${Math.floor(minutes / 60)} hours ${minutes % 60} minutes`;
    const price = 40 + Math.floor(random() * 700);
    chunk += `F${String(row).padStart(7, "0")},${price},${clock(leaves)},${clock(leaves + minutes)},${elapsed},${date},${from},${to},${minutes * 7}.0\n`;
    if (chunk.length < 1 << 20) continue;
    if (!file.write(chunk)) await once(file, "drain");
    chunk = "";
  }
  file.end(chunk);
  await once(file, "close");
}

function pairOf(number: number): { from: string; to: string } {
  return { from: cityOf(number % 100), to: cityOf(100 + Math.floor(number / 100)) };
}

/** Peak resident memory of this process in MB. */
const peak = () => process.resourceUsage().maxRSS / 1024;
const quiet = { report: () => {}, signal: new AbortController().signal };

async function child(task: string, folder: string): Promise<object> {
  if (task === "build") {
    const seconds = await timed(() => buildSandbox(folder, folder, quiet));
    return { seconds, memory: peak() };
  }
  const sandbox = await openSandbox(folder, "published", quiet);
  const random = randomFrom("searches");
  const times: number[] = [];
  for (let search = 0; search < SEARCHES; search++) {
    const { from, to } = pairOf(Math.floor(random() * PAIRS));
    const start = performance.now();
    const text = searchFlights(sandbox, from, to, dateOf(Math.floor(random() * DAYS)));
    times.push(performance.now() - start);
    if (text === "") throw new Error("Expected an answer, got none");
  }
  sandbox.close();
  times.sort((a, b) => a - b);
  return { median: times[times.length >> 1], slowest: times[Math.floor(times.length * 0.99)], memory: peak() };
}

if (process.argv[1] === import.meta.filename) {
  console.log(JSON.stringify(await child(process.argv[2]!, process.argv[3]!)));
}
