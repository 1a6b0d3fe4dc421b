/**
 * The rows of all runs below a folder as Parquet: `.planwright/rows/suite=SUITE/run=RUN/NOTEBOOK.parquet`. `index.json` next to
 * them contains the state in which each run was written, so that only changed runs are written again.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { mustStayIn } from "../../files/inside.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { replaceFile, replaceFileAsItComes } from "../../files/replace-file.ts";
import { Problem } from "../../problem.ts";
import { formats, requireFormat } from "../../settings/format.ts";
import type { SettingsStore } from "../../settings/settings.ts";
import type { Suite } from "../../suite.ts";
import { isRecord, parseJson } from "../../text/json-record.ts";
import type { Row } from "../../types.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { parquetParts } from "../exports/parquet.ts";
import { runOfFolder, scoringId } from "../../session/run-identity.ts";
import { columnsOf, tableRow, type TableRow, type TableRun } from "../exports/run-rows.ts";
import { indexFolder } from "./index-folder.ts";
import { type FoundNotebook, type FoundRun, foundNotebooks, foundRuns } from "./found-runs.ts";

/** Rows per group of a file: queries skip whole groups, and a group is in memory while it is written. */
const groupSize = 20_000;

/** Columns that are not in the row itself but in its cell and its log. */
const elsewhere: ReadonlySet<string> = new Set(["cell", "label", "reference", "answer"]);

export type IndexSources = { readonly suites: readonly Suite[]; readonly settings: SettingsStore };

export type IndexedRun = {
  readonly notebook: string;
  readonly run: string;
  /** `unread`: its log could not be read, for the reason in `message`. */
  readonly outcome: "written" | "kept" | "empty" | "unread";
  readonly rows?: number;
  readonly message?: string;
};

/**
 * Updates the index of a folder and yields each run once it is done; removes files of missing runs at the end. The next call
 * continues an interrupted update. Throws `Problem` if a file cannot be written.
 */
export async function* indexRuns(
  folder: string,
  { suites, settings }: IndexSources,
  signal?: AbortSignal,
): AsyncIterable<IndexedRun> {
  const place = indexFolder(folder);
  makeFolder(place);
  mustStayIn(folder, place);
  const before = stampsIn(place);
  const now = new Map<string, string>();
  const save = () => replaceFile(join(place, "index.json"), indexText(now), { durable: false });
  try {
    for await (const notebook of foundNotebooks(folder, signal))
      for (const saved of foundRuns(notebook, suites, settings)) {
        signal?.throwIfAborted();
        const file = fileOf(notebook, saved);
        const isKept = before.get(file) === saved.stamp && existsSync(join(place, file));
        const done = isKept ? undefined : await written(notebook, saved, join(place, file));
        if (done?.outcome !== "unread") now.set(file, saved.stamp);
        yield { notebook: notebook.name, run: saved.run, ...(done ?? { outcome: "kept" }) };
      }
    for (const file of before.keys()) if (!now.has(file)) rmSync(join(place, file), { force: true });
  } catch (error) {
    // Files that were not reached keep their earlier entries.
    for (const [file, stamp] of before) if (!now.has(file)) now.set(file, stamp);
    throw error;
  } finally {
    save();
  }
}

/**
 * Returns a file name of the notebook and the scoring, because two notebooks can share a run id, and one notebook can score a run
 * in several ways.
 */
function fileOf({ name }: FoundNotebook, { run, spec }: FoundRun): string {
  const id = runOfFolder(run);
  const notebook = createHash("sha256")
    .update(id === run ? name : `${name}\n${run}`)
    .digest("hex")
    .slice(0, 16);
  return join(
    "rows",
    `suite=${encodeURIComponent(spec.suite)}`,
    `run=${encodeURIComponent(id)}`,
    `${notebook}.parquet`,
  );
}

type Written = Pick<IndexedRun, "outcome" | "rows" | "message">;

async function written({ name }: FoundNotebook, saved: FoundRun, path: string): Promise<Written> {
  let rows: readonly Row[];
  try {
    const store = saved.read();
    await store.readRows();
    rows = store.table.rows();
  } catch (error) {
    if (error instanceof Problem) return { outcome: "unread", message: error.message };
    throw error;
  }
  if (rows.length === 0) {
    rmSync(path, { force: true });
    return { outcome: "empty" };
  }
  const { spec, readsAnswerKey, suite } = saved;
  const scoring = scoringId(spec, suite ?? { options: [], strategies: [] });
  const table = { run: runOfFolder(saved.run), scoring, spec, readsAnswerKey, cell: "", label: "", rows };
  const columns = (await columnsOf([table])).filter((column) => !elsewhere.has(column.name));
  makeFolder(dirname(path));
  const all = [{ name: "notebook", type: "text" } as const, ...columns];
  await replaceFileAsItComes(path, parquetParts(all, eachRow(name, table, rows), groupSize));
  return { outcome: "written", rows: rows.length };
}

async function* eachRow(notebook: string, run: TableRun, rows: readonly Row[]): AsyncIterable<TableRow> {
  const yieldIfDue = eventLoopYielder();
  for (const row of rows) {
    await yieldIfDue();
    yield new Map([["notebook", notebook], ...tableRow(run, row)]);
  }
}

/** Returns the state of each file; empty if there is no index. Throws `Problem` if its format is newer. */
function stampsIn(place: string): ReadonlyMap<string, string> {
  const path = join(place, "index.json");
  const value = existsSync(path) ? parseJson(readFileSync(path, "utf8")) : undefined;
  requireFormat("index", path, value);
  if (!isRecord(value) || !isRecord(value["files"])) return new Map();
  // A name that leads elsewhere would be removed as a file of the index.
  const ours = /^rows\/suite=[^/]+\/run=[^/]+\/[0-9a-f]{16}\.parquet$/;
  return new Map(
    Object.entries(value["files"]).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === "string" && ours.test(entry[0]) && !entry[0].includes(".."),
    ),
  );
}

const indexText = (files: ReadonlyMap<string, string>): string =>
  `${JSON.stringify({ format: formats.index, files: Object.fromEntries(files) }, null, 1)}\n`;
