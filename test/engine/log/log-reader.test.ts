/** What reading a log finds: its end, its start, and damage that the numbers of its events reveal. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { damageText, type LogDamage, sumDamage, unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { readLog, readStart } from "../../../source/engine/log/file/log-reader.ts";
import { bareSpec } from "../../bare-spec.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-reader-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const answer = (seq: number, text = "x") => JSON.stringify({ seq, at: 0, type: "answer", task: "t", answer: text });
const started = (more = {}) =>
  JSON.stringify({
    seq: 0,
    at: 0,
    type: "run-started",
    run: "r",
    spec: bareSpec("made"),
    total: 1,
    warnings: [],
    ...more,
  });

/** Writes these lines as a log; returns the answers or kinds of its events, its end and its damage. */
function read(...lines: readonly string[]) {
  const path = join(folder, "events.jsonl");
  writeFileSync(path, lines.join("\n"));
  const events: string[] = [];
  const { damage, ...end } = readLog(path, (event) =>
    events.push(event.type === "answer" ? `${event.seq} ${event.answer as string}` : event.type),
  );
  return { events, damage, end, start: () => readStart(path) };
}

describe("the end of a log", () => {
  it("is the end of its last complete line, and the number of its last event", () => {
    const whole = [answer(0), answer(1), ""];
    const bytes = whole.join("\n").length;
    expect(read(...whole).end).toEqual({ bytes, torn: false, lastSeq: 1 });
    expect(read(...whole.slice(0, 2), answer(2).slice(0, 9)).end).toEqual({ bytes, torn: true, lastSeq: 1 });
    expect(read("").end).toEqual({ bytes: 0, torn: false, lastSeq: -1 });
  });

  it("is its beginning if there is no file", () => {
    const { damage, ...end } = readLog(join(folder, "none.jsonl"), () => {});
    expect([end, damage]).toEqual([{ bytes: 0, torn: false, lastSeq: -1 }, unharmed]);
  });
});

describe("the damage to a log", () => {
  const damage = (...lines: readonly string[]) => {
    const found = read(...lines, "");
    const own = Object.entries(found.damage).filter(([, count]) => count !== 0 && count !== false);
    return [found.events, Object.fromEntries(own)];
  };

  it("is none if lines are empty", () => {
    expect(damage(answer(0), "", answer(1))).toEqual([["0 x", "1 x"], {}]);
  });

  it("counts the events whose numbers are missing, less the lines that cannot be read", () => {
    expect(damage(answer(1))).toEqual([["1 x"], { missing: 1 }]);
    expect(damage(answer(0), answer(3))).toEqual([["0 x", "3 x"], { missing: 2 }]);
    expect(damage(answer(0), "{", answer(3))).toEqual([["0 x", "3 x"], { unreadable: 1, missing: 1 }]);
    expect(damage(answer(0), "{", "{", answer(1))).toEqual([["0 x", "1 x"], { unreadable: 2 }]);
  });

  it("counts a line that comes twice and takes it once, but takes another event with its number", () => {
    expect(damage(answer(0), answer(1), answer(0), answer(1))).toEqual([["0 x", "1 x"], { doubled: 2 }]);
    expect(damage(answer(0), answer(0, "y"))).toEqual([["0 x", "0 y"], { crossed: 1 }]);
  });

  it("counts an event that arrives after one with a higher number, and takes it", () => {
    expect(damage(answer(0), answer(2), answer(1))).toEqual([["0 x", "2 x", "1 x"], { missing: 1, crossed: 1 }]);
    expect(damage(answer(0), answer(2), answer(1), answer(1))).toEqual([
      ["0 x", "2 x", "1 x"],
      { missing: 1, crossed: 1, doubled: 1 },
    ]);
  });

  it("names a byte order mark at the beginning; elsewhere it makes a line unreadable", () => {
    expect(damage(`\uFEFF${answer(0)}`, answer(1))).toEqual([["0 x", "1 x"], { mark: true }]);
    expect(damage(answer(0), `\uFEFF${answer(1)}`)).toEqual([["0 x"], { unreadable: 1 }]);
  });
});

describe("the text of a log's damage", () => {
  const text = (more: Partial<LogDamage>) => damageText({ ...unharmed, ...more });

  it("names every kind, also if it was found once", () => {
    expect(text({})).toBeUndefined();
    expect([text({ unreadable: 1 }), text({ missing: 1 }), text({ missing: 2 })]).toEqual([
      "1 line of the log could not be read",
      "1 event of the log is missing",
      "2 events of the log are missing",
    ]);
    expect([text({ crossed: 1 }), text({ crossed: 2 })]).toEqual([
      "1 event of the log was written by two programs at once",
      "2 events of the log were written by two programs at once",
    ]);
    expect([text({ doubled: 1 }), text({ changed: 1 }), text({ cut: 1 })]).toEqual([
      "1 duplicate line of the log was ignored",
      "1 block of the log changed after writing",
      "The log is 1 byte shorter than it was",
    ]);
    expect(text({ doubled: 1, index: true })).toBe(
      "1 duplicate line of the log was ignored; the log's index was damaged, so earlier changes cannot be detected",
    );
  });

  it("is that of both readings if damage is added", () => {
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
    const both = {
      unreadable: 11,
      doubled: 22,
      missing: 33,
      crossed: 44,
      mark: true,
      changed: 55,
      cut: 66,
      index: true,
    };
    expect(sumDamage(one, other)).toEqual(both);
    expect(sumDamage(unharmed, unharmed)).toEqual(unharmed);
  });
});

describe("the start of a log", () => {
  it("is its first event, if that starts a run", () => {
    expect(read(started(), answer(1), "").start()).toMatchObject({ type: "run-started", run: "r", total: 1 });
    expect(read(answer(0), started({ seq: 1 }), "").start()).toBeUndefined();
    expect(read("{", started(), "").start()).toBeUndefined();
    expect(read("").start()).toBeUndefined();
  });

  it("must have a format that this version knows", () => {
    expect(read(started(), "").events).toEqual(["run-started"]);
    expect(() => read(started({ format: 999 }), "")).toThrow("format");
  });
});
