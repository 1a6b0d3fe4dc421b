/** What a log writes and when: numbers, formats, the index beside it, and errors of the disk. */
import { execFileSync } from "node:child_process";
import { existsSync, fstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { LogIndex } from "../../../source/engine/log/file/log-index.ts";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { Log, type LogOptions } from "../../../source/engine/log/file/log.ts";
import { formats } from "../../../source/engine/settings/format.ts";
import { Problem } from "../../../source/engine/problem.ts";
import type { Event } from "../../../source/engine/types.ts";
import { bareSpec } from "../../bare-spec.ts";
import { openTestClock } from "../work/test-clock.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-writing-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, "run", "events.jsonl");
const indexPath = () => join(folder, "run", "events.index");
const size = (of = path()) => statSync(of).size;
const answer = (said = "x", task = "t") => ({ type: "answer", task, answer: said }) as const;
const started = { type: "run-started", run: "r", spec: bareSpec("made"), total: 1, warnings: [] } as const;
const scored = {
  task: "t",
  type: "scored",
  score: { value: 1, metrics: {}, checks: [], errors: [] },
  suiteRevision: 1,
} as const;
const opened = (options: LogOptions = {}, end = readLog(path(), () => {})) => new Log(path(), end, options);

describe("a log that is written", () => {
  it("numbers its events, names its format with the start of a run alone, and indexes each line", () => {
    const taken: Event[] = [];
    const index = new LogIndex(indexPath());
    const log = opened({ take: (event) => taken.push(event), index, clock: openTestClock() });
    expect(log.end()).toEqual({ bytes: 0, torn: false, lastSeq: -1 });
    expect([started, answer(), started].map((event) => log.append(event))).toEqual(taken);
    expect(taken.map((event) => [event.seq, (event as { format?: number }).format])).toEqual([
      [0, formats.run],
      [1, undefined],
      [2, formats.run],
    ]);
    expect(size()).toBe(0);
    expect(log.end()).toEqual({ bytes: size(), torn: false, lastSeq: 2 });
    expect([index.end, [...index.places("tasks", "t")].length]).toEqual([size(), 1]);
    log.close();
    const again = opened({ index });
    expect(again.append(answer("y"))).toMatchObject({ seq: 3, answer: "y" });
    expect(again.end()).toEqual({ bytes: size(), torn: false, lastSeq: 3 });
    again.close();
    const read: Event[] = [];
    expect(readLog(path(), (event) => read.push(event)).damage).toEqual(unharmed);
    expect(read.slice(0, 3)).toEqual(taken);
    // The index has the end of the log once the log is closed.
    expect(LogIndex.read(indexPath()).end).toBe(size());
  });

  it("saves each whole block of its index when it writes the block", () => {
    const index = new LogIndex(indexPath());
    const log = opened({ index, clock: openTestClock() });
    log.append(answer("x".repeat(256 * 1024)));
    log.append(answer("y"));
    log.flush();
    const whole = LogIndex.read(indexPath()).end;
    expect([whole > 256 * 1024, whole < size()]).toEqual([true, true]);
    log.close();
  });

  it("releases the bytes of a line of more than 4 MiB once the line is written and indexed", () => {
    const index = new LogIndex();
    const take = vi.spyOn(index, "take");
    const log = opened({ index, clock: openTestClock() });
    const bare = JSON.stringify(log.append(answer(""))).length;
    for (const length of [4 * 1024 * 1024 - 1, 4 * 1024 * 1024]) log.append(answer("x".repeat(length - bare)));
    log.close();
    expect(take.mock.calls.map(([, line]) => line.length)).toEqual([bare + 1, 4 * 1024 * 1024, 0]);
    expect(index.end).toBe(size());
  });

  it("writes a prompt at once if the prompt contains a message of more than 4 MiB", () => {
    const log = opened({ clock: openTestClock() });
    log.append(answer());
    const messages = [{ role: "user", content: "x".repeat(4 * 1024 * 1024) }] as const;
    log.append({ type: "prompt", task: "t", request: 0, role: "model", model: "m", stage: "s", messages });
    const written = size();
    expect(log.end().bytes).toBe(written);
    log.close();
  });

  it("is written 50 milliseconds after the first event that is not written yet", async () => {
    const clock = openTestClock();
    const log = opened({ clock });
    const lines = () => readFileSync(path(), "utf8").split("\n").length - 1;
    log.append(answer());
    await clock.advance(25);
    log.append(answer());
    expect([lines(), clock.due()]).toEqual([0, [25]]);
    await clock.advance(25);
    expect([lines(), clock.due()]).toEqual([2, []]);
    log.append(answer());
    await clock.advance(50);
    expect(lines()).toBe(3);
    log.append(answer());
    log.flush();
    expect([lines(), clock.due()]).toEqual([4, []]);
    log.close();
  });

  it("refers in each invocation to the messages of this invocation alone", () => {
    const messages = [{ role: "user", content: "long ".repeat(100) }] as const;
    const ask = { type: "prompt", task: "t", request: 0, role: "model", model: "m", stage: "s", messages } as const;
    const refs = [0, 1].map(() => {
      const log = opened();
      const before = log.end().bytes;
      log.append(ask);
      log.close();
      const [line] = readFileSync(path(), "utf8").slice(before).split("\n");
      return [before, (JSON.parse(line!) as { ref: string }).ref];
    });
    expect(refs).toEqual([
      [0, "0.0"],
      [refs[1]![0], `${refs[1]![0]}.0`],
    ]);
  });

  it("writes what is pending when its program ends, although nobody closes it", () => {
    const file = pathToFileURL(join(import.meta.dirname, "../../../source/engine/log/file/log.ts")).href;
    const script = `const { Log } = await import(${JSON.stringify(file)});
      new Log(${JSON.stringify(path())}).append(${JSON.stringify(answer("at the end"))});
      process.exit();`;
    execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", script]);
    expect(readFileSync(path(), "utf8")).toContain("at the end");
  });

  it("is closed once, without timers, and then writes and syncs nothing", async () => {
    const clock = openTestClock();
    const files: number[] = [];
    const done: ((error: Error | null) => void)[] = [];
    const log = opened({ clock, sync: (file, then) => void (files.push(file), done.push(then)) });
    log.append(scored);
    expect(clock.due()).toEqual([50, 500]);
    await clock.advance(499);
    expect([files.length, size() > 0]).toEqual([0, true]);
    await clock.advance(1);
    expect(files).toHaveLength(1);
    log.append(scored);
    log.close();
    expect(clock.due()).toEqual([]);
    expect(() => fstatSync(files[0]!)).toThrow("EBADF");
    // A disk that reports an error afterwards is too late: closing has synced the log.
    done[0]!(new Error("late"));
    expect(log.broken).toBe(false);
    log.close();
    log.keep();
    log.look();
    expect([log.broken, readLog(path(), () => {}).lastSeq]).toEqual([false, 1]);
  });
});

it.skipIf(!existsSync("/proc/self/fd"))(
  "a closed log leaves no file open, neither its own nor that of its index",
  () => {
    const files = () => readdirSync("/proc/self/fd").length;
    const before = files();
    for (let time = 0; time < 3; time++) {
      const log = opened({ index: new LogIndex(indexPath()), clock: openTestClock() });
      log.append(answer());
      log.close();
    }
    expect(files()).toBe(before);
  },
);

describe("a log that cannot be written", () => {
  it.each([
    [{ code: "ENOSPC" }, "The disk is full: could not write to"],
    [{ code: "EDQUOT" }, "The disk is full: could not write to"],
    [{ code: "EIO" }, "broken: could not write to"],
  ])("reports the error %j of the disk with the next event", async (code, message) => {
    const clock = openTestClock();
    const log = opened({ clock, sync: (_, done) => done(Object.assign(new Error("broken"), code)) });
    log.append(scored);
    await clock.advance(500);
    expect(log.broken).toBe(true);
    expect(() => log.append(answer())).toThrow(message);
    // Nothing more is synced, and the first error counts.
    await clock.advance(1000);
    expect(() => log.append(answer())).toThrow(message);
    log.close();
  });

  it("writes nothing if another program holds the folder, and leaves the index to that program", () => {
    let isHeld = false;
    const check = () => {
      if (isHeld) throw new Problem("tool", "held");
    };
    const index = new LogIndex(indexPath());
    const log = opened({ check, index, clock: openTestClock() });
    log.append(answer());
    log.flush();
    const before = size();
    isHeld = true;
    log.flush();
    expect(log.broken).toBe(false);
    log.close();
    expect(LogIndex.read(indexPath()).end).toBe(0);
    isHeld = false;
    const again = opened({ check, clock: openTestClock() });
    again.append(answer());
    isHeld = true;
    expect(() => again.flush()).toThrow("held");
    expect([again.broken, size()]).toEqual([true, before]);
    expect(() => again.append(answer())).toThrow("held");
    again.close();
  });

  it("is not synced if it could not be written", async () => {
    const clock = openTestClock();
    let syncs = 0;
    const check = () => {
      throw new Problem("tool", "held");
    };
    const log = opened({ check, clock, sync: () => void (syncs += 1) });
    log.append(scored);
    await clock.advance(500);
    expect([log.broken, syncs, clock.due()]).toEqual([true, 0, []]);
    log.close();
  });

  it("takes no more events after its file was removed or replaced", () => {
    const log = opened({ clock: openTestClock() });
    log.append(answer());
    log.look();
    log.keep();
    expect([log.broken, size() > 0]).toEqual([false, true]);
    rmSync(path());
    log.look();
    log.look();
    expect(log.broken).toBe(true);
    expect(() => log.append(answer())).toThrow("was removed, so this run can no longer be saved");
    log.close();
  });
});
