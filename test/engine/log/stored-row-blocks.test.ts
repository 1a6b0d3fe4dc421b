/** Blocks of rows on disk: what is known of a row without reading it, and what is made of blocks that are wrong. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkedLine } from "../../../source/engine/log/file/checked-line.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { isLookedAt, isStored, placedRows, StoredRows } from "../../../source/engine/log/rows/stored-rows.ts";
import { taskState } from "../../../source/engine/log/rows/task-counts.ts";
import type { Event, Failure, Row, RunSpec, Score } from "../../../source/engine/types.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { wholeOf } from "../../../source/engine/work/whole-of.ts";
import { bareRow } from "../../bare-row.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-blocks-"))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const path = () => join(folder, "rows.zst");
const lost: string[] = [];
const stored = (blocks: ConstructorParameters<typeof StoredRows>[2] = []) =>
  new StoredRows(path(), (task) => (lost.push(task), undefined), blocks);
const scored = (value?: number): Score => ({ value, metrics: {}, checks: [], errors: [] });
const row = (task: string, more: Partial<Row> = {}): Row => bareRow("r", task, { cost: 0, score: scored(1), ...more });
const failed = (kind: Failure["kind"]): Partial<Row> => ({
  state: "failed",
  score: undefined,
  failure: { kind, message: "no" },
});
const placed = (...rows: readonly Row[]) => rows.map((one, place) => ({ row: one, place }));
const five = [
  row("right"),
  row("wrong", { score: scored(0) }),
  row("unscored", { score: scored() }),
  row("failed", failed("model")),
  row("stopped", failed("stopped")),
];

describe("rows on disk", () => {
  it("equal the rows in memory, and the states of tasks are known before rows are read", () => {
    const rows = stored();
    expect(rows.store(placed(...five)).map(wholeOf)).toEqual(five);
    const again = stored(rows.blocks);
    const read = vi.spyOn(StoredRows.prototype, "read");
    const found = again.rowsIn(0)!;
    expect(found.map((one) => [one.task, taskState(one, false), one.state])).toEqual([
      ["right", "right", "scored"],
      ["wrong", "wrong", "scored"],
      ["unscored", "unscored", "scored"],
      ["failed", "failed", "failed"],
      ["stopped", "stopped", "failed"],
    ]);
    expect(read).not.toHaveBeenCalled();
    expect([found[0]!, row("x")].map((one) => [isStored(one), isLookedAt(one)])).toEqual([
      [true, false],
      [false, false],
    ]);
    expect(found.map(wholeOf)).toEqual(five);
    expect(isLookedAt(found[0])).toBe(true);
  });

  it("can be checked for some fields without being read if this program stored them, but not for requests and tokens", () => {
    const [first, , , , last] = stored().store(placed(...five));
    const read = vi.spyOn(StoredRows.prototype, "read");
    expect([first!.run, first!.facets, first!.score, first!.failure, first!.cause, first!.notes]).toEqual([
      "r",
      {},
      scored(1),
      undefined,
      undefined,
      [],
    ]);
    expect([last!.score, last!.failure]).toEqual([undefined, { kind: "stopped", message: "no" }]);
    expect(read).not.toHaveBeenCalled();
    expect(first!.counted).toEqual(five[0]!.counted);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("have their own causes and failures, whether they were stored here or are read", () => {
    const cause = { cause: "cut", detail: "maxTokens 20" } as const;
    const failure = { kind: "budget", message: "3 steps" } as const;
    const all = [row("a"), row("b", { cause }), row("c", { failure }), row("d", { cause, failure })];
    const rows = stored();
    // Equal parts of rows share one object, so that many rows take little memory.
    const written = rows.store(placed(...structuredClone(all)));
    expect(written[3]!.failure).toBe(written[2]!.failure);
    expect(written[3]!.cause).toBe(written[1]!.cause);
    expect(written[3]!.score).toBe(written[0]!.score);
    const read = stored(rows.blocks).rowsIn(0)!;
    for (const found of [written, read, read])
      expect(found.map((one) => [one.cause, one.failure, one.judging])).toEqual([
        [undefined, undefined, undefined],
        [cause, undefined, undefined],
        [undefined, failure, undefined],
        [cause, failure, undefined],
      ]);
  });

  it("are stored in blocks without gaps; of two rows for the same task, the later row counts", () => {
    const rows = stored();
    rows.store(placed(five[0]!, five[1]!));
    rows.store([{ row: row("right", { score: scored(0) }), place: 0 }]);
    const [one, two] = rows.blocks;
    expect([one![0], two![0], two![2]]).toEqual([0, one![2], statSync(path()).size]);
    expect(placedRows(stored(rows.blocks))!.map((each) => [each.task, each.score!.value])).toEqual([
      ["right", 0],
      ["wrong", 0],
    ]);
  });

  it("replace the incomplete data that a killed program left after the last block", () => {
    const rows = stored();
    rows.store(placed(five[0]!));
    const size = statSync(path()).size;
    writeFileSync(path(), Buffer.concat([readFileSync(path()), Buffer.from("rubbish".repeat(100))]));
    const again = stored(rows.blocks);
    again.store([{ row: five[1]!, place: 1 }]);
    expect(again.blocks[1]![0]).toBe(size);
    expect(statSync(path()).size).toBe(again.blocks[1]![2]);
    expect(placedRows(stored(again.blocks))!.map(({ task }) => task)).toEqual(["right", "wrong"]);
  });

  it("are forgotten when the file is written from its start", () => {
    const rows = stored();
    rows.store(placed(five[0]!));
    expect(rows.read(0, "right").task).toBe("right");
    rows.begin();
    expect(rows.blocks).toEqual([]);
    rows.store(placed(five[1]!));
    expect(wholeOf(rows.rowsIn(0)![0]!)).toEqual(five[1]);
  });

  it("are computed again if their block was changed, or contains another task at their position", () => {
    const rows = stored();
    rows.store(placed(...five));
    lost.length = 0;
    expect(() => rows.read(1, "right")).toThrow("Expected the row of task right in");
    const bytes = readFileSync(path());
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(path(), bytes);
    const again = new StoredRows(path(), (task) => five.find((one) => one.task === task), rows.blocks);
    expect(again.rowsIn(0)).toBeUndefined();
    expect(placedRows(again)).toBeUndefined();
    expect(again.read(0, "right")).toEqual(five[0]);
    expect(lost).toEqual(["right"]);
  });

  it("are undefined if one of their positions is missing", () => {
    const gap = stored();
    gap.store(placed(five[0]!));
    gap.store(placed(five[0]!));
    gap.store([{ row: five[1]!, place: 2 }]);
    expect(placedRows(gap)).toBeUndefined();
    const rows = stored();
    rows.store([
      { row: five[0]!, place: 0 },
      { row: five[1]!, place: 2 },
    ]);
    expect(placedRows(stored(rows.blocks))).toBeUndefined();
    expect(placedRows(stored())).toEqual([]);
  });
});

describe("blocks of rows", () => {
  /** Returns a row whose line has this number of characters. */
  const long = (task: string, length: number) => {
    const bare = checkedLine(row(task)).length;
    return row(task, { question: "x".repeat(length - bare) });
  };
  const sizes = (rows: StoredRows) => [...rows.blocks.keys()].map((index) => rows.rowsIn(index)!.length);
  const mebi = 1024 * 1024;

  it("end at 16 Mi characters, but contain one row at least", () => {
    const short = checkedLine(row("b")).length;
    for (const [length, expected] of [
      [16 * mebi - short, [2, 1]],
      [16 * mebi - short + 1, [1, 2]],
      [16 * mebi + 1, [1, 2]],
    ] as const) {
      const rows = stored();
      const written = rows.store(placed(long("a", length), row("b"), long("c", short + 1)));
      expect(sizes(rows)).toEqual(expected);
      expect(written.map((one) => [one.task, one.question.length])).toEqual([
        ["a", long("a", length).question.length],
        ["b", 0],
        ["c", 1],
      ]);
    }
  });

  it("are parsed once, and the sixteen blocks that were read last stay in memory", () => {
    const rows = stored();
    const at = (block: number) => block * 128;
    for (let block = 0; block < 18; block++) rows.store(placed(row(`${block}`)));
    for (let block = 0; block < 17; block++) expect(rows.read(at(block), `${block}`).task).toBe(`${block}`);
    expect(rows.read(at(2), "2")).toBe(rows.read(at(2), "2"));
    rmSync(path());
    for (let block = 1; block < 17; block++) expect(rows.read(at(block), `${block}`)).toEqual(row(`${block}`));
    expect(() => rows.read(at(0), "0")).toThrow("Expected the row of task 0");
    expect(() => rows.read(at(17), "17")).toThrow("Expected the row of task 17");
  });

  it("of more than 256 MiB are not read", () => {
    stored().store(placed(row("a")));
    const allocated = vi.spyOn(Buffer, "allocUnsafe");
    const lengths = (to: number) => {
      allocated.mockClear();
      expect(stored([[7, 8, 7 + to, 0]]).rowsIn(0)).toBeUndefined();
      return allocated.mock.calls.map(([length]) => length).filter((length) => length >= mebi);
    };
    expect([lengths(256 * mebi), lengths(256 * mebi + 1)]).toEqual([[256 * mebi], []]);
  });

  it("that another program wrote give the rows that they contain, and no others", () => {
    const forged = (known: object, ...lines: readonly string[]) => {
      const [tasks, all] = [checkedLine(known), lines.join("")].map((text) => zstdCompressSync(text));
      const bytes = Buffer.concat([tasks!, all!]);
      writeFileSync(path(), bytes);
      return stored([[0, tasks!.length, bytes.length, crc32(bytes)]]);
    };
    const line = (task: string) => checkedLine(row(task));
    const rows = forged({ tasks: ["a", "b"], places: [], states: "?r" }, "\n", line("b"));
    const found = rows.rowsIn(0)!.map((one) => [one.task, (one as unknown as { place: number }).place, one.state]);
    expect(found).toEqual([
      ["a", 0, "failed"],
      ["b", 0, "scored"],
    ]);
    lost.length = 0;
    expect([rows.read(1, "b"), lost]).toEqual([row("b"), []]);
    expect(() => rows.read(0, "a")).toThrow("Expected the row of task a");
    const many = Array.from({ length: 129 }, (_, at) => `${at}`);
    const full = { tasks: many.slice(1), places: many.slice(1).map(Number), states: "r".repeat(128) };
    expect(forged(full).rowsIn(0)).toHaveLength(128);
    const places = [...full.places, 0];
    for (const wrong of [{ tasks: many }, { places }, { states: "r".repeat(129) }, { places: [-1] }, { places: [0.5] }])
      expect(forged({ ...full, ...wrong }).rowsIn(0)).toBeUndefined();
  });
});

