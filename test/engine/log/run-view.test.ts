import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { RunView } from "../../../source/engine/log/run-view.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import type { Event } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-view-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A run of tasks that take this many seconds each, one after another. */
function storeOf(seconds: Readonly<Record<string, number>>): RunStore {
  const store = new RunStore(folder, { keep: true });
  const table = store.table as RowTable;
  let [seq, now] = [0, 0];
  const take = (event: object) => table.take({ seq: seq++, at: now, ...event } as Event);
  take({ type: "run-started", run: "r", spec: bareSpec("made", {}), total: 2, warnings: [] });
  for (const [task, each] of Object.entries(seconds)) {
    take({ type: "started", task, facets: {}, question: "" });
    now += each * 1000;
    take({ type: "scored", task, score: { value: 1, metrics: {}, checks: [], errors: [] }, suiteRevision: 1 });
  }
  return store;
}

test("the seconds of a cell count only the tasks that the cell currently selects", () => {
  const store = storeOf({ a: 2, b: 5 });
  const { table } = new RunView({ id: "c", home: store, parts: [store], isPart: true });
  table.choose(new Set(["a", "b"]));
  expect([table.sums().rows, table.sums().spent.seconds]).toEqual([2, 7]);
  table.choose(new Set(["b"]));
  expect([table.sums().rows, table.sums().spent.seconds]).toEqual([1, 5]);
  store.close();
});

test("the tokens per second of a cell count only the last minute, although its seconds count only last attempts", () => {
  const store = new RunStore(folder, { keep: true });
  const table = store.table as RowTable;
  let seq = 0;
  const take = (at: number, event: object) => table.take({ seq: seq++, at, ...event } as Event);
  const attempt = (at: number, output: number) => {
    take(at, { type: "run-started", run: "r", spec: bareSpec("made", {}), total: 1, warnings: [] });
    take(at, { type: "started", task: "a", facets: {}, question: "" });
    take(at, { type: "prompt", task: "a", request: 0, role: "model", stage: "plan", model: "m", messages: [] });
    take(at + 2000, { type: "usage", task: "a", request: 0, input: 1, output, estimated: false });
  };
  const { table: view } = new RunView({ id: "c", home: store, parts: [store], isPart: true });
  view.choose(new Set(["a"]));
  view.rows();
  attempt(0, 900);
  expect(view.speed(2000)).toBe(450);
  attempt(100_000, 60);
  expect([view.sums().spent.tokens.output, view.sums().spent.seconds]).toEqual([960, 2]);
  expect(view.speed(102_000)).toBe(30);
  store.close();
});
