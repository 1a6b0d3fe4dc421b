import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTask } from "../../../source/engine/log/file/indexed-log.ts";
import { checkLog } from "../../../source/engine/log/file/log-check.ts";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { readStart } from "../../../source/engine/log/file/log-reader.ts";
import {
  packedPath,
  packedSize,
  packedStretches,
  packLog,
  unpackLog,
} from "../../../source/engine/log/file/packed-log.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { logOf, score, writeRun } from "./made-log.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-packed-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const opened = () => new RunStore(folder, { keep: true });

/** More than two stretches are packed apart. */
function packed() {
  const store = opened();
  writeRun(store, 500, "a reply ".repeat(600));
  store.close();
  const log = readFileSync(logOf(folder));
  const events = opened().task("t333");
  packLog(logOf(folder));
  return { log, events, rows: store.table.rows() };
}

describe("a packed log of a run", () => {
  test("is read by any gzip program, and by every reader of logs", async () => {
    const { log, events, rows } = packed();
    expect(existsSync(logOf(folder))).toBe(false);
    expect(gunzipSync(readFileSync(packedPath(logOf(folder))))).toEqual(log);
    expect(statSync(packedPath(logOf(folder))).size).toBeLessThan(log.length / 10);
    expect(opened().task("t333")).toEqual(events);
    expect(readTask(logOf(folder), "t333")).toEqual(events);
    expect(readStart(logOf(folder))).toMatchObject({ type: "run-started", total: 500 });
    expect([...opened().eachTask(["t1", "t499"])].map(([, own]) => own.length)).toEqual([6, 6]);
    expect((await checkLog(folder, new AbortController().signal))!).toMatchObject({ damage: unharmed, done: true });
    for (const name of ["rows.jsonl", "events.index"]) rmSync(join(folder, name));
    const again = opened();
    expect(again.table.rows()).toEqual(rows);
    expect(again.damage).toEqual(unharmed);
    expect(existsSync(logOf(folder))).toBe(false);
  });

  test("is unpacked when the run continues", () => {
    const { log } = packed();
    const store = opened();
    score(store.open(), "t7", 0);
    store.close();
    expect(existsSync(packedPath(logOf(folder)))).toBe(false);
    expect(readFileSync(logOf(folder)).subarray(0, log.length)).toEqual(log);
    expect(opened().table.sums()).toMatchObject({ rows: 500, right: 499, wrong: 1 });
    expect(opened().damage).toEqual(unharmed);
  });

  test("is reported as damaged, and is never written to", () => {
    packed();
    const bytes = readFileSync(packedPath(logOf(folder)));
    bytes.fill(0, 60, 200);
    writeFileSync(packedPath(logOf(folder)), bytes);
    for (const name of ["rows.jsonl"]) rmSync(join(folder, name));
    const store = opened();
    expect(store.damage.unreadable).toBeGreaterThan(0);
    expect(store.task("t499")).toHaveLength(6);
    expect(() => store.open()).toThrow("is damaged, so its run cannot continue");
    expect(readFileSync(packedPath(logOf(folder)))).toEqual(bytes);
  });

  test("is reported as incomplete if its end is missing", () => {
    packed();
    const bytes = readFileSync(packedPath(logOf(folder)));
    writeFileSync(packedPath(logOf(folder)), bytes.subarray(0, bytes.length - 10));
    expect(opened().damage.cut).toBeGreaterThan(0);
    expect(() => opened().open()).toThrow("is damaged, so its run cannot continue");
  });
});

const mebi = 1024 * 1024;

/** A log of two and a half members, by its path. */
function half(length = 2.5 * mebi) {
  const path = join(folder, "events.jsonl");
  writeFileSync(path, Buffer.alloc(length, "a line of the log\n"));
  const log = readFileSync(path);
  packLog(path);
  return { path, log, bytes: readFileSync(packedPath(path)) };
}
const lengths = (path: string, from: number) => [...packedStretches(path, from)].map(({ length }) => length);