describe("the rows of ended tasks that a table moves to the disk", () => {
  const begun = (grow = true) => {
    const rows = stored();
    const table = new RowTable(undefined, undefined, { rows, grow });
    let seq = 0;
    const take = (event: object) => table.take({ seq: seq++, at: 0, ...event } as Event);
    const start = (task: string) => take({ type: "started", task, facets: {}, question: "" });
    const score = (task: string, value = 1) => take({ type: "scored", task, score: scored(value), suiteRevision: 1 });
    take({ type: "run-started", run: "r", spec: {} as RunSpec, total: 1, warnings: [] });
    const block = (index: number) => placedIn(rows.rowsIn(index)!);
    return { rows, table, start, score, block };
  };
  const placedIn = (rows: readonly Row[]) =>
    rows.map((one) => [one.task, (one as unknown as { place: number }).place, one.score?.value]);
  const order = (table: RowTable) => table.rows().map((one) => [one.task, isStored(one)]);

  it("are stored in the order in which their tasks ended, with their places in the table", () => {
    const { table, start, score, block } = begun();
    for (const task of ["a", "b", "c"]) start(task);
    expect(table.storeBlock()).toBe(false);
    score("b");
    score("a");
    const moved: unknown[] = [];
    const changed: string[] = [];
    table.watch(
      (task) => changed.push(task),
      (rows) => moved.push(...rows),
    );
    const { version } = table;
    const before = table.rows();
    expect([table.isStored, table.storeBlock(), table.isStored]).toEqual([false, false, true]);
    expect(block(0)).toEqual([
      ["b", 1, 1],
      ["a", 0, 1],
    ]);
    expect(order(table)).toEqual([
      ["a", true],
      ["b", true],
      ["c", false],
    ]);
    // The same rows as before, elsewhere.
    expect([moved, changed, table.version - version]).toEqual([[table.row("b"), table.row("a")], [], 0]);
    expect(table.rows()).not.toBe(before);
    expect(table.rows().map(wholeOf)).toEqual(before);
  });

  it("are stored again at the same place if they change", () => {
    const { rows, table, start, score, block } = begun();
    for (const task of ["a", "b"]) start(task);
    for (const task of ["a", "b"]) score(task);
    table.storeBlock();
    score("b", 0);
    start("a");
    start("c");
    score("c");
    // A task that is running stays in memory.
    expect([table.storeBlock(), block(1)]).toEqual([
      false,
      [
        ["b", 1, 0],
        ["c", 2, 1],
      ],
    ]);
    score("a", 0);
    score("a", 0.5);
    table.storeBlock();
    expect(block(2)).toEqual([["a", 0, 0.5]]);
    expect(placedIn(placedRows(stored(rows.blocks))!)).toEqual([
      ["a", 0, 0.5],
      ["b", 1, 0],
      ["c", 2, 1],
    ]);
    // A task that begins again before its row was stored is left out.
    score("b", 1);
    start("b");
    expect([table.storeBlock(), rows.blocks.length]).toEqual([false, 3]);
  });

  it("are at most 128 a block, and none if the table may not write", () => {
    const { rows, table, start, score } = begun();
    for (let task = 0; task < 129; task++) {
      start(`${task}`);
      score(`${task}`);
    }
    expect([table.storeBlock(), table.storeBlock(), table.storeBlock()]).toEqual([true, false, false]);
    expect([0, 1].map((index) => rows.rowsIn(index)!.length)).toEqual([128, 1]);
    const reader = begun(false);
    reader.start("a");
    reader.score("a");
    expect([reader.table.storeBlock(), reader.table.isStored]).toEqual([false, false]);
  });

  it("are forgotten if the table is cleared", () => {
    const { rows, table, start, score, block } = begun();
    start("a");
    score("a");
    table.storeBlock();
    table.clear();
    expect([rows.blocks, table.rows(), table.isStored, table.run, table.sums().rows]).toEqual([[], [], false, "", 0]);
    start("b");
    score("b");
    table.storeBlock();
    expect(block(0)).toEqual([["b", 0, 1]]);
  });

  it("are stored once if a task ended again before the row of its first end was stored", () => {
    const { rows, table, start, score, block } = begun();
    const end = (task: string, value = 1) => {
      start(task);
      score(task, value);
    };
    end("a");
    for (let task = 0; task < 128; task++) end(`${task}`);
    end("a", 0);
    expect([table.storeBlock(), table.storeBlock()]).toEqual([true, false]);
    expect([block(0)[0], rows.rowsIn(0)!.length, block(1)]).toEqual([["a", 0, 0], 128, [["127", 128, 1]]]);
  });

  it("include the rows that the table restored from a file, once they were read", () => {
    const { table: other, start, score } = begun();
    for (const task of ["a", "b", "c"]) start(task);
    score("a");
    score("c");
    const { rows, table, block } = begun();
    table.restore(atOnce(other.summary({} as RunSpec)), () => other.rows());
    expect([table.storeBlock(), rows.blocks.length]).toEqual([false, 0]);
    table.row("a");
    expect([table.storeBlock(), block(0)]).toEqual([
      false,
      [
        ["a", 0, 1],
        ["c", 2, 1],
      ],
    ]);
    // Rows that are on disk already are not stored again, and those of another table are.
    const again = new RowTable(undefined, undefined, { rows, grow: true });
    again.restore(atOnce(table.summary({} as RunSpec)), () => table.rows());
    again.rows();
    expect([again.storeBlock(), rows.blocks.length]).toEqual([false, 1]);
    again.become(other);
    expect([again.storeBlock(), block(1)]).toEqual([false, block(0)]);
  });
});

