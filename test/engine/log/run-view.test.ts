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

test("the seconds of a cell count only its currently chosen tasks", () => {
  const store = storeOf({ a: 2, b: 5 });
  const { table } = new RunView({ id: "c", home: store, parts: [store], isPart: true });
  table.choose(new Set(["a", "b"]));
  expect([table.sums().rows, table.sums().spent.seconds]).toEqual([2, 7]);
  table.choose(new Set(["b"]));
  expect([table.sums().rows, table.sums().spent.seconds]).toEqual([1, 5]);
  store.close();
});
