/** Events of single tasks at the positions of the index, beside those of a reading of the whole log. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChangedBlock, freshIndexOf, IndexedLog, readTask } from "../../../source/engine/log/file/indexed-log.ts";
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
    [[0], []],
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
  type Block = readonly (readonly [owner: LineOwner, line: object])[];
  /** Writes these lines as blocks of a log, and returns the log and its index. */
  function written(...blocks: readonly Block[]): IndexedLog {
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
    ["all of at most 2 Mi characters", 0, ["1.0", "1.1", "1.2", "1.3"]],
    ["the last messages beyond that", 1, ["1.2", "1.3"]],
  ])("are messages: %s", (_, more, kept) => {
    const refs = ["1.0", "1.1", "1.2", "1.3"];
    const half = 1024 * 1024;
    const lengths = [half, half / 2, half / 2 + (more === 0 ? -200 : 1), 200];
    const others = Array.from({ length: 8 }, (__, at) => `t${at}`);
    const log = written(
      refs.map((ref) => ask(`first ${ref}`, ref)),
      ...refs.map((ref, at) => [content(ref, lengths[at])]),
      ...others.map((name) => [answer(name)]),
      refs.map((ref) => ask(`second ${ref}`, ref)),
    );
    for (const name of [...refs.map((ref) => `first ${ref}`), ...others, "second 1.3"])
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

  it("is yielded task by task, in the order in which the tasks begin in the log", () => {
    const [a, b] = [answer("a"), answer("b")];
    const orderOf = (...blocks: readonly Block[]) => {
      const log = written(...blocks);
      return ["ab", "ba"].map((ids) => [...log.tasks(ids)].map(([id, events]) => `${id}${events.length}`).join(" "));
    };
    expect(orderOf([a, b], [b], [a])).toEqual(["a2 b2", "a2 b2"]);
    expect(orderOf([b, a], [a], [b])).toEqual(["b2 a2", "b2 a2"]);
    expect(orderOf([a, b, a])).toEqual(["a2 b1", "a2 b1"]);
    expect(orderOf([[{}, { type: "x" }], b, a, b])).toEqual(["b2 a1", "b2 a1"]);
    // A task without positions, as in a foreign index, comes where its block begins.
    const index = new LogIndex();
    const block = { from: 0, to: 9, crc: 0, tasks: [], contents: [], pieces: [] };
    const places = new Map([
      ["a", [{ block, pieces: [] }]],
      ["b", [{ block, pieces: [0, 0] }]],
    ]);
    index.allPlaces = () => ({ tasks: places, contents: new Map() });
    writeFileSync(logOf(folder), "");
    const log = new IndexedLog(logOf(folder), { ...index, allPlaces: index.allPlaces } as LogIndex);
    const order = (ids: string) => {
      const found: string[] = [];
      log.oneOfMany = (id) => (found.push(id), []);
      expect([...log.tasks(ids)]).toHaveLength(2);
      return found.join("");
    };
    expect([order("ab"), order("ba")]).toEqual(["ab", "ba"]);
  });

  it("is the text of a block that is used again, if all of its characters are ASCII", () => {
    const encodings = (said: string) => {
      const log = written([answer("a", said), answer("b", said)]);
      expect(log.oneOfMany("none")).toEqual([]);
      const made = vi.spyOn(Buffer.prototype, "toString");
      for (const task of ["a", "b", "a", "b"]) expect(log.oneOfMany(task)).toMatchObject([{ task, answer: said }]);
      const all = made.mock.calls.map(([encoding]) => encoding);
      made.mockRestore();
      return all;
    };
    expect(encodings("x")).toEqual(["utf8", "latin1"]);
    expect(encodings("é")).toEqual(["utf8", "utf8", "utf8", "utf8"]);
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

describe("the events of a task in a log that no program has opened", () => {
  const event = (seq: number, task: string) =>
    `${JSON.stringify({ seq, at: 0, type: "answer", task, answer: "x".repeat(99) })}\n`;
  const lines = [event(0, "a"), event(1, "b"), event(2, "a"), event(3, "a"), event(4, "b")];
  /** Writes the log, and an index of its first four lines, two in a block. */
  function written(): void {
    writeFileSync(logOf(folder), lines.join(""));
    const index = new LogIndex(join(folder, "events.index"));
    for (const [at, line] of lines.slice(0, 4).entries()) {
      index.take({ task: at === 1 ? "b" : "a" }, Buffer.from(line));
      if (at % 2 === 1) index.endBlock();
    }
    index.save();
    index.close();
  }
  const numbers = (task: string) => readTask(logOf(folder), task).map(({ seq }) => seq);

  it("are those of the index and of the lines behind it", () => {
    expect(numbers("a")).toEqual([]);
    written();
    expect([numbers("a"), numbers("b"), numbers("c")]).toEqual([[0, 2, 3], [1, 4], []]);
    rmSync(logOf(folder));
    expect(numbers("a")).toEqual([]);
  });

  it("are those of the log if the log became shorter or was changed after its index was written", () => {
    written();
    truncateSync(logOf(folder), lines.slice(0, 3).join("").length);
    expect([numbers("a"), numbers("b")]).toEqual([[0, 2], [1]]);
    written();
    writeFileSync(logOf(folder), [event(0, "c"), ...lines.slice(1)].join(""));
    expect([numbers("a"), numbers("b")]).toEqual([
      [2, 3],
      [1, 4],
    ]);
  });
});
