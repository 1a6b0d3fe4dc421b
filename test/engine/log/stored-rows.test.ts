import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RowFile } from "../../../source/engine/log/rows/row-file.ts";
import { mostInMemory, RowTable } from "../../../source/engine/log/rows/rows.ts";
import { isStored, rowsOfBlock, storedRows, StoredRows } from "../../../source/engine/log/rows/stored-rows.ts";
import { taskState } from "../../../source/engine/log/rows/task-counts.ts";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import type { Row } from "../../../source/engine/types.ts";
import { wholeOf } from "../../../source/engine/work/whole-of.ts";
import { score, writeRun } from "./made-log.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "planwright-stored-"));
let folder: string;
beforeEach(() => void (folder = newFolder()));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const opened = () => new RunStore(folder, { keep: true });
const tasks = mostInMemory + 3 * rowsOfBlock;

/** Rows as folded from the log alone. */
function folded(): RowTable {
  const table = new RowTable();
  readLog(at("events.jsonl"), (event) => table.take(event));
  return table;
}

/** A run that has ended, written once. */
let ended: string;
beforeAll(() => {
  ended = newFolder();
  const store = new RunStore(ended, { keep: true });
  writeRun(store, tasks);
  store.close();
});
afterAll(() => rmSync(ended, { recursive: true }));
const endedRun = () => cpSync(ended, folder, { recursive: true });

const wholeRows = (store: RunStore) => store.table.rows().map(wholeOf);
const inMemory = ({ table }: RunStore) => table.rows().filter((row) => !isStored(row)).length;

describe("rows of a large run", () => {
  test("are removed from memory after many tasks have ended, and are still readable", () => {
    const store = opened();
    writeRun(store, tasks);
    store.open().flush();
    expect(inMemory(store)).toBeLessThanOrEqual(mostInMemory + rowsOfBlock);
    expect(store.table.rows()).toHaveLength(tasks);
    expect(wholeRows(store)).toEqual(folded().rows());
    store.close();
    expect(inMemory(store)).toBe(0);
    // The rows' file contains only its head, and scores take less space than in the log.
    expect(readFileSync(at("rows.jsonl"), "utf8").trimEnd().split("\n")).toHaveLength(1);
    expect(statSync(at(storedRows)).size).toBeLessThan(statSync(at("events.jsonl")).size / 10);
  });

  test("are not read when the run is opened, because the states of tasks are saved separately", () => {
    endedRun();
    const take = vi.spyOn(RowTable.prototype, "take");
    const again = opened();
    expect(again.table.sums()).toEqual(folded().sums());
    take.mockClear();
    const parse = vi.spyOn(JSON, "parse");
    expect(again.table.rows().filter((row) => taskState(row, false) === "right")).toHaveLength(tasks);
    // A line for each block lists its tasks.
    expect(parse.mock.calls.length).toBeLessThanOrEqual(2 + Math.ceil(tasks / rowsOfBlock));
    expect(take).not.toHaveBeenCalled();
    parse.mockRestore();
    const rows = folded().rows();
    expect(wholeRows(again)).toEqual(rows);
    const inFile = new RowFile(at("rows.jsonl")).rows()!;
    expect(inFile.map(wholeOf)).toEqual(rows);
  });

  test("are not read again for values that figures use", () => {
    const store = opened();
    writeRun(store, tasks);
    const log = store.open();
    log.append({ type: "started", task: "failed", facets: {}, question: "Why?" });
    log.append({ type: "failed", task: "failed", failure: { kind: "model", message: "away" } });
    log.flush();
    const read = vi.spyOn(StoredRows.prototype, "read");
    const looked = ({ run, facets, state, score, failure, cause, notes }: Row) => {
      return { run, facets, state, score, failure, cause, notes };
    };
    // In the program that executes the run, except its requests and tokens.
    const rows = folded().rows();
    expect(store.table.rows().map(looked)).toEqual(rows.map(looked));
    expect(read).not.toHaveBeenCalled();
    store.close();
    // In other programs, each once.
    const inFile = new RowFile(at("rows.jsonl")).rows()!;
    expect(inFile.every(isStored)).toBe(true);
    read.mockClear();
    const counted = (row: Row) => ({ ...looked(row), counted: row.counted });
    expect(inFile.map(counted)).toEqual(rows.map(counted));
    expect(read).not.toHaveBeenCalled();
  });

  test("change when a task is scored again, and count that task once", () => {
    const store = opened();
    writeRun(store, tasks);
    const log = store.open();
    log.append({
      type: "scored",
      task: "t0",
      suiteRevision: 1,
      score: { value: 0, metrics: {}, checks: [], errors: [] },
    });
    log.append({ type: "started", task: "later", facets: {}, question: "Later?" });
    score(log, "later");
    log.flush();
    expect(store.table.row("t0")).toMatchObject({ score: { value: 0 } });
    expect(store.table.sums()).toEqual(folded().sums());
    store.close();
    const again = opened();
    expect(again.table.rows()[0]).toMatchObject({ task: "t0", ended: "wrong", score: { value: 0 } });
    expect(again.table.rows().at(-1)).toMatchObject({ task: "later" });
    expect(wholeRows(again)).toEqual(folded().rows());
    expect(again.table.sums()).toEqual(folded().sums());
  });

  test("are appended after the earlier blocks when the run continues", () => {
    endedRun();
    const blocks = new RowFile(at("rows.jsonl")).head()!.blocks!;
    const again = opened();
    const log = again.open();
    for (let task = 0; task < 10; task++) {
      log.append({ type: "started", task: `more${task}`, facets: {}, question: "More?" });
      score(log, `more${task}`);
    }
    again.close();
    expect(new RowFile(at("rows.jsonl")).head()!.blocks!.slice(0, blocks.length)).toEqual(blocks);
    expect(wholeRows(opened())).toEqual(folded().rows());
  });

  test("are read from the log after the program was killed, whatever the file of rows contains", () => {
    endedRun();
    const head = readFileSync(at("rows.jsonl"));
    const again = opened();
    const log = again.open();
    for (let task = 0; task < mostInMemory + rowsOfBlock; task++) {
      log.append({ type: "started", task: `more${task}`, facets: {}, question: "More?" });
      score(log, `more${task}`);
    }
    log.flush();
    // A killed program writes no head: the rows of the earlier head are present, and the rest is folded.
    expect(readFileSync(at("rows.jsonl"))).toEqual(head);
    const rows = folded().rows();
    expect(new RunStore(folder).table.rows().map(wholeOf)).toEqual(rows);
    rmSync(at("rows.jsonl"));
    expect(wholeRows(opened())).toEqual(rows);
    again.close();
  });

  test("are read from the log if the file of rows was changed", () => {
    endedRun();
    const bytes = readFileSync(at(storedRows));
    const changed = Buffer.from(bytes);
    changed[bytes.length >> 1]! ^= 1;
    const rows = folded().rows();
    const before = opened();
    expect(before.table.rows()).toHaveLength(tasks);
    writeFileSync(at(storedRows), changed);
    // Changed while the run was open, changed before it was opened, and deleted.
    expect(wholeRows(before)).toEqual(rows);
    expect(wholeRows(opened())).toEqual(rows);
    rmSync(at(storedRows));
    expect(wholeRows(opened())).toEqual(rows);
  });

  test("stay in memory if writing fails", () => {
    mkdirSync(at(storedRows));
    const store = opened();
    writeRun(store, tasks);
    store.open().flush();
    expect(inMemory(store)).toBe(tasks);
    expect(store.table.rows()).toEqual(folded().rows());
    store.close();
    expect(opened().table.rows()).toEqual(folded().rows());
  });
});
