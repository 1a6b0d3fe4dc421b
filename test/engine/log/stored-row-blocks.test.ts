/** Blocks of rows on disk: what is known of a row without reading it, and what is made of blocks that are wrong. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { isLookedAt, isStored, placedRows, StoredRows } from "../../../source/engine/log/rows/stored-rows.ts";
import { taskState } from "../../../source/engine/log/rows/task-counts.ts";
import type { Event, Failure, Row, RunSpec, Score } from "../../../source/engine/types.ts";
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
    const rows = stored();
    rows.store([
      { row: five[0]!, place: 0 },
      { row: five[1]!, place: 2 },
    ]);
    expect(placedRows(stored(rows.blocks))).toBeUndefined();
    expect(placedRows(stored())).toEqual([]);
  });
});

it("a table whose rows cannot be stored tries to store them again once it has twice as many rows", () => {
  let tries = 0;
  const rows = {
    blocks: [],
    store: () => {
      tries += 1;
      throw new Error("full");
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
});
