/** One run on disk: what a program sees of a run that another program writes, and which files it leaves beside the log. */
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { LogIndex } from "../../../source/engine/log/file/log-index.ts";
import { RunStore, type WriteGuard } from "../../../source/engine/log/run-store.ts";
import { RowFile } from "../../../source/engine/log/rows/row-file.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { Problem } from "../../../source/engine/problem.ts";
import type { Event } from "../../../source/engine/types.ts";
import { logOf, score, spec, writeRun } from "./made-log.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-sharing-"))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const opened = (more: ConstructorParameters<typeof RunStore>[1] = {}) => new RunStore(folder, { keep: true, ...more });
const size = () => statSync(logOf(folder)).size;
function written(tasks: number): RunStore {
  const store = opened();
  writeRun(store, tasks);
  store.close();
  return store;
}
const note = (task: string, text = "") => ({ type: "note", task, kind: "n", text }) as const;
const price = () => ({ input: 1, output: 1 });

describe("a run that another program writes", () => {
  it("is followed event by event, without a line that is incomplete", () => {
    const writer = opened();
    writeRun(writer, 2);
    writer.open().flush();
    const reader = new RunStore(folder);
    const seen: (readonly [string, number])[] = [];
    reader.followers.add((event) => seen.push([event.type, reader.table.row("t0")!.to]));
    expect([reader.follow(), reader.bytes, seen]).toEqual([false, size(), []]);
    const { at: moment } = writer.open().append(note("t0"));
    expect(reader.follow()).toBe(false);
    writer.open().flush();
    expect([reader.follow(), reader.follow(), reader.bytes]).toEqual([true, false, size()]);
    // The rows include an event before it is passed on.
    expect(seen).toEqual([["note", moment]]);
    // A log that did not grow is not read.
    const allocated = vi.spyOn(Buffer, "allocUnsafe");
    expect([reader.follow(), allocated.mock.calls]).toEqual([false, []]);
    allocated.mockRestore();
    const line = JSON.stringify({ ...note("t1"), seq: 15, at: moment });
    appendFileSync(logOf(folder), line.slice(0, 9));
    expect([reader.follow(), seen.length]).toEqual([false, 1]);
    appendFileSync(logOf(folder), `${line.slice(9)}\n`);
    expect([reader.follow(), seen.length, reader.damage]).toEqual([true, 2, unharmed]);
    // The program that writes follows nobody.
    expect(writer.follow()).toBe(false);
    writer.close();
  });

  it("is read again from its start if its log became shorter", () => {
    written(1);
    const short = readFileSync(logOf(folder));
    written(3);
    const reader = new RunStore(folder);
    expect(reader.table.rows()).toHaveLength(3);
    const seen: Event[] = [];
    reader.followers.add((event) => seen.push(event));
    writeFileSync(logOf(folder), short);
    expect([reader.follow(), seen.length, reader.table.rows().length, reader.bytes]).toEqual([true, 8, 1, size()]);
    expect([reader.task("t0").length, reader.task("t2"), reader.damage]).toEqual([6, [], unharmed]);
    // Messages of the earlier log are not those of the new one.
    const lines = short.toString().split("\n");
    writeFileSync(logOf(folder), lines.filter((line) => !line.includes('"type":"content"')).join("\n"));
    expect([reader.follow(), reader.damage]).toEqual([true, { ...unharmed, missing: 1 }]);
    rmSync(logOf(folder));
    expect([reader.follow(), reader.table.rows(), reader.presence.gone]).toEqual([true, [], undefined]);
    expect(reader.damage).toEqual(unharmed);
  });

  it("shows rows at once up to a thousand; more are read first", async () => {
    const writer = written(1000);
    const append = (seq: number) => appendFileSync(logOf(folder), `${JSON.stringify({ ...note("t0"), seq, at: 0 })}\n`);
    const behind = () => new RunStore(folder, { reading: () => {} }).isBehind;
    expect([new RunStore(folder).hasRows, behind()]).toEqual([true, false]);
    append(6002);
    expect(behind()).toBe(false);
    const again = opened();
    again.open().append({ type: "started", task: "more", facets: {}, question: "" });
    score(again.open(), "more");
    again.close();
    const reader = new RunStore(folder);
    expect([reader.hasRows, behind(), writer.hasRows]).toEqual([false, false, true]);
    appendFileSync(logOf(folder), "\n");
    expect(behind()).toBe(true);
    append(6005);
    expect(behind()).toBe(true);
    const slow = new RunStore(folder, { reading: () => {} });
    const atOnce = vi.spyOn(RowFile.prototype, "rows");
    await slow.catchUp();
    expect([slow.isBehind, slow.table.rows().length, atOnce.mock.calls.length]).toEqual([false, 1001, 0]);
    for (const read of ["readRows", "check"] as const) {
      const other = new RunStore(folder, { reading: () => {} });
      await other[read]();
      expect([other.isBehind, other.bytes]).toEqual([false, size()]);
    }
    // The first look reads the rows, the next one the event.
    const reads = vi.spyOn(reader, "readRows");
    expect([reader.follow(), reader.hasRows, reads.mock.calls.length]).toEqual([false, false, 1]);
    await reader.readRows();
    expect([reader.hasRows, reader.follow(), reader.table.rows().length]).toEqual([true, true, 1001]);
  });
});

