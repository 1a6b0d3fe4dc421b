import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { RunSums } from "../../../source/engine/log/rows/run-sums.ts";
import { BoardTasks } from "../../../source/engine/workbench/runs/run-tasks.ts";
import type { Task } from "../../../source/engine/types.ts";
import { score, writeRun } from "../log/made-log.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-board-"))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const none: ReadonlySet<string> = new Set();
const task = (id: string): Task => ({
  id,
  question: `What of ${id}?`,
  input: undefined,
  answer: undefined,
  facets: {},
});
const tasksOf = (count: number) => Array.from({ length: count }, (_, index) => task(`t${index}`));

describe("the list of a run's tasks", () => {
  test("reads only changed tasks again", () => {
    const store = new RunStore(folder);
    writeRun(store, 500);
    const board = new BoardTasks(store);
    const tasks = tasksOf(600);
    const first = board.tasks(tasks, none);
    expect(first.map(({ state }) => state)).toEqual([...Array(500).fill("right"), ...Array(100).fill("waiting")]);
    const look = vi.spyOn(RowTable.prototype, "row");
    expect(board.tasks(tasks, none)).toBe(first);
    expect(look).not.toHaveBeenCalled();
    store.open().append({ type: "started", task: "t550", facets: {}, question: "" });
    score(store.open(), "t7", 0);
    const second = board.tasks(tasks, new Set(["t550"]));
    expect(look.mock.calls.map(([id]) => id).toSorted()).toEqual(["t550", "t7"]);
    expect(second.filter((each, at) => each !== first[at]).map(({ task: id, state }) => [id, state])).toEqual([
      ["t7", "wrong"],
      ["t550", "running"],
    ]);
    score(store.open(), "t550");
    expect(board.tasks(tasks, none)[550]).toMatchObject({ state: "right", question: "What of t550?" });
    store.close();
  });

  test("lists tasks with rows before the data are loaded, and adds other tasks as their rows arrive", () => {
    const store = new RunStore(folder);
    writeRun(store, 2);
    const board = new BoardTasks(store);
    expect(board.tasks(undefined, none).map(({ task: id }) => id)).toEqual(["t0", "t1"]);
    writeRun(store, 3);
    expect(board.tasks(undefined, none).map(({ task: id }) => id)).toEqual(["t0", "t1", "t2"]);
    expect(board.tasks(tasksOf(1), none).map(({ task: id }) => id)).toEqual(["t0", "t1", "t2"]);
    store.clear();
    expect(board.tasks(undefined, none)).toEqual([]);
  });

  test("is complete for a large saved run once its rows are read", async () => {
    const store = new RunStore(folder);
    writeRun(store, 1200);
    store.close();
    const saved = new RunStore(folder);
    const board = new BoardTasks(saved);
    expect(board.tasks(undefined, none)).toEqual([]);
    await saved.readRows();
    expect(board.tasks(undefined, none)).toHaveLength(1200);
  });
});

test("the sums of a run change with each row, without reading all rows", () => {
  const store = new RunStore(folder);
  const change = vi.spyOn(RunSums.prototype, "change");
  const all = vi.spyOn(RowTable.prototype, "rows");
  writeRun(store, 300);
  for (let look = 0; look < 50; look++) expect(store.table.sums()).toMatchObject({ rows: 300, right: 300 });
  expect(all).not.toHaveBeenCalled();
  // One change each when a task begins, sends a request and is scored.
  expect(change).toHaveBeenCalledTimes(3 * 300);
  store.close();
});
