/** Events of single tasks at the positions of the index, beside those of a reading of the whole log. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshIndexOf, IndexedLog } from "../../../source/engine/log/file/indexed-log.ts";
import { LogIndex } from "../../../source/engine/log/file/log-index.ts";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import type { TaskEvent } from "../../../source/engine/types.ts";
import { logOf, writeRun } from "./made-log.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-indexed-log-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const tasks = ["t0", "t1", "t2", "t3", "t4", "t5"];

/** Returns the events of each task that a reading of the whole log finds. */
function eventsByTask(): ReadonlyMap<string, readonly TaskEvent[]> {
  const all: TaskEvent[] = [];
  readLog(logOf(folder), (event) => void ("task" in event && all.push(event)));
  return Map.groupBy(all, ({ task }) => task);
}

describe("a log that is read at the positions of its index", () => {
  it.each([
    ["ASCII text", "a reply "],
    ["text whose characters have several bytes", "réponse 答え 🙂\u2028"],
  ])("has the same events of a task in %s however often its block is used", (_, words) => {
    const store = new RunStore(folder);
    writeRun(store, tasks.length, words);
    store.close();
    const known = eventsByTask();
    const log = new IndexedLog(logOf(folder), freshIndexOf(logOf(folder)));
    for (const task of [...tasks, ...tasks]) expect(log.oneOfMany(task)).toEqual(known.get(task));
    expect(known.get("t5")).toHaveLength(6);
    expect([...log.tasks(["t5", "t0", "none"])].map(([task, events]) => [task, events.length])).toEqual([
      ["t0", 6],
      ["t5", 6],
    ]);
  });

  it.each([
    [[-9, 4], []],
    [[4, 2], []],
    [[-9, -5], []],
  ])("reads nothing else at the positions %j of a foreign index", (pieces, events) => {
    const store = new RunStore(folder);
    writeRun(store, tasks.length);
    store.close();
    const index = freshIndexOf(logOf(folder));
    const [place] = index.places("tasks", "t0");
    const foreign = new LogIndex();
    foreign.places = function* () {
      yield { block: place!.block, pieces };
    };
    const log = new IndexedLog(logOf(folder), foreign);
    for (let round = 0; round < 2; round++) expect(atOnce(log.task("t0"))).toEqual(events);
  });
});