describe("a log that is read in parts", () => {
  it("tells its share after each part, and has read nothing if there is no log", async () => {
    expect(new RunStore(at("nowhere")).folded).toBe(0);
    const store = opened();
    store.open().append({ type: "run-started", run: "r", spec, total: 1, warnings: [] });
    store.open().append({ ...note("t"), text: "x".repeat(1024 * 1024) });
    for (const text of ["a", "bc", "def"]) store.open().append(note("t", text));
    store.close();
    const ends = readFileSync(logOf(folder), "utf8")
      .matchAll(/\n/g)
      .map(({ index }) => (index + 1) / size());
    for (const name of ["events.index", "rows.jsonl"]) rmSync(at(name), { force: true });
    const shares: number[] = [];
    const slow: RunStore = new RunStore(folder, { reading: () => shares.push(slow.folded) });
    expect([slow.folded, slow.bytes]).toEqual([0, 0]);
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
    await slow.catchUp();
    vi.mocked(performance.now).mockRestore();
    expect(shares).toEqual([...ends]);
    expect([slow.folded, slow.isBehind, slow.bytes]).toEqual([1, false, size()]);
    // Only a program that may write leaves files that make the next opening faster.
    expect(existsSync(at("events.index"))).toBe(false);
    const keeping = opened({ reading: () => {} });
    await keeping.catchUp();
    expect(existsSync(at("events.index"))).toBe(true);
  });

  it("can be left, which ends once the reading has ended", async () => {
    const store = opened();
    store.open().append({ ...note("t"), text: "x".repeat(1024 * 1024) });
    store.close();
    rmSync(at("events.index"), { force: true });
    const slow = new RunStore(folder, { reading: () => {} });
    let [end, now] = ["", 0];
    vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
    slow.catchUp().catch(() => (end = "left"));
    await slow.leave();
    expect(end).toBe("left");
  });

  it("takes no event after it was removed from the disk", () => {
    const store = opened();
    writeRun(store, 1);
    const log = store.open();
    log.flush();
    rmSync(logOf(folder));
    store.look();
    expect(() => log.append(note("t0"))).toThrow("was removed, so this run can no longer be saved");
    expect(store.presence.gone).toBe("The log of the run was removed from disk");
    expect(() => store.task("t0")).toThrow("removed from disk");
    store.close();
    // The store that is closed does not begin a new log either.
    expect(() => store.open()).toThrow("removed from disk");
  });
});

