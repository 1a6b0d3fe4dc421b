/** The bytes, lines and damage of a log. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { crc32, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changedBlocks, changedBlocksInThread } from "../../../source/engine/log/file/changed-blocks.ts";
import { checkLog } from "../../../source/engine/log/file/log-check.ts";
import { damageText, type LogDamage, sumDamage, unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { LogIndex } from "../../../source/engine/log/file/log-index.ts";
import { logLines, logSize, readBytes } from "../../../source/engine/log/file/log-lines.ts";
import { packedBytes, packedPath, packedSize, packLog, unpackLog } from "../../../source/engine/log/file/packed-log.ts";
import { bareSpec } from "../../bare-spec.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-lines-"))));
afterEach(() => rmSync(folder, { recursive: true }));
const path = () => join(folder, "events.jsonl");
const write = (text: string) => writeFileSync(path(), text);
const lines = (from?: number) => Array.from(logLines(path(), from), (line) => line.toString());

describe("the lines of a log", () => {
  it("end with a line feed, and can be read from any position", () => {
    expect([lines(), logSize(path())]).toEqual([[], undefined]);
    write("one\n\ntwo\nhalf");
    expect(lines()).toEqual(["one\n", "\n", "two\n"]);
    expect(lines(4)).toEqual(["\n", "two\n"]);
    expect(lines(9)).toEqual([]);
    expect(logSize(path())).toBe(13);
    write("\n\none\n");
    expect(lines()).toEqual(["\n", "\n", "one\n"]);
  });

  it("are complete however much is read at once: 16 KB first, then more", () => {
    const sizes = [16 * 1024 - 1, 16 * 1024, 1, 100_000, 1_500_000, 3];
    write(sizes.map((size, at) => `${`${at}`.repeat(size - 1)}\n`).join(""));
    expect(lines().map((line) => line.length)).toEqual(sizes);
    expect(lines().map((line) => line[0])).toEqual(["0", "1", "\n", "3", "4", "5"]);
    expect(lines(16 * 1024 - 1).map((line) => line.length)).toEqual(sizes.slice(1));
  });

  it("are read into 16 KB of memory first, then into four times as much up to a megabyte", () => {
    const allocated = vi.spyOn(Buffer, "allocUnsafe");
    const sizes = (length: number) => {
      write(`${"x".repeat(16 * 1024 - 1)}\n`.repeat(length / 16 / 1024));
      allocated.mockClear();
      for (const line of logLines(path())) expect(line).toHaveLength(16 * 1024);
      return allocated.mock.calls.map(([size]) => size / 1024);
    };
    expect(sizes(0)).toEqual([16]);
    expect([sizes(80 * 1024), sizes(96 * 1024)]).toEqual([
      [16, 64, 256],
      [16, 64, 256],
    ]);
    expect(sizes(4 * 1024 * 1024)).toEqual([16, 64, 256, 1024]);
    allocated.mockRestore();
  });

  it("are unchanged after they are compressed in parts of a megabyte that any gzip program reads", () => {
    const text = Array.from({ length: 300_000 }, (_, at) => `line ${at}\n`).join("");
    write(text);
    const before = lines();
    const some = readBytes(path(), 1_048_570, 1_048_590).toString();
    expect(gunzipSync(packedBytes(path())).toString()).toBe(text);
    packLog(path());
    expect([logSize(path()), packedSize(path())]).toEqual([text.length, text.length]);
    expect(lines()).toEqual(before);
    expect(readBytes(path(), 1_048_570, 1_048_590).toString()).toBe(some);
    expect(readBytes(path(), 1_048_570, 1_048_577).toString()).toBe(text.slice(1_048_570, 1_048_577));
    expect(readBytes(path(), text.length - 3, text.length + 5).toString()).toBe(text.slice(-3));
    expect(lines(text.length - 12).length).toBe(1);
    unpackLog(path());
    expect([lines().length, packedPath(path())]).toEqual([before.length, `${path()}.gz`]);
    unpackLog(path());
  });

  it("have the bytes of any requested range, and fewer bytes beyond the end", () => {
    write("0123456789");
    const read = (from: number, to: number) => readBytes(path(), from, to).toString();
    expect([read(0, 3), read(3, 4), read(8, 20), read(10, 12), read(20, 30)]).toEqual(["012", "3", "89", "", ""]);
    const long = "x".repeat(1024 * 1024) + "y".repeat(10);
    write(long);
    expect(readBytes(path(), 5, long.length - 3).toString()).toBe(long.slice(5, -3));
  });
});

describe("a log with checksums", () => {
  it("finds the blocks that changed", () => {
    write("onetwothree");
    const block = (from: number, to: number, text: string) => ({ from, to, crc: crc32(text) });
    const blocks = [block(0, 3, "one"), block(3, 6, "TWO"), block(6, 11, "three")];
    expect(changedBlocks({ path: path(), blocks })).toEqual([{ from: 3, to: 6 }]);
    expect(
      changedBlocks({ path: path(), blocks: [block(3, 12, "twothree"), block(11, 11, ""), block(0, 0, "")] }),
    ).toEqual([]);
    packLog(path());
    expect(changedBlocks({ path: path(), blocks })).toEqual([{ from: 3, to: 6 }]);
    unpackLog(path());
  });

  it("is compared in a megabyte of memory, whatever its length", () => {
    const texts = [2_500_000, 700_000, 1_048_576, 1_048_577, 1].map((size, at) => `${at}`.repeat(size));
    write(texts.join(""));
    let to = 0;
    const blocks = texts.map((text) => ({ from: to, to: (to += text.length), crc: crc32(text) }));
    const allocated = vi.spyOn(Buffer, "allocUnsafe");
    expect(changedBlocks({ path: path(), blocks })).toEqual([]);
    expect(allocated.mock.calls).toEqual([[1024 * 1024]]);
    allocated.mockRestore();
    expect(
      changedBlocks({ path: path(), blocks: blocks.map((each) => ({ ...each, crc: each.crc + 1 })) }),
    ).toHaveLength(5);
  });
});

describe("the comparison of a log with its checksums", () => {
  const mebi = 1024 * 1024;
  /** Compares a log of this length, as three blocks, the last of which was changed. */
  const compared = async (length: number) => {
    const text = "x".repeat(length);
    write(text);
    const block = (from: number, to: number) => ({ from, to, crc: crc32(text.slice(from, to)) });
    const blocks = [block(0, 9), block(9, length - 7), { from: length - 7, to: length, crc: 1 }];
    const [allocated, unrefs] = [vi.spyOn(Buffer, "allocUnsafe"), vi.spyOn(Worker.prototype, "unref")];
    const changed = await changedBlocksInThread({ path: path(), blocks });
    expect(changed).toEqual([{ from: length - 7, to: length }]);
    const here = allocated.mock.calls.map(([size]) => size).filter((size) => size === length - 16);
    const threads = unrefs.mock.calls.length;
    vi.restoreAllMocks();
    return { here: here.length, threads };
  };

  it("happens in a thread if the log is longer than a megabyte; the thread does not keep the program alive", async () => {
    expect(await compared(mebi)).toEqual({ here: 1, threads: 0 });
    expect(await compared(mebi + 1)).toEqual({ here: 0, threads: 1 });
  });

  it("is rejected if the thread ends without a result", async () => {
    write("x".repeat(2 * mebi));
    const unrefs = vi.spyOn(Worker.prototype, "unref");
    const comparing = changedBlocksInThread({ path: path(), blocks: [{ from: 0, to: 2 * mebi, crc: 0 }] });
    void (unrefs.mock.contexts[0] as Worker).terminate();
    await expect(comparing).rejects.toThrow("Expected the check of a log to end with a result");
    unrefs.mockRestore();
  });

  it("needs as much memory as the longest block", () => {
    write("0123456789");
    const allocated = vi.spyOn(Buffer, "allocUnsafe");
    const sizes = (...ends: readonly (readonly [number, number])[]) => {
      allocated.mockClear();
      changedBlocks({ path: path(), blocks: ends.map(([from, to]) => ({ from, to, crc: 0 })) });
      return allocated.mock.calls[0]![0];
    };
    expect([sizes([3, 5], [5, 10], [2, 3]), sizes()]).toEqual([5, 0]);
    allocated.mockRestore();
  });
});

