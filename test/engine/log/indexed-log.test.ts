/** Events of single tasks at the positions of the index, beside those of a reading of the whole log. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ChangedBlock, freshIndexOf, IndexedLog } from "../../../source/engine/log/file/indexed-log.ts";
import { type LineOwner, LogIndex } from "../../../source/engine/log/file/log-index.ts";
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

describe("what is kept for the next task", () => {
  /** Writes these lines as blocks of a log, and returns the log and its index. */
  function written(...blocks: readonly (readonly (readonly [owner: LineOwner, line: object])[])[]): IndexedLog {
    const index = new LogIndex();
    const all = blocks.map((lines) => lines.map(([owner, line]) => [owner, `${JSON.stringify(line)}\n`] as const));
    writeFileSync(logOf(folder), all.flatMap((lines) => lines.map(([, text]) => text)).join(""));
    for (const lines of all) {
      for (const [owner, text] of lines) index.take(owner, Buffer.from(text));
      index.endBlock();
    }
    return new IndexedLog(logOf(folder), index);
  }
  const answer = (task: string, said = "x") =>
    [{ task }, { seq: 0, at: 0, type: "answer", task, answer: said }] as const;
  const ask = (task: string, ref: string) => {
    const event = { seq: 0, at: 0, type: "prompt", task, request: 0, role: "model", model: "m", stage: "s" };
    return [{ task }, { ...event, messages: [{ ref }] }] as const;
  };
  /** A line with a message, of this number of characters without its line feed. */
  const content = (ref: string, length = 200) => {
    const line = (said: string) => ({ type: "content", ref, message: { role: "user", content: said } });
    return [{ content: ref }, line("x".repeat(length - JSON.stringify(line("")).length))] as const;
  };

  it("are the eight blocks that were read last", () => {
    const names = Array.from({ length: 10 }, (_, at) => `t${at}`);
    const log = written(...names.map((name) => [answer(name)]));
    for (const name of names.slice(0, 9)) expect(log.oneOfMany(name)).toHaveLength(1);
    rmSync(logOf(folder));
    for (const name of names.slice(1, 9)) expect(log.oneOfMany(name)).toMatchObject([{ type: "answer", task: name }]);
    for (const name of ["t0", "t9"]) expect(() => log.oneOfMany(name)).toThrow(ChangedBlock);
  });

  it.each([
    ["all of at most 2 Mi characters", 0, ["1.0", "1.1", "1.2"]],
    ["the last one beyond that", 1, ["1.2"]],
  ])("are messages: %s", (_, more, kept) => {
    const refs = ["1.0", "1.1", "1.2"];
    const half = 1024 * 1024;
    const lengths = [half, half / 2, half / 2 + more];
    const others = Array.from({ length: 8 }, (__, at) => `t${at}`);
    const log = written(
      refs.map((ref) => ask(`first ${ref}`, ref)),
      ...refs.map((ref, at) => [content(ref, lengths[at])]),
      ...others.map((name) => [answer(name)]),
      refs.map((ref) => ask(`second ${ref}`, ref)),
    );
    for (const name of [...refs.map((ref) => `first ${ref}`), ...others, "second 1.2"])
      expect(log.oneOfMany(name)).toHaveLength(1);
    rmSync(logOf(folder));
    const found = refs.filter((ref) => {
      try {
        return log.oneOfMany(`second ${ref}`).length === 1;
      } catch {
        return false;
      }
    });
    expect(found).toEqual(kept);
  });

  it("is read in parts of at most 100,000 characters, if one line is not longer", () => {
    const bare = JSON.stringify(answer("t", "")[1]).length;
    const parts = (...lengths: readonly number[]) => {
      const log = written(lengths.map((length) => answer("t", "x".repeat(length - bare))));
      const reading = log.task("t");
      let pauses = 0;
      for (let step = reading.next(); ; step = reading.next()) {
        if (step.done === true) return [pauses, step.value.length];
        pauses += 1;
      }
    };
    expect(parts(60_000, 40_000)).toEqual([0, 2]);
    expect(parts(60_000, 40_001)).toEqual([1, 2]);
    expect(parts(90_000, 20_000, 20_000, 60_000, 1000)).toEqual([2, 5]);
    expect(parts(100_001)).toEqual([1, 1]);
  });

  it("are no lines of other tasks, and no lines that cannot be read", () => {
    const log = written([answer("a"), [{ task: "a" }, answer("b")[1]], [{ task: "a" }, { type: 7 }], answer("a", "y")]);
    expect(log.oneOfMany("a")).toMatchObject([{ answer: "x" }, { answer: "y" }]);
    // A message that its place does not contain is missing.
    const missing = written([
      [{ task: "a" }, ask("a", "1.0")[1]],
      [{ content: "1.0" }, answer("b")[1]],
    ]);
    expect(missing.oneOfMany("a")).toMatchObject([
      { messages: [{ content: "(this message is missing from the log)" }] },
    ]);
  });
});