describe("the files beside a log", () => {
  it("have exactly the rows of the run once it is closed", () => {
    expect(opened().rowsOnDisk()).toBeUndefined();
    written(2);
    const path = at("rows.jsonl");
    const store = opened();
    expect(store.rowsOnDisk()).toBe(path);
    store.open();
    expect(store.rowsOnDisk()).toBeUndefined();
    store.close();
    expect(store.rowsOnDisk()).toBe(path);
    const inode = () => statSync(path).ino;
    const before = inode();
    opened();
    // A run without new events keeps its file.
    expect(inode()).toBe(before);
    // Rows with other prices are not those of the file.
    const dear = new RunStore(folder, { prices: price });
    expect([dear.table.rows().length, dear.rowsOnDisk()]).toEqual([2, undefined]);
    expect(opened({ prices: price }).rowsOnDisk()).toBe(path);
    expect(new RunStore(folder, { prices: price }).rowsOnDisk()).toBe(path);
    appendFileSync(logOf(folder), `${JSON.stringify({ ...note("t0"), seq: 14, at: 0 })}\n`);
    expect(new RunStore(folder, { prices: price }).rowsOnDisk()).toBeUndefined();
    rmSync(path);
    expect(new RunStore(folder).rowsOnDisk()).toBeUndefined();
  });

  it("are not written while a task runs, unless the log is damaged", () => {
    const store = opened();
    store.open().append({ type: "run-started", run: "r", spec, total: 2, warnings: [] });
    store.open().append({ type: "started", task: "a", facets: {}, question: "" });
    store.close();
    expect([existsSync(at("rows.jsonl")), existsSync(at("events.index"))]).toEqual([false, true]);
    appendFileSync(logOf(folder), "rubbish\n");
    opened();
    expect(existsSync(at("rows.jsonl"))).toBe(true);
    const take = vi.spyOn(RowTable.prototype, "take");
    expect([opened().damage, take.mock.calls.length]).toEqual([{ ...unharmed, unreadable: 1 }, 0]);
    rmSync(at("rows.jsonl"));
    expect([opened().damage, take.mock.calls.length]).toEqual([{ ...unharmed, unreadable: 1 }, 2]);
  });

  it("replace those of version 0.1.0 and those of larger runs", () => {
    for (const name of ["rows.json", "rows.zst"]) writeFileSync(at(name), "old");
    written(2);
    expect(["rows.json", "rows.zst", "rows.jsonl"].map((name) => existsSync(at(name)))).toEqual([false, false, true]);
  });

  it("are written by a program that closes the run slowly, too", async () => {
    const store = opened();
    writeRun(store, 2);
    await store.closeSlowly();
    expect(store.rowsOnDisk()).toBe(at("rows.jsonl"));
    rmSync(at("rows.jsonl"));
    // A store that is closed already writes nothing.
    store.close();
    await store.closeSlowly();
    expect(existsSync(at("rows.jsonl"))).toBe(false);
  });

  it("are removed with the log, but corrections are kept", () => {
    written(2);
    for (const name of ["overrides.json", "rows.zst", "rows.json", "events.jsonl.gz"]) writeFileSync(at(name), "[]");
    const store = opened();
    store.open();
    store.clear();
    const names = ["events.jsonl", "events.jsonl.gz", "events.index", "rows.jsonl", "rows.zst", "rows.json"];
    expect(names.filter((name) => existsSync(at(name)))).toEqual([]);
    expect([existsSync(at("overrides.json")), store.table.rows(), store.bytes]).toEqual([true, [], 0]);
    store.look();
    expect([store.presence.gone, store.presence.wasThere, store.task("t0")]).toEqual([undefined, false, []]);
    writeRun(store, 3);
    store.close();
    expect([opened().table.rows().length, opened().damage]).toEqual([3, unharmed]);
  });
});

describe("a run whose rows were stored", () => {
  it.each<[string, () => void, number]>([
    ["nothing was changed", () => {}, 0],
    ["its log grew", () => appendFileSync(logOf(folder), `${JSON.stringify({ ...note("t0"), seq: 26, at: 0 })}\n`), 1],
    ["its index was changed", () => edit("events.index", '"tasks"', '"tasls"'), 26],
    ["its log was changed", () => edit("events.jsonl", "a reply", "a lie,,"), 26],
    ["its log lost its last line", () => edit("events.jsonl", /[^\n]+\n$/, ""), 25],
    ["its rows are of another version", () => edit("rows.jsonl", '"version"', '"versiom"'), 26],
  ])("is read from its rows and from new events alone, unless something was changed: %s", (_, change, events) => {
    written(4);
    change();
    const take = vi.spyOn(RowTable.prototype, "take");
    const { table } = new RunStore(folder);
    expect(table.rows()).toHaveLength(4);
    expect(take).toHaveBeenCalledTimes(events);
  });
  const edit = (name: string, was: string | RegExp, becomes: string) =>
    writeFileSync(at(name), readFileSync(at(name), "utf8").replace(was, becomes));
});

describe("a run that may not be written", () => {
  it("is not opened, closed with rows or cleared", () => {
    let isHeld = false;
    const fail = () => {
      if (isHeld) throw new Problem("tool", "held");
    };
    const guard: WriteGuard = { check: fail, checkInPlace: fail };
    const store = opened({ guard });
    writeRun(store, 2);
    store.open().flush();
    isHeld = true;
    expect(() => store.open()).toThrow("held");
    expect(() => store.clear()).toThrow("held");
    store.close();
    expect([existsSync(at("rows.jsonl")), existsSync(logOf(folder))]).toEqual([false, true]);
  });

  it("passes each event on once its rows include the event", () => {
    const seen: unknown[] = [];
    const store: RunStore = opened({
      onEvent: (event) => seen.push([event.type, store.table.rows().length, store.table.total]),
    });
    const log = store.open();
    expect(store.open()).toBe(log);
    log.append({ type: "run-started", run: "r", spec, total: 7, warnings: [] });
    log.append({ type: "started", task: "a", facets: {}, question: "" });
    expect(seen).toEqual([
      ["run-started", 0, 7],
      ["started", 1, 7],
    ]);
    store.close();
  });
});

