/** Reads a CSV file with a header whose columns the command line names. */
import { readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { DataProblem, MissingFile } from "../../engine/text/json-lines.ts";
import { ArgumentProblem } from "../shell/arguments.ts";

/** Returns the one file of `content` that a command names. Throws `ArgumentProblem`. */
export function oneFile([file, ...more]: readonly string[], content: string): string {
  if (file !== undefined && more.length === 0) return file;
  throw new ArgumentProblem(`Expected one file of ${content}, got \`${[file, ...more].join(" ") || "none"}\``);
}

export type TableRow = {
  /** 1-based line of the file. */
  readonly line: number;
  /** The text of a column; empty if the row has nothing there. */
  text(column: string): string;
};

/** Rows of a file in its order. Throws `DataProblem` if it is not CSV or lacks one of `columns`, `MissingFile` without a file. */
export function readTable(path: string, columns: readonly string[]): readonly TableRow[] {
  type Parsed = { readonly record: Readonly<Record<string, string>>; readonly info: { readonly lines: number } };
  const [header, rows] = parsedOf(path);
  const missing = columns.find((column) => !header.includes(column));
  if (missing !== undefined)
    throw new DataProblem(`Expected a column \`${missing}\` in ${path}, found ${header.join(", ") || "none"}`);
  return rows.map(({ record, info }) => ({ line: info.lines, text: (column) => record[column] ?? "" }));

  function parsedOf(file: string): [readonly string[], readonly Parsed[]] {
    let names: readonly string[] = [];
    try {
      // The types of the package know `columns` and `info` each, but not what both give together.
      const parsed = parse(contentOf(file), {
        bom: true,
        columns: (found: string[]) => (names = found),
        skip_empty_lines: true,
        trim: true,
        info: true,
      }) as unknown as Parsed[];
      return [names, parsed];
    } catch (error) {
      if (error instanceof CsvError)
        throw new DataProblem(`Expected ${file} to be CSV with a header: ${error.message}`);
      throw error;
    }
  }
}

function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new MissingFile(`Expected a file at ${path}: ${(error as Error).message}`);
  }
}