describe("the check of a log", () => {
  const event = (seq: number, made: object) => `${JSON.stringify({ seq, at: 0, ...made })}\n`;
  const refusal = { type: "shipment-refused", message: "not of this run" };
  const checked = () => checkLog(folder, new AbortController().signal);
  const started = { type: "run-ended", reason: "done" };

  it("counts events, and detects whether the run was completed", async () => {
    expect(await checked()).toBeUndefined();
    write(event(0, started) + event(1, refusal));
    expect(await checked()).toMatchObject({ events: 2, done: true, checked: 0, damage: unharmed, refused: [refusal] });
    write(event(0, started) + event(1, { ...started, reason: "stopped" }));
    expect(await checked()).toMatchObject({ events: 2, done: false, refused: [] });
    write(event(0, refusal));
    expect(await checked()).toMatchObject({ events: 1, done: false });
    const again = { type: "run-started", run: "r", spec: bareSpec("made"), total: 1, warnings: [] };
    write(event(0, started) + event(1, again));
    expect(await checked()).toMatchObject({ events: 2, done: false });
  });

  it("counts blocks that were changed before the index was written anew", async () => {
    const text = event(0, started) + event(1, refusal);
    write(text);
    const index = new LogIndex(join(folder, "events.index"), [{ from: 0, to: 1 }]);
    for (const line of logLines(path())) {
      index.take({}, line);
      index.endBlock();
    }
    index.save();
    index.close();
    expect((await checked())!.damage).toEqual({ ...unharmed, changed: 1 });
    write(text.replace("not of", "not at"));
    expect((await checked())!.damage).toEqual({ ...unharmed, changed: 2 });
  });

  it("finds entries of the index that differ from the log", async () => {
    const text = event(0, started) + event(1, refusal);
    write(text);
    const index = new LogIndex(join(folder, "events.index"));
    for (const line of logLines(path())) {
      index.take({}, line);
      index.endBlock();
    }
    index.save();
    index.close();
    expect(await checked()).toMatchObject({ checked: text.length, damage: unharmed, bytes: text.length });
    write(text.replace("done", "DONE"));
    expect((await checked())!.damage).toMatchObject({ changed: 1 });
    write(text.slice(0, -5));
    const cut = (await checked())!.damage;
    expect([cut.cut, cut.changed]).toEqual([5, 0]);
  });
});