describe("the checksums of a log", () => {
  const line = (seq: number, length: number) => {
    const text = (said: string) => `${JSON.stringify({ seq, at: 0, ...note(`t${seq}`, said) })}\n`;
    return text("x".repeat(length - text("").length));
  };
  const part = 64 * 1024;
  /** Writes a log of lines of 64 KiB, four in a block, and its index. The last line is longer by `more`. */
  function blocks(lines: number, more = 0): void {
    const all = Array.from({ length: lines }, (_, seq) => line(seq, part + (seq === lines - 1 ? more : 0)));
    writeFileSync(logOf(folder), all.join(""));
    const index = new LogIndex(at("events.index"));
    for (const [seq, text] of all.entries()) index.take({ task: `t${seq}` }, Buffer.from(text));
    index.endBlock();
    index.save();
    index.close();
  }
  /** Changes a character of the text of a line. */
  const change = (of: number) => {
    const bytes = readFileSync(logOf(folder));
    bytes.write("y", (of + 1) * part - 9, "latin1");
    writeFileSync(logOf(folder), bytes);
  };

  it("are compared at once for the last megabyte and the last block, and for the rest by a check", async () => {
    const changed = async (lines: number, of: number) => {
      blocks(lines);
      change(of);
      const store = new RunStore(folder);
      const found = store.damage.changed;
      return [found, await store.check(), store.damage.changed];
    };
    // Of five blocks, the first ends a megabyte before the end of the log.
    expect(await changed(20, 3)).toEqual([0, true, 1]);
    expect(await changed(20, 4)).toEqual([1, false, 1]);
    expect(await changed(20, 19)).toEqual([1, false, 1]);
    blocks(16);
    const store = new RunStore(folder);
    change(0);
    expect([await store.check(), store.damage]).toEqual([false, unharmed]);
  });

  it("show that rows must be computed again, unless the log is being written", async () => {
    blocks(21);
    const question = "a question";
    const first = [
      { type: "run-started", run: "r", spec, total: 1, warnings: [] },
      { type: "started", task: "t1", facets: {}, question },
      { type: "scored", task: "t1", score: { value: 1, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 },
    ].map((event, seq) => `${JSON.stringify({ seq: seq + 100, at: 0, ...event })}\n`);
    const rest = readFileSync(logOf(folder));
    const change = (was: string, becomes: string) =>
      writeFileSync(logOf(folder), readFileSync(logOf(folder), "latin1").replace(was, becomes), "latin1");
    const begin = () => {
      for (const name of ["events.index", "rows.jsonl"]) rmSync(at(name), { force: true });
      writeFileSync(logOf(folder), Buffer.concat([Buffer.from(`${first.join("")}rubbish\n`), rest]));
      expect(opened().table.row("t1")!.question).toBe(question);
      change(question, "A question");
    };
    begin();
    const damage = { ...unharmed, unreadable: 1, missing: 99, crossed: 21 };
    const store = opened();
    expect([store.table.row("t1")!.question, store.damage]).toEqual([question, damage]);
    expect([await store.check(), store.table.row("t1")!.question]).toEqual([true, "A question"]);
    expect(store.damage).toEqual({ ...damage, changed: 1 });
    // The file of rows was written again.
    const take = vi.spyOn(RowTable.prototype, "take");
    expect([opened().table.row("t1")!.question, take.mock.calls.length]).toEqual(["A question", 0]);
    begin();
    const writer = opened();
    writer.open();
    expect([await writer.check(), writer.table.row("t1")!.question]).toEqual([true, question]);
    expect(writer.damage).toEqual({ ...damage, changed: 1 });
    writer.close();
    begin();
    const reader = new RunStore(folder);
    const rows = readFileSync(at("rows.jsonl"));
    expect([await reader.check(), readFileSync(at("rows.jsonl")).equals(rows)]).toEqual([true, true]);
  });

  it("are not needed to open a log; if more than a megabyte is new, the log is read in parts", () => {
    const behind = (more: number) => {
      blocks(16, more);
      rmSync(at("events.index"));
      return new RunStore(folder, { reading: () => {} }).isBehind;
    };
    expect([behind(0), behind(1), new RunStore(folder).isBehind]).toEqual([false, true, false]);
  });
});
