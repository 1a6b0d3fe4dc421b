/** Rows of runs as CSV that pandas reads without options: a header, and a line a task with all columns. */
import { csvLine } from "../../text/csv.ts";
import { escapedJson } from "../../text/json-text.ts";
import type { Column } from "./row-columns.ts";
import type { TableRow } from "./run-rows.ts";

/** A file's bytes, a part each line. */
export async function* csvParts(columns: readonly Column[], rows: AsyncIterable<TableRow>): AsyncIterable<Uint8Array> {
  yield lineOf(columns.map(({ name }) => name));
  for await (const row of rows) yield lineOf(columns.map(({ name }) => String(row.get(name) ?? "")));
}

/** The same characters are escaped as in JSON; a reader of CSV cannot tell them from the same letters in a text. */
const lineOf = (fields: readonly string[]): Uint8Array => Buffer.from(csvLine(fields.map(escapedJson)), "utf8");