it("a table whose rows cannot be stored tries to store them again once it has twice as many rows", () => {
  let tries = 0;
  const rows = {
    blocks: [],
    store: () => {
      tries += 1;
      if (tries < 3) throw new Error("full");
      return [];
    },
  } as unknown as StoredRows;
  const table = new RowTable(undefined, undefined, { rows, grow: true });
  let seq = 0;
  const take = (event: object) => table.take({ seq: seq++, at: 0, ...event } as Event);
  take({ type: "run-started", run: "r", spec: {} as RunSpec, total: 1, warnings: [] });
  const told = (from: number, to: number) => {
    for (let at = from; at < to; at++) {
      take({ type: "started", task: `${at}`, facets: {}, question: "" });
      take({ type: "scored", task: `${at}`, score: scored(1), suiteRevision: 1 });
    }
    return tries;
  };
  expect([told(0, 4096 + 127), told(4096 + 127, 4096 + 128), told(4096 + 128, 4096 + 200)]).toEqual([0, 1, 1]);
  expect(table.rows()).toHaveLength(4096 + 200);
  expect([told(4096 + 200, 8192 + 127), told(8192 + 127, 8192 + 128)]).toEqual([1, 2]);
  // Once rows can be stored again, a block is stored with each task that ends, until few rows are left.
  expect([told(8192 + 128, 12_288 + 127), told(12_288 + 127, 12_288 + 130)]).toEqual([2, 5]);
});
