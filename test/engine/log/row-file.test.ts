import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { emptyLog } from "../../../source/engine/log/file/log-reader.ts";
import { sourceKind, printedRow, publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import { checkedLine } from "../../../source/engine/log/file/checked-line.ts";
import { RowFile } from "../../../source/engine/log/rows/row-file.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import type { Row } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";
import { score, writeRun } from "./made-log.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-rows-"))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const opened = () => new RunStore(folder, { keep: true });

function written(tasks: number): RunStore {
  const store = opened();
  writeRun(store, tasks);
  store.close();
  return store;
}

describe("rows stored next to a log", () => {
  test("are read on demand, whereas the counts are available earlier", () => {
    written(50);
    const read = vi.spyOn(RowFile.prototype, "rows");
    const take = vi.spyOn(RowTable.prototype, "take");
    const { table } = opened();
    expect(table.sums()).toMatchObject({ rows: 50, right: 50, failed: 0 });
    expect(read).not.toHaveBeenCalled();
    expect(table.row("t7")).toMatchObject({ question: "Question of t7", state: "scored" });
    expect(table.rows()).toHaveLength(50);
    expect(read).toHaveBeenCalledTimes(1);
    expect(take).not.toHaveBeenCalled();
  });

  test("are read in a thread other than the screen's if there are many", async () => {
    written(1001);
    const store = opened();
    expect(store.hasRows).toBe(false);
    await store.readRows();
    expect(store.hasRows).toBe(true);
    const fromLog = new RowTable();
    rmSync(at("rows.jsonl"));
    fromLog.become(new RunStore(folder).table);
    expect(store.table.rows()).toEqual(fromLog.rows());
    expect(store.table.sums()).toEqual(fromLog.sums());
  });

  test("are read from version 6 with the same content", () => {
    const store = opened();
    const log = store.open();
    writeRun(store, 2);
    const asked = { task: "t0", request: 1, role: "model", model: "lab/m:7b", stage: "a:b", messages: [] } as const;
    log.append({ type: "started", task: "t0", facets: {}, question: "Again?", unset: ["seed"] });
    log.append({ type: "note", task: "t0", kind: sourceKind({ run: "r1", judge: "lab/judge" }), text: "" });
    log.append({ type: "prompt", ...asked });
    const adjusted = ["asked-by-responses"] as const;
    log.append({ type: "finish", task: "t0", request: 1, reason: "length", model: "m x", without: ["seed"], adjusted });
    log.append({ type: "note", task: "t0", kind: "replan:all", text: "" });
    score(log, "t0");
    store.close();
    const { table } = store;
    // That version had no causes: they stay absent until the log is folded again.
    const rows = table.rows().map((row) => {
      const { cause: _, ...former } = row;
      return former;
    });
    const { warnings } = table;
    const counts = publicRow(table.row("t0")!).counts;
    expect(Object.keys(counts)).toEqual([
      "unset:seed",
      "answer-from:r1 lab/judge",
      "stage:a:b",
      "without:seed:lab/m:7b",
      "adjusted:asked-by-responses:lab/m:7b",
      "answered:lab/m:7b m x",
      "reply:cut",
      "replan:all",
    ]);
    const { notes, ...summary } = new RowFile(at("rows.jsonl")).head()!.summary;
    const sums = Map.groupBy(
      rows.flatMap((row) => Object.entries(publicRow(row).counts)),
      ([name]) => name,
    );
    const kinds = {
      counts: [...sums].map(([name, each]) => [name, each.reduce((sum, [, times]) => sum + times, 0)]),
      leftOut: [["without:seed:lab/m:7b", 1], ...notes.sent.map(([name, times]) => [`sent:${name}`, times])],
      calls: notes.calls,
    };
    const head = { ...new RowFile(at("rows.jsonl")).head()!, version: 6, summary: { ...summary, kinds } };
    const lines = rows.map((row) => checkedLine(printedRow(row)));
    writeFileSync(at("rows.jsonl"), [checkedLine(head), ...lines].join(""));
    const take = vi.spyOn(RowTable.prototype, "take");
    const again = opened();
    expect(again.table.warnings.toSorted()).toEqual(warnings.toSorted());
    expect(again.table.rows()).toEqual(rows);
    expect(take).not.toHaveBeenCalled();
  });

  test("are computed from the log if the file of rows was changed, in another thread if there are many rows", async () => {
    const { table } = written(1001);
    const lines = readFileSync(at("rows.jsonl"), "utf8").split("\n");
    writeFileSync(at("rows.jsonl"), lines.with(500, lines[500]!.replace("Question", "Questiom")).join("\n"));
    expect(opened().table.rows()).toEqual(table.rows());
    const store = opened();
    const all = vi.spyOn(RowFile.prototype, "rows");
    await store.readRows();
    expect(store.table.rows()).toEqual(table.rows());
    expect(all).not.toHaveBeenCalled();
  });

  test("are replaced in parts, or not at all if the run continues in the meantime", () => {
    const { table } = written(5000);
    const rows = [...table.rows()];
    let looked = 0;
    const counted = rows.map((row) =>
      Object.defineProperty({ ...row }, "task", { get: () => ((looked += 1), row.task) }),
    );
    const fresh = opened();
    const pieces = fresh.table.complete(counted);
    let most = 0;
    for (let done = false; !done; looked = 0) {
      done = pieces.next().done === true;
      if (!done) most = Math.max(most, looked);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2000);
    expect(fresh.table.isComplete).toBe(true);
    expect(fresh.table.rows()).toHaveLength(5000);
    const other = opened();
    const late = other.table.complete(rows);
    late.next();
    score(other.open(), "t3", 0);
    expect(atOnce(late)).toBeUndefined();
    expect(other.table.row("t3")?.score?.value).toBe(0);
    other.close();
  });

  test("are completed by later events", () => {
    written(10);
    const store = opened();
    const log = store.open();
    score(log, "t3", 0);
    log.append({ type: "failed", task: "t4", failure: { kind: "model", message: "away" } });
    expect(store.table.sums()).toMatchObject({ rows: 10, right: 9, wrong: 1 });
    store.close();
    expect(opened().table.sums()).toEqual(store.table.sums());
    expect(opened().table.rows()).toEqual(store.table.rows());
  });

  test("are written without blocking the screen when a large run ends: a few hundred between two pauses", async () => {
    const store = written(3000);
    const rows = store.table.rows();
    const head = {
      end: emptyLog,
      prices: "",
      damage: unharmed,
      summary: atOnce(store.table.summary(store.table.spec!)),
    };
    const texts = vi.spyOn(JSON, "stringify");
    const pieces = new RowFile(at("rows.jsonl")).write(head, rows);
    const counts: number[] = [];
    for (let done = false; !done;) {
      texts.mockClear();
      done = pieces.next().done === true;
      counts.push(texts.mock.calls.length);
    }
    expect(counts.length).toBeGreaterThan(4);
    expect(Math.max(...counts)).toBeLessThan(1000);
    expect(new RowFile(at("rows.jsonl")).rows()).toEqual(rows);
  });

  test("are written part by part into a second file, so that an incomplete file never replaces the first", () => {
    const store = written(3000);
    const [rows, before] = [store.table.rows(), readFileSync(at("rows.jsonl"), "utf8")];
    const summary = atOnce(store.table.summary(store.table.spec!));
    const head = { end: emptyLog, prices: "other", damage: unharmed, summary };
    const sizes: number[] = [];
    const beside = () => readdirSync(folder).filter((name) => name.endsWith(".new"));
    for (const _ of new RowFile(at("rows.jsonl")).write(head, rows)) {
      sizes.push(statSync(at(beside()[0]!)).size);
      expect(readFileSync(at("rows.jsonl"), "utf8")).toBe(before);
    }
    expect(sizes.length).toBeGreaterThan(2);
    const gained = sizes.map((size, index) => size - (sizes[index - 1] ?? 0));
    expect(Math.max(...gained)).toBeLessThan(2 * 256 * 1024);
    expect(beside()).toEqual([]);
    expect(new RowFile(at("rows.jsonl")).head()).toMatchObject({ prices: "other" });
  });

  test("leave no partial file if writing is interrupted", async () => {
    const store = written(3000);
    const before = readFileSync(at("rows.jsonl"), "utf8");
    const summary = atOnce(store.table.summary(store.table.spec!));
    const pieces = new RowFile(at("rows.jsonl")).write(
      { end: emptyLog, prices: "other", damage: unharmed, summary },
      store.table.rows(),
    );
    pieces.next();
    expect(() => pieces.throw(new Error("the session is closed"))).toThrow("the session is closed");
    expect(readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
    expect(readFileSync(at("rows.jsonl"), "utf8")).toBe(before);
  });

  test("are read in another thread after a kill, even if the log is hardly longer", async () => {
    const store = written(1001);
    score(store.open(), "t3", 0);
    store.open().flush();
    const read = vi.spyOn(RowFile.prototype, "rows");
    const watched = new RunStore(folder, { keep: true, reading: () => {} });
    expect(watched.isBehind).toBe(true);
    await watched.catchUp();
    expect(watched.table.sums()).toMatchObject({ right: 1000, wrong: 1 });
    expect(read).not.toHaveBeenCalled();
  });

  test("are read in another thread, before the rest of the log, if another program continues the run", async () => {
    const store = written(1001);
    const follower = new RunStore(folder);
    score(store.open(), "t3", 0);
    store.open().flush();
    const read = vi.spyOn(RowFile.prototype, "rows");
    expect(follower.follow()).toBe(false);
    await follower.readRows();
    const taken: string[] = [];
    follower.followers.add(({ type }) => taken.push(type));
    expect(follower.follow()).toBe(true);
    expect(taken).toEqual(["scored"]);
    expect(follower.table.sums()).toMatchObject({ right: 1000, wrong: 1 });
    expect(read).not.toHaveBeenCalled();
  });

  test("are the same after a long close and an immediate close, and rows written in the meantime are kept", async () => {
    const store = written(1001);
    const before = readFileSync(at("rows.jsonl"), "utf8");
    score(store.open(), "t3", 0);
    await store.closeSlowly();
    expect(opened().table.sums()).toMatchObject({ right: 1000, wrong: 1 });
    const closed = readFileSync(at("rows.jsonl"), "utf8");
    expect(closed).not.toBe(before);
    score(store.open(), "t4", 0);
    const closing = store.closeSlowly();
    score(store.open(), "t5", 0);
    await closing;
    expect(readFileSync(at("rows.jsonl"), "utf8")).toBe(closed);
    store.close();
    expect(opened().table.sums()).toMatchObject({ right: 998, wrong: 3 });
  });
});

test("a file of rows is written in parts of at least 256 Ki characters, and is read whole or not at all", async () => {
  const file = new RowFile(at("rows.jsonl"));
  const summary = atOnce(new RowTable().summary(bareSpec("made")));
  const parts = (...rows: readonly Row[]) =>
    [...file.write({ end: emptyLog, prices: "[]", damage: unharmed, summary }, rows)].length;
  expect(parts()).toBe(1);
  const rest = 256 * 1024 - statSync(file.path).size;
  const bare = checkedLine(bareRow("r", "a")).length;
  const long = (length: number) => bareRow("r", "a", { question: "x".repeat(length - bare) });
  expect([parts(long(rest - 1)), parts(long(rest)), parts(long(rest), long(300_000), long(bare))]).toEqual([1, 2, 3]);
  const rows = [long(rest), long(300_000), long(bare)];
  const counts: number[] = [];
  expect([file.rows((count) => counts.push(count)), await file.rowsSlowly(), counts]).toEqual([rows, rows, [1, 2, 3]]);
  // Each look at the clock finds that it is time for a pause, in which others continue.
  const order: string[] = [];
  setImmediate(() => order.push("another"));
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
  await file.rowsSlowly().then(() => order.push("rows"));
  expect(order).toEqual(["another", "rows"]);
  const text = readFileSync(file.path, "utf8");
  for (const damaged of [text.replace("xxx", "xxy"), text.slice(0, -1), text.split("\n").slice(0, 3).join("\n")]) {
    writeFileSync(file.path, damaged);
    expect([file.rows(), await file.rowsSlowly()]).toEqual([undefined, undefined]);
  }
});
