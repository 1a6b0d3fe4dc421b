/** Writes runs of a session below `exports/`: rows, conversations, and formats of other tools. */
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFile, replaceFileAsItComes } from "../../files/replace-file.ts";
import { atifDocument } from "./atif.ts";
import { distinctNames, fileName } from "../../figures/file-name.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";
import { inspectArchive, inspectJson, RunUsage } from "./inspect/inspect-log.ts";
import { escapedJson } from "../../text/json-text.ts";
import type { RunFormat } from "../session-state.ts";
import { csvParts, columnsOf, jsonRow, tableRow } from "./run-rows.ts";
import { parquetParts } from "./parquet.ts";
import { messageLines, trainingExamples } from "./run-messages.ts";

/**
 * Writes these runs in one format and resolves to the written paths. Rows, messages and training examples of all runs share one
 * file; Inspect gets two logs per run, ATIF a folder with one document per task. `least` is the lowest score of an example;
 * `name` is a prefix of the file names.
 */
export async function writeRuns(
  runs: readonly ExportedRun[],
  format: RunFormat,
  folder: string,
  { least, name }: { readonly least?: number | undefined; readonly name?: string | undefined } = {},
): Promise<readonly string[]> {
  makeFolder(folder);
  const path = (file: string) => join(folder, name === undefined ? file : `${fileName(name)}-${file}`);
  switch (format) {
    case "rows.csv":
    case "rows.parquet":
      return writeTable(runs, format, path);
    case "rows.jsonl":
      return writeLines(runs, path("rows.jsonl"), (run, task) => [jsonRow(run, task)]);
    case "messages":
      return writeLines(runs, path("messages.jsonl"), messageLines);
    case "training":
      return writeTraining(runs, path, least);
    case "inspect":
      return inTurn(runs, (run) => writeInspect(run, folder));
    case "atif":
      return inTurn(runs, (run) => writeAtif(run, folder));
  }
}

async function writeTable(
  runs: readonly ExportedRun[],
  format: "rows.csv" | "rows.parquet",
  path: (file: string) => string,
): Promise<readonly string[]> {
  const [table, beside] = [path(format), path("rows.notes.txt")];
  const columns = await columnsOf(runs);
  const rows = mapped(eachTask(runs), ([run, task]) => tableRow(run, task.row, task));
  await replaceFileAsItComes(table, format === "rows.csv" ? csvParts(columns, rows) : parquetParts(columns, rows));
  const notes = runs.flatMap(({ run, label, warnings }) => warnings.map((warning) => `${run} ${label}: ${warning}\n`));
  replaceFile(beside, aboutColumns + escapedJson(notes.join("")));
  return [table, beside];
}

const aboutColumns =
  "Scores and shares are from 0 to 1, times in seconds. Columns without a prefix, up to `task`, are settings of the run;\n" +
  "tokens, calls and seconds count only the scored attempt; `spent...` fields count all attempts.\n" +
  "rows.csv contains control characters, bidirectional marks and invisible characters as escapes such as \\u202e; rows.jsonl contains\n" +
  "the same characters as JSON escapes, which every reader decodes.\n\n";

async function writeLines(
  runs: readonly ExportedRun[],
  path: string,
  linesOf: (run: ExportedRun, task: ExportedTask) => readonly string[],
): Promise<readonly string[]> {
  const parts = mapped(eachTask(runs), ([run, task]) => Buffer.from(linesOf(run, task).join(""), "utf8"));
  await replaceFileAsItComes(path, parts);
  return [path];
}

/**
 * Writes examples and their origins, both from the same reading. Origins are short, so they stay in memory until the examples are
 * written.
 */
async function writeTraining(runs: readonly ExportedRun[], path: (file: string) => string, least: number | undefined) {
  const origins: string[] = [];
  const written = await writeLines(runs, path("training.jsonl"), (run, task) =>
    trainingExamples(run, task, least).map(({ example, origin }) => {
      origins.push(origin);
      return example;
    }),
  );
  const beside = path("training.origins.jsonl");
  replaceFile(beside, origins.join(""));
  return [...written, beside];
}

async function* mapped<Item, Result>(items: AsyncIterable<Item>, each: (item: Item) => Result): AsyncIterable<Result> {
  for await (const item of items) yield each(item);
}

async function* eachTask(runs: readonly ExportedRun[]): AsyncIterable<readonly [ExportedRun, ExportedTask]> {
  for (const run of runs) for await (const task of run.tasks()) yield [run, task];
}

/** Waits for all writes, so that no write continues after another has failed. */
async function inTurn(runs: readonly ExportedRun[], write: (run: ExportedRun) => Promise<readonly string[]>) {
  const written: string[] = [];
  for (const run of runs) written.push(...(await write(run)));
  return written;
}

/** Writes the log as one JSON document and as an archive in Inspect's own format. */
async function writeInspect(run: ExportedRun, folder: string): Promise<readonly string[]> {
  const base = join(folder, `inspect-${fileName(run.label)}-${run.fileId}`);
  const [document, archive] = [`${base}.json`, `${base}.eval`];
  // Reads the samples once: the archive has the usage at its end, and the document needs it in its head.
  const usage = new RunUsage();
  await replaceFileAsItComes(archive, inspectArchive(run, usage));
  await replaceFileAsItComes(document, inspectJson(run, usage));
  return [document, archive];
}

async function writeAtif(run: ExportedRun, folder: string): Promise<readonly string[]> {
  const own = join(folder, `atif-${fileName(run.label)}-${run.fileId}`);
  makeFolder(own);
  const named = distinctNames();
  const written: string[] = [];
  for await (const task of run.tasks()) {
    const path = join(own, `${named(task.row.task)}.json`);
    replaceFile(path, atifDocument(run, task));
    written.push(path);
  }
  return run.isWhole ? [own] : written;
}
