/** Verdicts of people in files of the session's folder: a row per task, or per task and run or model. */
import { readFileSync, statSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { pathInside } from "../../files/inside.ts";
import { parseJsonLines } from "../../text/json-lines.ts";
import { isRecord } from "../../text/json-record.ts";
import type { FileLabels, JudgeCheck } from "../../analysis.ts";
import { stampOf } from "../../work/file-stamp.ts";
import { largestQuestionFile } from "../file-suite.ts";
import { labelColumn } from "./judge-check.ts";

/**
 * Columns that may contain the task of a row; in a file without such a column, rows are tasks by number, as in files of
 * questions.
 */
const taskColumns = ["task", "task_id", "id"];

type Record = Readonly<{ [column: string]: unknown }>;
type Read = { readonly stamp: string | undefined; readonly labels: FileLabels };

export class LabelFiles {
  readonly #folder: string;
  #read: ReadonlyMap<string, Read> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns labels by `FILE:COLUMN`, read again if a file has changed; the same map if none has. Never throws. */
  of(checks: readonly JudgeCheck[]): ReadonlyMap<string, FileLabels> {
    const names = new Set(checks.flatMap(({ people }) => (labelColumn(people) === undefined ? [] : people)));
    const before = this.#read;
    const read = new Map([...names].map((name) => [name, this.#one(name, before.get(name))]));
    const isSame = read.size === before.size && [...read].every(([name, each]) => before.get(name) === each);
    if (!isSame) {
      this.#read = read;
      this.#labels = new Map([...read].map(([name, { labels }]) => [name, labels]));
    }
    return this.#labels;
  }
  #labels: ReadonlyMap<string, FileLabels> = new Map();

  #one(name: string, known: Read | undefined): Read {
    const { file, column } = labelColumn(name)!;
    let stamp: string | undefined;
    try {
      const path = pathInside(file, new Map([[this.#folder, "the session's folder"]]));
      stamp = stampOf(path);
      return known !== undefined && known.stamp === stamp ? known : { stamp, labels: labelsIn(path, column) };
    } catch (error) {
      const problem = `${file}: ${(error as Error).message}`;
      return known?.labels.problem === problem ? known : { stamp, labels: { lines: [], problem } };
    }
  }
}

function labelsIn(path: string, column: string): FileLabels {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new Error("Expected a file, found none");
  if (found.size > largestQuestionFile) throw new Error("Expected at most 20 MB");
  const text = readFileSync(path, "utf8");
  const records: readonly unknown[] = /\.csv$/i.test(path)
    ? (parse(text, { bom: true, columns: true, skip_empty_lines: true, trim: true }) as Record[])
    : parseJsonLines(text, path).map(({ value }) => value);
  const rows = records.filter((record): record is Record => isRecord(record));
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  if (!columns.has(column)) throw new Error(`Expected a column \`${column}\`, found ${[...columns].join(", ")}`);
  const naming = taskColumns.find((each) => columns.has(each) && each !== column);
  const lines = rows.flatMap((row, index) => {
    const value = textOf(row[column]);
    const [run, model] = [textOf(row["run"]), textOf(row["model"])];
    const task = naming === undefined ? String(index + 1) : textOf(row[naming]);
    return value === "" ? [] : [{ task, value, ...(run !== "" && { run }), ...(model !== "" && { model }) }];
  });
  return { lines };
}

const textOf = (value: unknown): string =>
  value === undefined || value === null || typeof value === "object" ? "" : String(value).trim();
