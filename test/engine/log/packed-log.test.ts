import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTask } from "../../../source/engine/log/file/indexed-log.ts";
import { checkLog } from "../../../source/engine/log/file/log-check.ts";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { readStart } from "../../../source/engine/log/file/log-reader.ts";
import { packedPath, packLog } from "../../../source/engine/log/file/packed-log.ts";
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
  test("is read by any gzip, and by every reader of logs", async () => {
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

  test("with damage is reported, and never written to", () => {
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

  test("with a missing end is reported", () => {
    packed();
    const bytes = readFileSync(packedPath(logOf(folder)));
    writeFileSync(packedPath(logOf(folder)), bytes.subarray(0, bytes.length - 10));
    expect(opened().damage.cut).toBeGreaterThan(0);
    expect(() => opened().open()).toThrow("is damaged, so its run cannot continue");
  });
});
