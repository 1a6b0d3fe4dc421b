/**
 * Queries the index of a folder with SQL. DuckDB is an optional package that the first query loads. It reads only the index and
 * cannot use other files, the network or extensions, or change its settings. Memory, time and the size of the result are
 * limited.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { DuckDBConnection, DuckDBValueConverter } from "@duckdb/node-api";
import { Problem } from "../../problem.ts";
import { requireFormat } from "../../settings/format.ts";
import { parseJson } from "../../text/json-record.ts";
import { printable } from "../../text/printable.ts";
import type { Json } from "../../types.ts";
import { indexFile, indexFolder } from "./index-folder.ts";

export type QueryLimits = {
  /** Largest number of rows returned. */
  readonly rows: number;
  readonly seconds: number;
  readonly megabytes: number;
};

export const usualLimits: QueryLimits = { rows: 100_000, seconds: 60, megabytes: 2048 };

export type QueryResult = {
  readonly columns: readonly string[];
  /** Null for no value. Dates, times, decimals and whole numbers that a number cannot represent exactly are strings. */
  readonly rows: readonly (readonly Json[])[];
  /** True if there were more rows than the limit. */
  readonly isCut: boolean;
};

/**
 * Resolves to the result of one SELECT on the view `rows`: all runs of the folder's index. Throws `Problem` if there is no index,
 * the package is missing, the statement is refused or fails, or it takes too long.
 */
export async function queryIndex(
  folder: string,
  sql: string,
  { signal, limits = usualLimits }: { readonly signal?: AbortSignal; readonly limits?: QueryLimits } = {},
): Promise<QueryResult> {
  const place = indexFolder(folder);
  if (!existsSync(indexFile(folder)))
    throw new Problem("tool", `There is no index in ${folder}: \`planwright index ${folder}\` creates it`);
  requireFormat("index", indexFile(folder), parseJson(readFileSync(indexFile(folder), "utf8")));
  const duckdb = await loadPackage();
  const instance = await duckdb.DuckDBInstance.create(":memory:", { memory_limit: `${limits.megabytes}MB` });
  try {
    const connection = await instance.connect();
    await open(connection, realpathSync(place));
    const interrupt = () => connection.interrupt();
    signal?.addEventListener("abort", interrupt);
    const timer = setTimeout(interrupt, limits.seconds * 1000);
    try {
      return await answer(connection, sql, duckdb, limits);
    } catch (error) {
      signal?.throwIfAborted();
      throw queryProblem(error, limits);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/** Defines `rows`, then shuts everything else off for good. */
async function open(connection: DuckDBConnection, place: string): Promise<void> {
  const files = join(place, "rows", "*", "*", "*.parquet");
  const columns = "union_by_name = true, hive_partitioning = true, hive_types_autocast = false";
  const source = existsSync(join(place, "rows"))
    ? `SELECT * FROM read_parquet(${quoted(files)}, ${columns})`
    : "SELECT NULL::VARCHAR AS run WHERE false";
  await connection.run(
    [
      "SET autoinstall_known_extensions = false",
      "SET autoload_known_extensions = false",
      "SET allow_community_extensions = false",
      "SET temp_directory = ''",
      `SET allowed_directories = [${quoted(place + sep)}]`,
      "SET enable_external_access = false",
      `CREATE VIEW rows AS ${source}`,
      "SET lock_configuration = true",
    ].join("; "),
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function answer(
  connection: DuckDBConnection,
  sql: string,
  { StatementType, JsonDuckDBValueConverter }: Package,
  { rows: most }: QueryLimits,
): Promise<QueryResult> {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new Problem("parse", `Expected one SELECT, got ${statements.count} statements`);
  const statement = await statements.prepare(0);
  if (statement.statementType !== StatementType.SELECT)
    throw new Problem("parse", "Expected a SELECT, got another statement");
  const result = await statement.stream();
  const convert: DuckDBValueConverter<Json> = (value, type, converter) =>
    typeof value === "bigint" && Number.isSafeInteger(Number(value))
      ? Number(value)
      : (JsonDuckDBValueConverter as DuckDBValueConverter<Json>)(value, type, converter);
  const rows: (readonly Json[])[] = [];
  for await (const chunk of result.yieldConvertedRows(convert)) {
    rows.push(...chunk);
    if (rows.length > most) break;
  }
  return { columns: result.deduplicatedColumnNames(), rows: rows.slice(0, most), isCut: rows.length > most };
}

/** Formats a value for tables. Fractions have at most six significant digits; `--json` has all. */
export function valueText(value: Json): string {
  if (value === null) return "";
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

/** Returns the reason in one or a few lines, without the places in DuckDB's own files. */
function queryProblem(error: unknown, { seconds }: QueryLimits): Problem {
  if (error instanceof Problem) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (message.startsWith("INTERRUPT Error")) return new Problem("timeout", `The query took longer than ${seconds} s`);
  return new Problem("parse", message.trimEnd());
}

type Package = typeof import("@duckdb/node-api");

async function loadPackage(): Promise<Package> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Problem(
      "tool",
      "SQL needs the package `@duckdb/node-api`, which is not installed: npm install @duckdb/node-api",
    );
  }
}
