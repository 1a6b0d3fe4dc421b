/** The index of a log: whole blocks, the places of tasks and messages in them, and what is left of a damaged file. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkedLine } from "../../../source/engine/log/file/checked-line.ts";
import { LogIndex } from "../../../source/engine/log/file/log-index.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-index-"))));
afterEach(() => rmSync(folder, { recursive: true }));
const path = () => join(folder, "events.index");
const line = (length: number, fill = "x") => Buffer.from(`${fill.repeat(length - 1)}\n`);

/** Two ended blocks, of the tasks a and b, and a growing one. */
function filled(index = new LogIndex(path())): LogIndex {
  index.take({ task: "a" }, line(10));
  index.take({ task: "a" }, line(5));
  index.take({ task: "b" }, line(7));
  index.take({ task: "a", content: "1.0" }, line(3));
  index.endBlock();
  index.take({ task: "b" }, line(4));
  index.take({}, line(6));
  index.endBlock();
  index.take({ task: "a" }, line(8));
  return index;
}
const spans = (index: LogIndex) => index.blocks().map(({ from, to }) => [from, to]);
const places = (index: LogIndex, kind: "tasks" | "contents", name: string) =>
  [...index.places(kind, name)].map(({ block, pieces }) => [block.from, ...pieces]);

describe("the index of a log", () => {
  it("divides the log into blocks without gaps, has a checksum for each block, and joins adjacent lines", () => {
    const index = filled();
    expect(spans(index)).toEqual([
      [0, 25],
      [25, 35],
      [35, 43],
    ]);
    expect(index.end).toBe(43);
    expect(index.blocks()[1]!.crc).toBe(crc32(Buffer.concat([line(4), line(6)])));
    expect(places(index, "tasks", "a")).toEqual([
      [0, 0, 15, 22, 25],
      [35, 0, 8],
    ]);
    expect(places(index, "tasks", "b")).toEqual([
      [0, 15, 22],
      [25, 0, 4],
    ]);
    expect(places(index, "contents", "1.0")).toEqual([[0, 22, 25]]);
    expect([places(index, "contents", "a"), places(index, "tasks", "c")]).toEqual([[], []]);
    const { tasks, contents } = index.allPlaces();
    expect([...tasks.keys(), ...contents.keys()]).toEqual(["a", "b", "1.0"]);
    expect(tasks.get("a")!.map(({ block, pieces }) => [block.from, ...pieces])).toEqual(places(index, "tasks", "a"));
    expect(contents.get("1.0")!.map(({ pieces }) => pieces)).toEqual([[22, 25]]);
  });

  it("finds names with any characters, and no name that is a part of another", () => {
    const names = ["a", "aa", "", "tasks", 'quoted "a"', "back\\", '\\"a', "a,b", "]", "große Zahl", "\ud800", "a\n"];
    const index = new LogIndex(path());
    for (const name of names) index.take({ task: name, content: `of ${name}` }, line(4));
    index.endBlock();
    index.take({ task: "a" }, line(3));
    index.save();
    index.close();
    for (const read of [index, LogIndex.read(path())]) {
      for (const [at, name] of names.entries()) {
        expect(places(read, "tasks", name)[0]).toEqual([0, 4 * at, 4 * at + 4]);
        expect(places(read, "contents", `of ${name}`)).toEqual([[0, 4 * at, 4 * at + 4]]);
      }
      for (const name of ["b", "aaa", '"', "\\", "contents", "pieces", "from"])
        expect([...places(read, "tasks", name), ...places(read, "contents", name)]).toEqual([]);
    }
    expect(places(index, "tasks", "a")).toEqual([
      [0, 0, 4],
      [48, 0, 3],
    ]);
  });

  it("finds a task in the first, a middle and the last of many blocks, each with many tasks", () => {
    const index = new LogIndex();
    for (let block = 0; block < 5; block++) {
      for (let at = 0; at < 300; at++) index.take({ task: `t${block * 300 + at}` }, line(2));
      index.take({ task: "all" }, line(2));
      index.endBlock();
    }
    for (const [task, from, at] of [
      ["t0", 0, 0],
      ["t299", 0, 598],
      ["t300", 602, 0],
      ["t750", 1204, 300],
      ["t1499", 2408, 598],
    ] as const)
      expect(places(index, "tasks", task)).toEqual([[from, at, at + 2]]);
    expect(places(index, "tasks", "all").map(([from]) => from)).toEqual([0, 602, 1204, 1806, 2408]);
  });

  it("ends a block with the line that makes it 256 KB long, and never contains an empty block", () => {
    const index = new LogIndex();
    index.endBlock();
    expect([index.blocks(), index.end]).toEqual([[], 0]);
    index.take({}, line(256 * 1024 - 1));
    expect(index.blocks()).toHaveLength(1);
    index.take({}, line(1));
    index.take({}, line(9));
    expect(spans(index)).toEqual([
      [0, 256 * 1024],
      [256 * 1024, 256 * 1024 + 9],
    ]);
  });

  it("is unchanged when the index is read again, except for the last block, which grows", () => {
    const index = filled();
    index.save();
    index.endBlock();
    index.save();
    index.take({ task: "c" }, line(2));
    index.save();
    index.close();
    const read = LogIndex.read(path());
    expect([read.damaged, read.end]).toEqual([false, 43]);
    expect(spans(read)).toEqual(spans(index).slice(0, 3));
    for (const name of ["a", "b", "c"])
      expect(places(read, "tasks", name)).toEqual(places(index, "tasks", name).filter(([from]) => from! < 43));
    expect(readFileSync(path(), "utf8").trimEnd().split("\n")).toHaveLength(3);
    // A reopened index continues at its end.
    read.take({ task: "d" }, line(4));
    read.endBlock();
    read.save();
    read.close();
    expect(spans(LogIndex.read(path())).at(-1)).toEqual([43, 47]);
  });

  it("is read up to the first damaged entry or an incomplete last line", () => {
    const saved = () => {
      const index = filled();
      index.endBlock();
      index.save();
      index.close();
      return readFileSync(path(), "utf8").split("\n");
    };
    const [one, two, three] = saved();
    const readOf = (...lines: readonly string[]) => {
      writeFileSync(path(), lines.join("\n"));
      const { damaged, end } = LogIndex.read(path());
      return [damaged, end];
    };
    expect(readOf(one!, two!, three!, "")).toEqual([false, 43]);
    expect(readOf(one!, two!, three!.slice(0, -1))).toEqual([false, 35]);
    expect(readOf(one!, "rubbish", three!, "")).toEqual([true, 25]);
    expect(readOf(one!, three!, "")).toEqual([true, 25]);
    expect(readOf(one!.replace('"a"', '"z"'), two!, "")).toEqual([true, 0]);
    rmSync(path());
    expect(LogIndex.read(path()).end).toBe(0);
    // What is written next replaces the damage.
    writeFileSync(path(), `${one}\nrubbish\n`);
    const index = LogIndex.read(path());
    index.take({ task: "d" }, line(4));
    index.endBlock();
    index.save();
    index.close();
    expect(spans(LogIndex.read(path()))).toEqual([
      [0, 25],
      [25, 29],
    ]);
  });

  it("continues its file after it was closed, and doubles its room for names each time the room is used up", () => {
    const index = new LogIndex(path());
    const moved = vi.spyOn(Uint32Array.prototype, "set");
    for (let block = 0; block < 64; block++) {
      index.take({ task: `t${block}`.padEnd(20) }, line(5));
      index.endBlock();
      index.save();
      if (block % 8 === 0) index.close();
    }
    index.close();
    const rooms = moved.mock.contexts.map((room) => (room as Uint32Array).length);
    moved.mockRestore();
    // The list of a block has 24 characters, which may be 12 names; the empty list of messages has two.
    expect(rooms).toEqual([2 * 12, 2 * 1, 2 * (13 + 12), 2 * (39 + 12)]);
    expect(LogIndex.read(path()).blocks()).toEqual(index.blocks());
    expect(readFileSync(path(), "utf8").trimEnd().split("\n")).toHaveLength(64);
  });

  it("finds a task once whose name is also the name of a field", () => {
    const index = new LogIndex();
    for (const task of ["crc", "tasks", "from", "contents", "pieces"]) {
      index.take({ task, content: task }, line(5));
      index.endBlock();
    }
    for (const [at, name] of ["crc", "tasks", "from", "contents", "pieces"].entries()) {
      expect(places(index, "tasks", name)).toEqual([[5 * at, 0, 5]]);
      expect(places(index, "contents", name)).toEqual([[5 * at, 0, 5]]);
    }
  });

  it("finds each of several messages of a block, and names the format of the log in its first block alone", () => {
    const index = new LogIndex(path());
    index.take({ task: "a", content: "1.0" }, line(10));
    index.take({ task: "b", content: "1.1" }, line(5));
    index.endBlock();
    index.take({ task: "a" }, line(4));
    index.endBlock();
    index.save();
    index.close();
    for (const each of [index, LogIndex.read(path())]) {
      expect(places(each, "contents", "1.1")).toEqual([[0, 10, 15]]);
      expect(
        each
          .allPlaces()
          .contents.get("1.1")!
          .map(({ pieces }) => pieces),
      ).toEqual([[10, 15]]);
    }
    const written = readFileSync(path(), "utf8").trimEnd().split("\n");
    expect(written.map((each) => each.includes('"format":'))).toEqual([true, false]);
  });

  it("ends its second block after another 256 KB", () => {
    const index = new LogIndex();
    const half = 128 * 1024;
    for (let at = 0; at < 3; at++) index.take({ task: "a" }, line(half));
    expect(spans(index)).toEqual([
      [0, 2 * half],
      [2 * half, 3 * half],
    ]);
    expect([...index.places("tasks", "a")]).toHaveLength(2);
    index.take({ task: "a" }, line(half - 1));
    index.take({ task: "b" }, line(1));
    expect(spans(index)).toEqual([
      [0, 2 * half],
      [2 * half, 4 * half],
    ]);
  });

  it("replaces a file that it did not read, and is damaged by empty lines and blocks without bytes", () => {
    writeFileSync(path(), "something else\n");
    new LogIndex(path()).save();
    expect(readFileSync(path(), "utf8")).toBe("");
    const block = (to: number) => checkedLine({ from: 0, to, crc: 0, tasks: [], contents: [], pieces: [] });
    for (const [text, damaged, end] of [
      ["", false, 0],
      ["\n", true, 0],
      [block(0), true, 0],
      [block(1), false, 1],
      [`${block(1)}\n`, true, 1],
    ] as const) {
      writeFileSync(path(), text);
      const index = LogIndex.read(path());
      expect([index.damaged, index.end]).toEqual([damaged, end]);
    }
  });

  it("is cut to whole blocks if the log became shorter", () => {
    const cut = (length: number) => {
      const index = filled();
      return [index.cut(length), index.end];
    };
    expect(cut(43)).toEqual([0, 43]);
    expect(cut(100)).toEqual([0, 43]);
    expect(cut(42)).toEqual([1, 35]);
    expect(cut(35)).toEqual([8, 35]);
    expect(cut(34)).toEqual([9, 25]);
    expect(cut(0)).toEqual([43, 0]);
    const before = filled();
    before.save();
    before.close();
    const index = LogIndex.read(path());
    expect(index.cut(30)).toBe(5);
    index.take({ task: "e" }, line(3));
    index.endBlock();
    index.save();
    index.close();
    expect(spans(LogIndex.read(path()))).toEqual([
      [0, 25],
      [25, 28],
    ]);
  });

  it("finds tasks and messages of the blocks that are left after a cut, and of later blocks", () => {
    const index = filled();
    expect(index.cut(30)).toBe(13);
    index.take({ task: "b", content: "2.0" }, line(9));
    index.endBlock();
    expect(places(index, "tasks", "a")).toEqual([[0, 0, 15, 22, 25]]);
    expect(places(index, "tasks", "b")).toEqual([
      [0, 15, 22],
      [25, 0, 9],
    ]);
    expect(places(index, "contents", "1.0")).toEqual([[0, 22, 25]]);
    expect(places(index, "contents", "2.0")).toEqual([[25, 0, 9]]);
  });

  it("has no positions for a name whose pieces are not whole numbers, and none without lists of names", () => {
    const saved = (block: object) => {
      const text = JSON.stringify({ from: 0, to: 9, crc: 1, ...block });
      writeFileSync(path(), `${crc32(text).toString(16).padStart(8, "0")} ${text}\n`);
      const index = LogIndex.read(path());
      const { tasks } = index.allPlaces();
      const alone = ["a", "b"].map((name) => places(index, "tasks", name));
      const together = ["a", "b"].map((name) =>
        (tasks.get(name) ?? []).map(({ block, pieces }) => [block.from, ...pieces]),
      );
      expect(together).toEqual(alone);
      return alone;
    };
    const names = { tasks: ["a", "b"], contents: [] };
    expect(
      saved({
        ...names,
        pieces: [
          [0, 5],
          [5, 9],
        ],
      }),
    ).toEqual([[[0, 0, 5]], [[0, 5, 9]]]);
    for (const wrong of [[5, 9.5], ["5", 9], { 0: 5 }, null, 2 ** 53])
      expect(saved({ ...names, pieces: [[0, 5], wrong] })).toEqual([[[0, 0, 5]], [[0]]]);
    expect(saved({ ...names, pieces: [[0, 5]] })).toEqual([[[0, 0, 5]], [[0]]]);
    expect(saved({ tasks: ["a", 1], contents: [], pieces: [] })).toEqual([[], []]);
    expect(saved({ tasks: ["a", "b"], pieces: [] })).toEqual([[], []]);
  });

  it("marks the blocks that overlap a changed part of the log", () => {
    const changed = (from: number, to: number) =>
      filled(new LogIndex(path(), [{ from, to }]))
        .blocks()
        .map((block) => block.changed === true);
    expect(changed(26, 27)).toEqual([false, true, false]);
    expect(changed(25, 35)).toEqual([false, true, false]);
    expect(changed(24, 26)).toEqual([true, true, false]);
    expect(changed(35, 36)).toEqual([false, false, true]);
    const index = filled(new LogIndex(path(), [{ from: 26, to: 27 }]));
    index.save();
    index.close();
    expect(LogIndex.read(path()).blocks()[1]!.changed).toBe(true);
  });

  it("stays in memory without an error if its file cannot be written", () => {
    const index = filled(new LogIndex(join(folder, "nowhere", "events.index")));
    index.save();
    index.save();
    expect(index.end).toBe(43);
    const nameless = filled(new LogIndex());
    nameless.save();
    nameless.close();
    appendFileSync(path(), "");
    expect(readFileSync(path(), "utf8")).toBe("");
  });

  it("the index of a log finds a task by its quoted name, so t1 is not found in t10 or inside another name", () => {
    const index = new LogIndex();
    for (const task of ["t1", "t10", 'a"t1"']) {
      index.take({ task }, line(5));
      index.endBlock();
    }
    expect(places(index, "tasks", "t1")).toEqual([[0, 0, 5]]);
    expect(places(index, "tasks", "t10")).toEqual([[5, 0, 5]]);
    expect(places(index, "tasks", 'a"t1"')).toEqual([[10, 0, 5]]);
  });
});