describe("the members of a packed log", () => {
  test("each contain a MiB of the log, and store their lengths in an extra field as RFC 1952 describes", () => {
    const { path, bytes } = half();
    // ID1, ID2, CM; FLG with FEXTRA; XLEN; SI1, SI2, LEN; the length of the member and of what is in it.
    expect([...bytes.subarray(0, 3), bytes[3]! & 4]).toEqual([0x1f, 0x8b, 8, 4]);
    expect([bytes.readUInt16LE(10), bytes.toString("latin1", 12, 14), bytes.readUInt16LE(14)]).toEqual([12, "PW", 8]);
    const [length, size] = [bytes.readUInt32LE(16), bytes.readUInt32LE(20)];
    expect(size).toBe(mebi);
    expect([...bytes.subarray(length, length + 2)]).toEqual([0x1f, 0x8b]);
    expect(gunzipSync(bytes.subarray(0, length))).toHaveLength(mebi);
    expect([packedSize(path), lengths(path, 0)]).toEqual([2.5 * mebi, [mebi, mebi, 0.5 * mebi]]);
  });

  test("can be read from any position in the log", () => {
    const { path, log } = half();
    expect(lengths(path, mebi - 1)).toEqual([1, mebi, 0.5 * mebi]);
    expect(lengths(path, mebi)).toEqual([mebi, 0.5 * mebi]);
    expect(lengths(path, 2.5 * mebi - 1)).toEqual([1]);
    expect(lengths(path, 2.5 * mebi)).toEqual([]);
    expect(Buffer.concat([...packedStretches(path, mebi + 7)]).equals(log.subarray(mebi + 7))).toBe(true);
  });

  test("end before the first member that is truncated or was not written by this program", () => {
    const { path, bytes } = half();
    const second = bytes.readUInt32LE(16);
    const sized = (change: (copy: Buffer) => Buffer | void) => {
      const copy = Buffer.from(bytes);
      writeFileSync(packedPath(path), change(copy) ?? copy);
      return packedSize(path);
    };
    expect(sized((copy) => copy.subarray(0, -1))).toBe(2 * mebi);
    expect(sized((copy) => copy.subarray(0, second + 23))).toBe(mebi);
    expect(sized((copy) => void copy.write("XX", second + 12, "latin1"))).toBe(mebi);
    expect(sized((copy) => void copy.writeUInt32LE(0, second + 20))).toBe(mebi);
    expect(sized((copy) => void copy.writeUInt32LE(mebi + 1, second + 20))).toBe(mebi);
    expect(sized((copy) => void copy.writeUInt32LE(24, second + 16))).toBe(mebi);
    expect(sized(() => gzipSync("foreign"))).toBe(0);
    expect(sized(() => Buffer.alloc(0))).toBe(0);
  });

  test("read as zeros at damaged places, and the damage is reported", () => {
    const { path, bytes, log } = half();
    bytes.fill(0, 60, 200);
    writeFileSync(packedPath(path), bytes);
    let told = 0;
    const [first, ...rest] = [...packedStretches(path, 0, () => (told += 1))];
    expect([told, first!.length, first!.every((byte) => byte === 0)]).toEqual([1, mebi, true]);
    expect(Buffer.concat(rest).equals(log.subarray(mebi))).toBe(true);
    // What a member says of its size must be true.
    bytes.writeUInt32LE(mebi - 1, 20);
    writeFileSync(packedPath(path), bytes);
    expect(lengths(path, 0)[0]).toBe(mebi - 1);
  });
});

describe("unpacking", () => {
  test("restores the log, does nothing without a packed log, and removes an older packed log beside a log", () => {
    const { path, log } = half();
    unpackLog(path);
    expect([readFileSync(path).equals(log), existsSync(packedPath(path))]).toEqual([true, false]);
    unpackLog(path);
    expect(readFileSync(path).equals(log)).toBe(true);
    writeFileSync(packedPath(path), "older");
    unpackLog(path);
    expect([readFileSync(path).equals(log), existsSync(packedPath(path))]).toEqual([true, false]);
  });

  test("rejects a file with bytes after the last member, and keeps these bytes", () => {
    const { path, bytes } = half(10);
    const more = Buffer.concat([bytes, Buffer.from("x")]);
    writeFileSync(packedPath(path), more);
    expect(() => unpackLog(path)).toThrow("is damaged, so its run cannot continue");
    expect([readFileSync(packedPath(path)).equals(more), existsSync(path)]).toEqual([true, false]);
  });

  test("makes an empty log from a packed empty log", () => {
    const { path, bytes } = half(0);
    expect([bytes.length, packedSize(path)]).toEqual([0, 0]);
    unpackLog(path);
    expect(readFileSync(path)).toHaveLength(0);
  });
});
