/** Reads a CSV file with a header whose columns the command line names. */
import { readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { DataProblem, MissingFile } from "../../engine/text/json-lines.ts";
import { ArgumentProblem } from "../shell/arguments.ts";

/** Returns the only file that a command names, with this `content`. Throws `ArgumentProblem` for other arguments. */
export function oneFile([file, ...more]: readonly string[], content: string): string {
  if (file !== undefined && more.length === 0) return file;
  throw new ArgumentProblem(`Expected one file of ${content}, got \`${[file, ...more].join(" ") || "none"}\``);
}

export type TableRow = {
  /** 1-based line of the file. */
  readonly line: number;
  /** Returns the text of a column; empty if the row has no value in it. */
  text(column: string): string;
};

/**
 * Reads the rows of a file in order. Throws `DataProblem` if the file is not CSV or lacks one of `columns`, `MissingFile` if it
 * does not exist.
 */
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
