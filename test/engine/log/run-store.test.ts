import { publicRow } from "../../../source/engine/log/rows/row-notes.ts";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { channel, type ChannelListener } from "node:diagnostics_channel";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkLog } from "../../../source/engine/log/file/log-check.ts";
import { LogDecoder } from "../../../source/engine/log/file/log-codec.ts";
import { damageText, type LogDamage, unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { readTask } from "../../../source/engine/log/file/indexed-log.ts";
import { RunStore } from "../../../source/engine/log/run-store.ts";
import { RowTable } from "../../../source/engine/log/rows/rows.ts";
import { readTrajectory } from "../../../source/engine/log/trajectory.ts";
import { atOnce } from "../../../source/engine/work/pieces.ts";
import { catalogue, logOf, score, writeRun } from "./made-log.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "planwright-store-"))));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Blocks of it are shared by four hundred tasks. */
const long = "a reply ".repeat(500);
const at = (name: string) => join(folder, name);
const opened = () => new RunStore(folder, { keep: true });
const { signal } = new AbortController();

function written(tasks: number, words?: string): RunStore {
  const store = opened();
  writeRun(store, tasks, words);
  store.close();
  return store;
}

describe("the index of a log", () => {
  test("finds the lines of a task, and no other lines", () => {
    written(200);
    const decode = vi.spyOn(LogDecoder.prototype, "decode");
    const events = opened().task("t150");
    expect(events.map(({ type }) => type)).toEqual(["started", "prompt", "text", "answer", "finish", "scored"]);
    expect(events[1]).toMatchObject({
      messages: [{ content: catalogue }, { content: expect.stringContaining("t150") }],
    });
    expect(decode).toHaveBeenCalledTimes(6);
  });

  test("reads a long trajectory in pieces, so the screen stays responsive", () => {
    const store = opened();
    writeRun(store, 2);
    const steps = 3000;
    for (let step = 0; step < steps; step++)
      store.open().append({ type: "note", task: "t1", kind: "step", text: `${step} ${"again ".repeat(50)}` });
    store.close();
    const decode = vi.spyOn(LogDecoder.prototype, "decode");
    const reading = readTrajectory("t1", opened().events("t1"));
    expect(decode).not.toHaveBeenCalled();
    let most = 0;
    for (let next = reading.next(); ; next = reading.next()) {
      most = Math.max(most, decode.mock.calls.length);
      decode.mockClear();
      if (next.done !== true) continue;
      expect(next.value!.entries).toHaveLength(steps + 2);
      break;
    }
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThan(500);
    expect(atOnce(readTrajectory("none", opened().events("none")))).toBeUndefined();
  });

  test("reads the whole log in one pass, even if tasks at its end were scored again", () => {
    const store = written(200);
    const log = store.open();
    for (let task = 0; task < 200; task++) score(log, `t${task}`);
    store.close();
    const ids = Array.from({ length: 200 }, (_, index) => `t${199 - index}`);
    const decode = vi.spyOn(LogDecoder.prototype, "decode");
    const found = [...opened().eachTask([...ids, "none"])];
    expect(found.map(([task]) => task)).toEqual(ids.toReversed());
    expect(found.every(([, events]) => events.length === 7)).toBe(true);
    expect(decode).toHaveBeenCalledTimes(7 * 200);
  });

  test("includes events that are being written", () => {
    const store = opened();
    writeRun(store, 4);
    expect(store.task("t2")).toHaveLength(6);
    store.open().append({ type: "note", task: "t2", kind: "end", text: "more" });
    expect(store.task("t2")).toHaveLength(7);
    store.close();
  });

  test.each(["gone", "torn", "behind"])("is rebuilt identically from the log if it is %s", (how) => {
    written(400, long);
    const whole = readFileSync(at("events.index"), "utf8");
    const lines = whole.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(3);
    if (how === "gone") rmSync(at("events.index"));
    else if (how === "torn") truncateSync(at("events.index"), whole.length - 10);
    else writeFileSync(at("events.index"), `${lines.slice(0, 2).join("\n")}\n`);
    const store = opened();
    expect(store.damage).toEqual(unharmed);
    expect(store.task("t399")).toHaveLength(6);
    expect(readFileSync(at("events.index"), "utf8")).toBe(whole);
  });

  test("is not written by a program that only reads the log", () => {
    written(3);
    const before = readFileSync(logOf(folder));
    for (const name of ["events.index", "rows.jsonl"]) rmSync(at(name));
    const reader = new RunStore(folder);
    expect(reader.table.rows()).toHaveLength(3);
    expect(reader.task("t1")).toHaveLength(6);
    expect(readTask(logOf(folder), "t2")).toHaveLength(6);
    expect(readFileSync(logOf(folder))).toEqual(before);
    expect(() => statSync(at("events.index"))).toThrow("ENOENT");
    expect(() => statSync(at("rows.jsonl"))).toThrow("ENOENT");
  });

  test("keeps task names such as `__proto__` and names with quotes unchanged", () => {
    const store = opened();
    const names = ["__proto__", 'quote"d', "crc", "tasks", "Straße 5", "constructor", "\u2028"];
    for (const task of names) {
      store.open().append({ type: "started", task, facets: {}, question: "" });
      score(store.open(), task);
    }
    store.close();
    for (const name of names) expect(opened().task(name)).toHaveLength(2);
    expect([...opened().eachTask(names)].map(([name]) => name)).toEqual(names);
    expect(opened().task("toString")).toEqual([]);
  });
});

test("a log that was deleted from the disk is detected at the next check, and is not written again", () => {
  written(2);
  const store = opened();
  rmSync(logOf(folder));
  expect(store.presence.gone).toBeUndefined();
  store.look();
  expect(store.presence.gone).toBe("The log of the run was removed from disk");
  expect(() => store.open()).toThrow("removed from disk");
  const never = new RunStore(at("nowhere"));
  never.look();
  expect(never.presence.gone).toBeUndefined();
});

describe("a log that another program changed", () => {
  const first = () => readFileSync(logOf(folder), "utf8").split("\n");
  const put = (lines: readonly string[]) => writeFileSync(logOf(folder), lines.join("\n"));

  test.each<[string, () => void, Partial<LogDamage>, number]>([
    ["a changed byte", () => put(first().map((line) => line.replace("t1: a reply", "t1: a lie,,"))), {}, 8],
    [
      "a duplicated line",
      () => put(first().flatMap((line) => (line.includes('"seq":20,') ? [line, line] : line))),
      { doubled: 1 },
      8,
    ],
    ["a duplicated block of lines", () => put([...first().slice(0, 30), ...first().slice(10)]), { doubled: 20 }, 8],
    ["a byte order mark", () => put([`\uFEFF${first()[0]}`, ...first().slice(1)]), { mark: true }, 8],
    [
      "a line of NUL bytes",
      () => put(first().map((line) => (line.includes('"seq":20,') ? "\0".repeat(line.length) : line))),
      { unreadable: 1 },
      8,
    ],
  ])(
    "%s: is reported immediately and at each later opening, and all rows are computed from the log again",
    async (_, change, damage, rows) => {
      written(8);
      change();
      const length = statSync(logOf(folder)).size;
      for (let opening = 0; opening < 2; opening++) {
        const store = opened();
        expect(store.damage).toMatchObject({ changed: 1, ...damage });
        expect(damageText(store.damage)).toContain("changed after writing");
        expect(store.table.rows()).toHaveLength(rows);
        expect(store.table.sums()).toMatchObject({ rows, right: 8 });
        expect((await checkLog(folder, signal))!.damage).toMatchObject({ changed: 1, ...damage });
      }
      expect(statSync(logOf(folder)).size).toBe(length);
      const again = opened();
      score(again.open(), "t0", 0);
      again.close();
      expect(opened().damage).toMatchObject({ changed: 1, ...damage });
      expect(opened().table.sums()).toMatchObject({ right: 7, wrong: 1 });
    },
  );

  test.each<[string, (line: string) => boolean, number]>([
    ["events", (line) => !/"seq":(20|21),/.test(line), 2],
    ["a message", (line) => !line.startsWith('{"type":"content"'), 8],
  ])("reports missing %s immediately and at each later opening", async (_, stays, missing) => {
    written(8);
    const length = statSync(logOf(folder)).size;
    put(first().filter(stays));
    const damage = { missing, cut: length - statSync(logOf(folder)).size };
    for (let opening = 0; opening < 2; opening++) expect(opened().damage).toMatchObject(damage);
    expect((await checkLog(folder, signal))!.damage).toMatchObject({ missing });
  });

  test("reports a missing end, and the run continues after the last complete entry", () => {
    written(8);
    const lines = first();
    put([...lines.slice(0, -4), ""]);
    const store = opened();
    expect(damageText(store.damage)).toMatch(/^The log is \d+ bytes shorter than it was$/);
    expect(store.table.sums()).toMatchObject({ rows: 8, right: 6 });
    writeRun(store, 8);
    store.close();
    expect(opened().table.sums()).toMatchObject({ rows: 8, right: 8 });
  });

  test("reports and counts the events of two programs that wrote at the same time", () => {
    written(4);
    const lines = first();
    const answer = JSON.stringify({ seq: 20, at: 5, task: "t1", type: "note", kind: "other", text: "" });
    put([...lines.slice(0, -1), answer, ""]);
    const { damage, table } = opened();
    expect(damage).toMatchObject({ crossed: 1, doubled: 0 });
    expect(publicRow(table.row("t1")!).counts).toMatchObject({ other: 1 });
  });

  test("reports a changed index", () => {
    written(400, long);
    const text = readFileSync(at("events.index"), "utf8");
    writeFileSync(at("events.index"), text.replace('"crc":', '"crc":1'));
    const store = opened();
    expect(damageText(store.damage)).toContain("index was damaged");
    expect(store.table.sums()).toMatchObject({ rows: 400, right: 400 });
    expect(store.task("t399")).toHaveLength(6);
  });
});

describe("a long log", () => {
  const change = () => {
    const text = readFileSync(logOf(folder), "utf8");
    writeFileSync(logOf(folder), text.replace("t90: a reply", "t90: a lie,,"));
  };
  const longLog = () => written(400, long);

  test("is read without its rows in parts if a screen shows it, and reports progress", async () => {
    const { table } = longLog();
    for (const name of ["rows.jsonl", "events.index"]) rmSync(at(name));
    const take = vi.spyOn(RowTable.prototype, "take");
    const told: (readonly [share: number, events: number])[] = [];
    const reading = () => void told.push([store.folded, take.mock.calls.length]);
    const store: RunStore = new RunStore(folder, { keep: true, reading });
    expect(take).not.toHaveBeenCalled();
    expect(store).toMatchObject({ isBehind: true, hasRows: false, folded: 0 });
    // Each look at the clock finds that it is time for a pause.
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
    await Promise.all([store.catchUp(), store.catchUp()]);
    vi.mocked(performance.now).mockRestore();
    expect(told.length).toBeGreaterThan(400);
    const most = told.map(([share, events], at) => ({ share, grew: events - (told[at - 1]?.[1] ?? 0) }));
    expect(Math.max(...most.map(({ grew }) => grew))).toBe(1);
    expect(most.map(({ share }) => share)).toEqual(most.map(({ share }) => share).toSorted((a, b) => a - b));
    expect(store).toMatchObject({ isBehind: false, hasRows: true });
    expect(store.table.rows()).toEqual(table.rows());
    expect(store.table.sums()).toEqual(table.sums());
    expect(store.task("t300")).toHaveLength(6);
    // Computed results are kept.
    take.mockClear();
    expect(new RunStore(folder, { reading })).toMatchObject({ isBehind: false });
    expect(take).not.toHaveBeenCalled();
  });

  test("is no longer read after the user leaves the screen, and nothing is written next to the log", async () => {
    longLog();
    for (const name of ["rows.jsonl", "events.index"]) rmSync(at(name));
    const store = new RunStore(folder, { keep: true, reading: () => {} });
    const done = store.catchUp();
    const left = store.leave();
    await expect(done).rejects.toThrow("aborted");
    await left;
    expect(readdirSync(folder)).toEqual(["events.jsonl"]);
  });

  test("is compared with its checksums in a thread; changed parts are reported and read again", async () => {
    longLog();
    change();
    const store = opened();
    expect(store.damage).toEqual(unharmed);
    const take = vi.spyOn(RowTable.prototype, "take");
    expect(await store.check()).toBe(true);
    expect(damageText(store.damage)).toBe("1 block of the log changed after writing");
    expect(take).toHaveBeenCalledTimes(6 * 400 + 2);
    expect(store.table.sums()).toMatchObject({ rows: 400, right: 400 });
    expect(opened().damage).toMatchObject({ changed: 1 });
    expect(await opened().check()).toBe(false);
  });

  test("is checked in its own thread, not in the thread of the screen, unless this program began it", async () => {
    const began = longLog();
    const started: unknown[] = [];
    const note = ({ worker }: { worker: unknown }) => started.push(worker);
    channel("worker_threads").subscribe(note as ChannelListener);
    expect(await began.check()).toBe(false);
    expect(started).toHaveLength(0);
    await opened().check();
    channel("worker_threads").unsubscribe(note as ChannelListener);
    expect(started).toHaveLength(1);
  });

  test("returns each task once even if a block proves to be changed during the reading", () => {
    longLog();
    change();
    const ids = Array.from({ length: 400 }, (_, index) => `t${index}`);
    const store = opened();
    expect([...store.eachTask(ids)].map(([task]) => task)).toEqual(ids);
    expect(store.damage).toMatchObject({ changed: 1 });
  });

  test("is checked before one of its tasks is used", () => {
    longLog();
    change();
    const store = opened();
    expect(store.task("t300")).toHaveLength(6);
    expect(store.damage).toEqual(unharmed);
    expect(store.task("t90")[2]).toMatchObject({ text: expect.stringContaining("a lie") });
    expect(store.damage).toMatchObject({ changed: 1 });
    expect([...opened().eachTask(["t90", "t300"])].map(([, events]) => events.length)).toEqual([6, 6]);
  });

  test("keeps a score that is written while its rows are checked against the log", async () => {
    longLog();
    change();
    const store = opened();
    const checked = store.check();
    score(store.open(), "t0", 0);
    store.close();
    expect(await checked).toBe(true);
    expect(store.damage).toMatchObject({ changed: 1 });
    expect(store.table.sums()).toMatchObject({ right: 399, wrong: 1 });
    expect(store.task("t0")).toHaveLength(7);
  });

  test("reports no change if nothing was changed", async () => {
    longLog();
    expect(await opened().check()).toBe(false);
    const { events, bytes, checked, damage } = (await checkLog(folder, signal))!;
    expect({ events, checked, damage }).toEqual({ events: 2_402, checked: bytes, damage: unharmed });
  });

  test("counts a line of more than 64 MB as unreadable, without decoding it", () => {
    written(1);
    const decode = vi.spyOn(LogDecoder.prototype, "decode");
    appendFileSync(logOf(folder), `${JSON.stringify("x".repeat(64 * 1024 * 1024))}\n`);
    expect(opened().damage).toMatchObject({ unreadable: 1 });
    expect(decode).not.toHaveBeenCalled();
  });
});
