/** Fills a SQLite database from the published CSV files. */
import { renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { forgetChecksum, noteChecksum } from "../../../source/engine/files/manifest.ts";
import { DataProblem, readText } from "../../../source/engine/text/json-lines.ts";
import { contentOf } from "./archive.ts";
import { readCsv } from "./csv.ts";
import { type Table, ACCEPTED_CITIES, CITIES, TABLES, cityFile, filesOf } from "./tables.ts";

/** Written last. Raised when the layout changes, so that older files are rebuilt. */
export const MARKER = "planwright travelplanner sandbox 1";
const REPORT_EVERY = 500_000;

export type BuildTools = { readonly report: (line: string) => void; readonly signal: AbortSignal };

/**
 * Builds the database file `to` from the tables in `folder`. The file is written under another name and renamed at the
 * end, so `to` is either complete or absent. A checksum beside it reveals manual changes, so that such runs differ from
 * runs on the tables. Throws `DataProblem` for a missing or damaged file.
 */
export async function buildFile(folder: string, to: string, tools: BuildTools): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const unfinished = `${to}.building-${process.pid}`;
  rmSync(unfinished, { force: true });
  const database = createAt(unfinished);
  try {
    await fill(database, folder, tools).finally(() => database.close());
    forgetChecksum(to);
    renameSync(unfinished, to);
    noteChecksum(to);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

function createAt(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (error) {
    throw new DataProblem(`Could not write the database to ${path}: ${(error as Error).message}`);
  }
}

/** Builds the database in memory, for small tables. */
export async function buildInMemory(folder: string, signal: AbortSignal): Promise<DatabaseSync> {
  const database = new DatabaseSync(":memory:");
  await fill(database, folder, { report: () => {}, signal });
  return database;
}

async function fill(database: DatabaseSync, folder: string, tools: BuildTools): Promise<void> {
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384");
  database.exec("CREATE TABLE facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  database.exec("CREATE TABLE words(id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)");
  database.exec("CREATE TABLE cities(city TEXT NOT NULL, state TEXT NOT NULL)");
  database.exec("CREATE TABLE accepted(city TEXT NOT NULL)");
  database.exec("BEGIN");
  const fact = database.prepare("INSERT INTO facts VALUES (?, ?)");
  await fillCities(database, folder);
  const words = new Map<string, number>();
  for (const table of TABLES) {
    const count = await fillTable(database, table, folder, words, tools);
    fact.run(table.name, String(count));
    tools.report(countLine(table, count));
  }
  const insert = database.prepare("INSERT INTO words VALUES (?, ?)");
  for (const [word, id] of words) insert.run(id, word);
  tools.report("indexing");
  for (const { name, indexes } of TABLES) {
    for (const columns of indexes)
      database.exec(`CREATE INDEX ${name}_by_${columns.join("_")} ON ${name}(${columns.join(", ")})`);
  }
  fact.run("marker", MARKER);
  database.exec("COMMIT");
}

function countLine({ name, published }: Table, count: number): string {
  const compared = count === published ? "as published" : `the published table has ${published.toLocaleString("en")}`;
  return `${name}: ${count.toLocaleString("en")} rows, ${compared}`;
}

async function fillCities(database: DatabaseSync, folder: string): Promise<void> {
  const city = database.prepare("INSERT INTO cities VALUES (?, ?)");
  const path = cityFile(folder, CITIES) ?? join(folder, CITIES);
  for (const [index, line] of linesOf(await readText(path)).entries()) {
    const [name, state, more] = line.split("\t");
    if (name === undefined || state === undefined || more !== undefined) {
      throw new DataProblem(`Expected line ${index + 1} of ${path} to be a city, a tab and a state, got \`${line}\``);
    }
    city.run(name, state);
  }
  const accepted = database.prepare("INSERT INTO accepted VALUES (?)");
  for (const line of linesOf(await readText(cityFile(folder, ACCEPTED_CITIES) ?? join(folder, ACCEPTED_CITIES))))
    accepted.run(line);
}

const linesOf = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.replace("\r", "")]));

/**
 * Fills one table with checks per column: headers are found by name, and numbers must be numbers. Returns the number of rows that
 * were inserted.
 */
async function fillTable(
  database: DatabaseSync,
  table: Table,
  folder: string,
  words: Map<string, number>,
  { report, signal }: BuildTools,
): Promise<number> {
  const { columns } = table;
  const types = columns.map(
    ({ name, kind }) => `${name} ${kind === "text" ? "TEXT" : kind === "word" ? "INTEGER" : "NUMERIC"}`,
  );
  database.exec(`CREATE TABLE ${table.name}(${types.join(", ")})`);
  const insert = database.prepare(`INSERT INTO ${table.name} VALUES (${columns.map(() => "?").join(", ")})`);
  let kept = 0;
  for (const path of filesOf(table, folder)) {
    let positions: readonly number[] | undefined;
    let headerLength = 0;
    let record = 0;
    const values: (string | number)[] = [];
    await readCsv(contentOf(path), path, (cells) => {
      record += 1;
      if (positions === undefined) {
        headerLength = cells.length;
        positions = columns.map(({ header }) => positionOf(header, cells, path));
        return;
      }
      signal.throwIfAborted();
      if (cells.length > headerLength)
        throw new DataProblem(`Expected ${headerLength} values in record ${record} of ${path}, got ${cells.length}`);
      if (table.dropsIncomplete && (cells.length < headerLength || cells.includes(""))) return;
      for (let index = 0; index < columns.length; index++) {
        const cell = cells[positions[index]!] ?? "";
        const { kind, header } = columns[index]!;
        if (kind === "text") values[index] = cell;
        else if (kind === "word") values[index] = idOf(cell, words);
        else if (Number.isFinite((values[index] = Number(cell))) === false || cell.trim() === "")
          throw new DataProblem(
            `Expected \`${header}\` in record ${record} of ${path} to be a number, got \`${cell}\``,
          );
      }
      insert.run(...values);
      kept += 1;
      if (kept % REPORT_EVERY === 0) report(`${basename(path)}: ${kept.toLocaleString("en")} rows`);
    });
    if (positions === undefined) throw new DataProblem(`Expected a header line in ${path}, found an empty file`);
  }
  return kept;
}

function positionOf(header: string, cells: readonly string[], path: string): number {
  const position = cells.indexOf(header);
  if (position === -1)
    throw new DataProblem(`Expected a column \`${header}\` in ${path}, got ${cells.join(", ").slice(0, 200)}`);
  return position;
}

function idOf(word: string, words: Map<string, number>): number {
  const known = words.get(word);
  if (known !== undefined) return known;
  words.set(word, words.size + 1);
  return words.size;
}

/** Reports whether the folder contains tables to build a database from. */
export const hasTables = (folder: string): boolean => cityFile(folder, CITIES) !== undefined;
