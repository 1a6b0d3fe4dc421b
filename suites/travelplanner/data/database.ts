/** Opens the sandbox of a data folder: the built file if it is intact, otherwise a new file built from the tables. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { replaceFile } from "../../../source/engine/files/replace-file.ts";
import { DataProblem } from "../../../source/engine/text/json-lines.ts";
import { field, parseJson } from "../../../source/engine/text/json-record.ts";
import { type BuildTools, MARKER, buildFile, buildInMemory, hasTables } from "./build.ts";
import { type Sandbox, sandboxOf } from "./sandbox.ts";
import { ACCEPTED_CITIES, CITIES, TABLES, cityFile, filesOf } from "./tables.ts";
import type { DataKind } from "../../../source/engine/types.ts";

export const DATABASE = "sandbox.sqlite";
/** The original location of the tables; a damaged database is rebuilt from them automatically. */
const ORIGIN = "sandbox-origin.json";
/** Larger tables are built into a file instead of memory. */
const MEMORY_LIMIT = 48 << 20;
/** Larger databases are not checked when opened; damage then appears at the first damaged page. */
const CHECK_LIMIT = 64 << 20;

/**
 * Opens the sandbox of `folder`. A damaged or unfinished database is rebuilt from `folder/database` or from its original tables.
 * Throws `DataProblem`, with advice, if neither exists.
 */
export async function openSandbox(folder: string, data: DataKind, tools: BuildTools): Promise<Sandbox> {
  const path = join(folder, DATABASE);
  const whole = openWhole(path);
  if (whole !== undefined) return sandboxOf(whole, data);
  const tables = tablesOf(folder);
  if (tables === undefined) {
    const what = existsSync(path) ? "a damaged or incomplete one" : "none";
    throw new DataProblem(
      `Expected a complete database at ${path}, found ${what}; build it with \`planwright data add travelplanner --from DIR\``,
    );
  }
  if (!existsSync(path) && bytesOf(tables) <= MEMORY_LIMIT) {
    return { ...sandboxOf(await heldInMemory(tables, tools.signal), data), close: () => {} };
  }
  rmSync(path, { force: true });
  await buildFile(tables, path, tools);
  return sandboxOf(openWhole(path)!, data);
}

/** Builds `to/sandbox.sqlite` from the tables in `from` and records their location. */
export async function buildSandbox(from: string, to: string, tools: BuildTools): Promise<void> {
  const tables = tablesIn(from);
  await buildFile(tables, join(to, DATABASE), tools);
  replaceFile(join(to, ORIGIN), `${JSON.stringify({ from: tables })}\n`);
}

/** Returns the folder of the tables: `database` in `from`, or `from` itself. */
export const tablesIn = (from: string): string => (hasTables(join(from, "database")) ? join(from, "database") : from);

/** Opens the database at `path` read-only; returns undefined if it is missing, damaged or unfinished. */
function openWhole(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const marker = database.prepare("SELECT value FROM facts WHERE name = 'marker'").get();
    const pages = database
      .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
      .get();
    const { size } = statSync(path);
    const sound =
      marker?.["value"] === MARKER && pages?.["bytes"] === size && (size > CHECK_LIMIT || passesCheck(database));
    if (sound) return database;
  } catch {
    // A file that SQLite cannot read is rebuilt.
  }
  database?.close();
  return undefined;
}

function passesCheck(database: DatabaseSync): boolean {
  const [row] = database.prepare("PRAGMA quick_check(1)").all();
  return row?.["quick_check"] === "ok";
}

/** Returns the original location of the tables if it still exists, otherwise the tables next to the database. */
function tablesOf(folder: string): string | undefined {
  const beside = join(folder, "database");
  try {
    const from = field(parseJson(readFileSync(join(folder, ORIGIN), "utf8")), "from");
    if (typeof from === "string" && hasTables(from)) return from;
  } catch {
    // Nothing was built here; the tables themselves are the data.
  }
  return hasTables(beside) ? beside : undefined;
}

function bytesOf(folder: string): number {
  let sum = 0;
  for (const path of pathsOf(folder)) sum += statSync(path).size;
  return sum;
}

/** Lists all files a database is built from. Throws `DataProblem` for a missing table. */
export function pathsOf(folder: string): readonly string[] {
  const cities = [CITIES, ACCEPTED_CITIES].flatMap((name) => cityFile(folder, name) ?? []);
  return [...cities, ...TABLES.flatMap((table) => filesOf(table, folder))];
}

let held: { readonly stamp: string; readonly database: Promise<DatabaseSync> } | undefined;

/** Caches the last tables in memory until they change, because reading them takes longer than scoring with them. */
function heldInMemory(folder: string, signal: AbortSignal): Promise<DatabaseSync> {
  const stamp = pathsOf(folder)
    .map((path) => `${path} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .join("\n");
  if (held?.stamp === stamp) return held.database;
  const database = buildInMemory(folder, signal);
  const mine = { stamp, database };
  held = mine;
  database.catch(() => {
    if (held === mine) held = undefined;
  });
  return database;
}
