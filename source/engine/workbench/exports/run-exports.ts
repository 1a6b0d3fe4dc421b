/** What a session writes of its runs below `exports/`: rows, conversations, and the formats of other tools. */
import { join } from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { atifDocument } from "./atif.ts";
import { distinctNames, fileName } from "../../figures/file-name.ts";
import type { ExportedRun, ExportedTask } from "./exported-run.ts";
import { inspectArchive, inspectJson } from "./inspect/eval-archive.ts";
import type { RunFormat } from "./run-format.ts";
import { messageLines } from "./run-messages.ts";
import { csvRow, csvTable, jsonRow, type CsvRow } from "./run-rows.ts";
import { trainingLines } from "./training.ts";

/**
 * Writes these runs in one format; resolves to the paths written. Rows, messages and training examples of all runs go into one
 * file, logs for Inspect into two a run, ATIF into one a task in a folder. `least` is the score from which a task is an example; a `name` stands before those of the files.
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
      return writeCsv(runs, path);
    case "rows.jsonl":
      return writeLines(runs, path("rows.jsonl"), (run, task) => [jsonRow(run, task)]);
    case "messages":
      return writeLines(runs, path("messages.jsonl"), messageLines);
    case "training":
      return writeLines(runs, path("training.jsonl"), (_, task) => trainingLines(task, least));
    case "inspect":
      return (await Promise.all(runs.map((run) => writeInspect(run, folder)))).flat();
    case "atif":
      return (await Promise.all(runs.map((run) => writeAtif(run, folder)))).flat();
    default:
      return format satisfies never;
  }
}

async function writeCsv(runs: readonly ExportedRun[], path: (file: string) => string): Promise<readonly string[]> {
  const rows: CsvRow[] = [];
  for await (const [run, task] of eachTask(runs)) rows.push(csvRow(run, task));
  const notes = runs.flatMap(({ run, label, warnings }) => warnings.map((warning) => `${run} ${label}: ${warning}\n`));
  const about =
    "Scores and shares are from 0 to 1, times in seconds. Columns without a prefix up to `task` are settings of the run;\n" +
    "tokens, calls and seconds are those of the attempt that was scored, `spent...` those of all attempts.\n\n";
  const [table, beside] = [path("rows.csv"), path("rows.notes.txt")];
  replaceFile(table, csvTable(rows));
  replaceFile(beside, about + notes.join(""));
  return [table, beside];
}

async function writeLines(
  runs: readonly ExportedRun[],
  path: string,
  linesOf: (run: ExportedRun, task: ExportedTask) => readonly string[],
): Promise<readonly string[]> {
  const pieces: Uint8Array[] = [];
  for await (const [run, task] of eachTask(runs)) pieces.push(Buffer.from(linesOf(run, task).join(""), "utf8"));
  replaceFile(path, Buffer.concat(pieces));
  return [path];
}

async function* eachTask(runs: readonly ExportedRun[]): AsyncIterable<readonly [ExportedRun, ExportedTask]> {
  const yieldIfDue = eventLoopYielder();
  for (const run of runs)
    for await (const task of run.tasks()) {
      yield [run, task];
      await yieldIfDue();
    }
}

/** As one JSON document, and as the archive its own tools write. */
async function writeInspect(run: ExportedRun, folder: string): Promise<readonly string[]> {
  const base = join(folder, `inspect-${fileName(run.label)}-${run.run}`);
  const contents = [
    [`${base}.json`, inspectJson(run)],
    [`${base}.eval`, inspectArchive(run)],
  ] as const;
  for (const [path, pieces] of contents) replaceFile(path, Buffer.concat(await Array.fromAsync(pieces)));
  return contents.map(([path]) => path);
}

async function writeAtif(run: ExportedRun, folder: string): Promise<readonly string[]> {
  const own = join(folder, `atif-${fileName(run.label)}-${run.run}`);
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
