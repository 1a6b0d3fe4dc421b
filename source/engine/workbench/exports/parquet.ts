/** Writes rows of runs as Apache Parquet. `hyparquet-writer` is loaded on first use, because only these exports need it. */
import { Problem } from "../../problem.ts";
import { formats } from "../../settings/format.ts";
import { packageVersion } from "../../settings/package-folder.ts";
import type { Column, TableRow, Value } from "./run-rows.ts";

const types = { text: "STRING", number: "DOUBLE", boolean: "BOOLEAN" } as const;

/** Rows buffered, encoded and written together; encoding this many blocks the thread for a tenth of a second. */
const smallGroup = 1000;

/**
 * Yields a file's bytes, one part per group of `groupSize` rows: texts, doubles and booleans, null if a row has no value. Throws
 * `Problem` if the package is missing.
 */
export async function* parquetParts(
  columns: readonly Column[],
  rows: AsyncIterable<TableRow>,
  groupSize = smallGroup,
): AsyncIterable<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await loadPackage();
  const described = columns.map(({ name, type }) => ({ name, type: types[type], data: [] }));
  const bytes = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: described });
  const kvMetadata = [{ key: "planwright.format", value: String(formats.output) }];
  const createdBy = `planwright version ${packageVersion()}`;
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy, kvMetadata });
  const taken = () => {
    const part = bytes.getBytes().slice();
    bytes.index = 0;
    return part;
  };
  for await (const group of inGroups(rows, groupSize)) {
    const columnData = columns.map((column) => ({ name: column.name, data: group.map((row) => valueIn(row, column)) }));
    await writer.write({ columnData, rowGroupSize: group.length });
    yield taken();
  }
  await writer.finish();
  yield taken();
}

async function* inGroups(rows: AsyncIterable<TableRow>, groupSize: number): AsyncIterable<readonly TableRow[]> {
  let group: TableRow[] = [];
  for await (const row of rows) {
    if (group.push(row) < groupSize) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function valueIn(row: TableRow, { name, type }: Column): Value {
  const value = row.get(name);
  return type === "text" && value !== undefined ? String(value) : value;
}

async function loadPackage(): Promise<typeof import("hyparquet-writer")> {
  try {
    return await import("hyparquet-writer");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Problem(
      "tool",
      "Parquet needs the package `hyparquet-writer`, which is not installed: npm install hyparquet-writer",
    );
  }
}