describe("damage of a log", () => {
  const of = (more: Partial<LogDamage>) => damageText({ ...unharmed, ...more });

  it("is reported in one sentence for each kind", () => {
    expect(of({})).toBeUndefined();
    expect(of({ unreadable: 1 })).toBe("1 line of the log could not be read");
    expect([of({ missing: 1 }), of({ missing: 2 })]).toEqual([
      "1 event of the log is missing",
      "2 events of the log are missing",
    ]);
    expect([of({ crossed: 1 }), of({ crossed: 2 })]).toEqual([
      "1 event of the log was written by two programs at once",
      "2 events of the log were written by two programs at once",
    ]);
    expect(of({ doubled: 2, mark: true })).toBe(
      "2 duplicate lines of the log were ignored; the log begins with a byte order mark, which an editor may have added",
    );
    expect(of({ changed: 1, cut: 3, index: true })).toBe(
      "1 block of the log changed after writing; the log is 3 bytes shorter than it was; the log's index was damaged, so earlier changes cannot be detected",
    );
    expect(of({ mark: true })).toBe("The log begins with a byte order mark, which an editor may have added");
  });

  it("is the sum of two readings", () => {
    const one = { unreadable: 1, doubled: 2, missing: 3, crossed: 4, mark: true, changed: 5, cut: 6, index: false };
    const other = {
      unreadable: 10,
      doubled: 20,
      missing: 30,
      crossed: 40,
      mark: false,
      changed: 50,
      cut: 60,
      index: true,
    };
    const sum = {
      unreadable: 11,
      doubled: 22,
      missing: 33,
      crossed: 44,
      mark: true,
      changed: 55,
      cut: 66,
      index: true,
    };
    expect([sumDamage(one, other), sumDamage(other, one), sumDamage(unharmed, unharmed)]).toEqual([sum, sum, unharmed]);
  });
});
