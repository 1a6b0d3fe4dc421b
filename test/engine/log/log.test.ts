import {
  existsSync,
  appendFileSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTask } from "../../../source/engine/log/file/indexed-log.ts";
import { LogDecoder } from "../../../source/engine/log/file/log-codec.ts";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { Log } from "../../../source/engine/log/file/log.ts";
import { openTestClock } from "../work/test-clock.ts";
import type { Event, Message } from "../../../source/engine/types.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "planwright-log-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, "run", "events.jsonl");
const long = "a catalogue of many apps ".repeat(40);
const prompt = (request: number, messages: readonly Message[]) =>
  ({ type: "prompt", task: "t", request, role: "model", model: "m", stage: "plan", messages }) as const;

function read(): Event[] {
  const events: Event[] = [];
  readLog(path(), (event) => events.push(event));
  return events;
}

describe("the log of a run", () => {
  test("returns appended events in order, also after the log is closed and opened again", () => {
    const first = new Log(path());
    first.append({ type: "started", task: "t", facets: { days: 3 }, question: "Why?\n\u0000" });
    first.close();
    const second = new Log(
      path(),
      readLog(path(), () => {}),
    );
    second.append({ type: "answer", task: "t", answer: { plan: [1] } });
    second.close();
    expect(read().map(({ seq, type }) => [seq, type])).toEqual([
      [0, "started"],
      [1, "answer"],
    ]);
    expect(read()[0]).toMatchObject({ question: "Why?\n\u0000", facets: { days: 3 } });
  });

  test("writes a long message once, even if the message is sent repeatedly", () => {
    const log = new Log(path());
    const system = { role: "system", content: long } as const;
    for (let request = 0; request < 50; request++)
      log.append(prompt(request, [system, { role: "user", content: `question ${request}` }]));
    log.close();
    expect(readFileSync(path(), "utf8").split(long)).toHaveLength(2);
    expect(read().at(-1)).toMatchObject({ messages: [system, { role: "user", content: "question 49" }] });
  });

  test("separates identical texts of two tools, and their arguments", () => {
    const log = new Log(path());
    const call = (id: string) => ({ id, name: "look_up", text: "{}", arguments: {} });
    const messages: readonly Message[] = [
      { role: "assistant", content: long, calls: [call("a")] },
      { role: "tool", callId: "a", content: long },
      { role: "assistant", content: long, calls: [call("b")] },
      { role: "tool", callId: "b", content: long },
      { role: "assistant", content: long },
    ];
    log.append(prompt(0, messages));
    log.close();
    expect(read()[0]).toMatchObject({ messages });
  });

  test("separates a message with calls from a message whose text is equal JSON", () => {
    const log = new Log(path());
    const called: Message = {
      role: "assistant",
      content: long,
      calls: [{ id: "a", name: "look_up", text: "{}", arguments: {} }],
    };
    const told: Message = { role: "assistant", content: JSON.stringify(called) };
    log.append(prompt(0, [called]));
    log.append(prompt(1, [told]));
    log.append(prompt(2, [called, told]));
    log.close();
    expect(read().map((event) => event.type === "prompt" && event.messages)).toEqual([
      [called],
      [told],
      [called, told],
    ]);
  });

  test("forgets the messages of ended tasks, except messages that other tasks use", () => {
    const log = new Log(path());
    const system = { role: "system", content: long } as const;
    const own = (task: number) => ({ role: "user", content: `${task} `.repeat(40_000) }) as const;
    for (let task = 0; task < 60; task++) {
      log.append({ ...prompt(0, [system, own(task)]), task: `t${task}` });
      log.append({ ...prompt(1, [system, own(task)]), task: `t${task}` });
      log.append({ type: "failed", task: `t${task}`, failure: { kind: "stopped", message: "Stopped" } });
    }
    log.close();
    const written = readFileSync(path(), "utf8");
    // About 7 MB of messages went by; the first of them are forgotten, the shared one was written once.
    expect(written.match(/"ref":"[^"]+"}\n/g)!.length).toBeGreaterThan(20);
    expect(written.split(long)).toHaveLength(2);
    const prompts = read().filter(({ type }) => type === "prompt");
    expect(prompts.map((event) => event.type === "prompt" && event.messages)).toEqual(
      Array.from({ length: 120 }, (_, index) => [system, own(Math.floor(index / 2))]),
    );
  });

  test("keeps the references of several invocations separate", () => {
    for (const words of ["first ", "second "]) {
      const log = new Log(
        path(),
        readLog(path(), () => {}),
      );
      log.append(prompt(0, [{ role: "user", content: words.repeat(60) }]));
      log.close();
    }
    const contents = read().map((event) => (event.type === "prompt" ? event.messages[0]!.content.slice(0, 6) : ""));
    expect(contents).toEqual(["first ", "second"]);
  });

  test("drops an incomplete last line, and appends after the last complete line", () => {
    const log = new Log(path());
    log.append({ type: "answer", task: "t", answer: "whole" });
    log.close();
    appendFileSync(path(), '{"seq":1,"at":2,"task":"t","type":"ans');
    const end = readLog(path(), () => {});
    expect(end.torn).toBe(true);
    const again = new Log(path(), end);
    again.append({ type: "answer", task: "t", answer: "after" });
    again.close();
    expect(read().map((event) => (event.type === "answer" ? event.answer : ""))).toEqual(["whole", "after"]);
  });

  test("counts a damaged line in the middle and continues", () => {
    const log = new Log(path());
    log.append({ type: "answer", task: "t", answer: 1 });
    log.close();
    appendFileSync(path(), "rubbish\n");
    const more = new Log(
      path(),
      readLog(path(), () => {}),
    );
    more.append({ type: "answer", task: "t", answer: 2 });
    more.close();
    expect(readLog(path(), () => {}).damage.unreadable).toBe(1);
    expect(read()).toHaveLength(2);
  });

  test("counts missing sequence numbers, except those of damaged lines", () => {
    const line = (seq: number) => `${JSON.stringify({ seq, at: 0, task: "t", type: "answer", answer: seq })}\n`;
    const damage = (...lines: readonly string[]) => {
      mkdirSync(join(folder, "run"), { recursive: true });
      writeFileSync(path(), lines.join(""));
      return readLog(path(), () => {});
    };
    expect(damage(line(0), line(1))).toMatchObject({ lastSeq: 1, torn: false, damage: { missing: 0, unreadable: 0 } });
    expect(damage(line(0), line(4)).damage).toMatchObject({ missing: 3, unreadable: 0 });
    expect(damage(line(0), "rubbish\n", line(4)).damage).toMatchObject({ missing: 2, unreadable: 1 });
    expect(damage(line(0), "rubbish\n", "more\n", line(2)).damage).toMatchObject({ missing: 0, unreadable: 2 });
    expect(damage(line(0), line(1), line(1)).damage).toMatchObject({ missing: 0, doubled: 1, crossed: 0 });
    expect(damage(line(0), line(5), line(1)).damage).toMatchObject({ missing: 4, doubled: 0, crossed: 1 });
    expect(damage(line(0), "\n", line(1)).damage).toMatchObject({ missing: 0, unreadable: 0 });
    expect(damage(`\uFEFF${line(0)}`, line(1)).damage).toMatchObject({ mark: true, unreadable: 0 });
    expect(damage(line(0), `\uFEFF${line(1)}`).damage).toMatchObject({ unreadable: 1 });
  });

  test("counts each unknown message that a line refers to once", () => {
    const refers = (seq: number) => `${JSON.stringify({ seq, at: 0, ...prompt(0, []), messages: [{ ref: "9.9" }] })}\n`;
    mkdirSync(join(folder, "run"), { recursive: true });
    writeFileSync(path(), refers(0));
    const decoder = new LogDecoder();
    const first = readLog(path(), () => {}, { decoder });
    expect(first.damage.missing).toBe(1);
    appendFileSync(path(), refers(1));
    expect(readLog(path(), () => {}, { decoder, after: first }).damage.missing).toBe(1);
  });

  test("finds one task's events without reading other tasks' events", () => {
    const log = new Log(path());
    for (const task of ["a", "b", 'quote"d', "a"]) log.append({ type: "answer", task, answer: task });
    log.append(prompt(0, [{ role: "user", content: long }]));
    log.close();
    expect(readTask(path(), "a")).toHaveLength(2);
    expect(readTask(path(), 'quote"d')).toHaveLength(1);
    expect(readTask(path(), "t")[0]).toMatchObject({ messages: [{ content: long }] });
  });

  test("reports a forgotten message as missing if a later line refers to it", () => {
    const decoder = new LogDecoder();
    const message = { role: "user", content: long };
    const refers = JSON.stringify({ seq: 0, at: 0, ...prompt(0, []), messages: [{ ref: "1.0" }] });
    decoder.decode(JSON.stringify({ type: "content", ref: "1.0", message }));
    expect(decoder.decode(refers).event).toMatchObject({ messages: [message] });
    decoder.decode(JSON.stringify({ type: "content", ref: "1.0" }));
    decoder.decode(refers);
    expect(decoder.missing).toBe(1);
  });

  test("rejects events after it is closed", () => {
    const log = new Log(path());
    log.close();
    expect(() => log.append({ type: "answer", task: "t", answer: 1 })).toThrow("to be open");
  });
});

describe("the log after a power failure", () => {
  const scored = { task: "t", type: "scored", score: { value: 1, metrics: {}, checks: [], errors: [] } } as const;
  const counting = () => {
    const clock = openTestClock();
    const syncs: number[] = [];
    const sync = (file: number, done: (error: Error | null) => void) => {
      syncs.push(fstatSync(file).size);
      done(null);
    };
    return { clock, syncs, log: new Log(path(), undefined, { clock, sync }) };
  };

  test("is complete up to half a second after a task was scored, and syncs twice a second for any number of tasks", async () => {
    const { clock, syncs, log } = counting();
    for (let moment = 0; moment < 100; moment++) {
      log.append({ ...scored, task: `t${moment}`, suiteRevision: 1 });
      await clock.advance(20);
    }
    await clock.advance(500);
    expect(syncs).toHaveLength(4);
    expect(syncs.at(-1)).toBe(statSync(path()).size);
    expect(read()).toHaveLength(100);
    await clock.advance(10_000);
    expect(syncs).toHaveLength(4);
    log.close();
  });

  test("syncs nothing if nothing is scored", async () => {
    const { clock, syncs, log } = counting();
    log.append({ type: "answer", task: "t", answer: 1 });
    await clock.advance(10_000);
    expect(syncs).toEqual([]);
    log.close();
  });

  test("reports that the disk cannot sync it", async () => {
    const clock = openTestClock();
    const log = new Log(path(), undefined, { clock, sync: (_, done) => done(new Error("EIO: i/o error")) });
    log.append({ ...scored, suiteRevision: 1 });
    await clock.advance(1000);
    expect(() => log.append({ ...scored, suiteRevision: 1 })).toThrow("EIO: i/o error: could not write to");
    log.close();
  });
});

test("a line of more than 4 MB is written at once, and any other with the next frame, 50 ms later", async () => {
  const clock = openTestClock();
  const written = (length: number) => {
    const log = new Log(join(folder, String(length)), undefined, { clock });
    log.append({ type: "answer", task: "t", answer: "a".repeat(length) });
    return { log, bytes: () => statSync(log.path).size };
  };
  const none = written(0);
  await clock.advance(49);
  expect(none.bytes()).toBe(0);
  await clock.advance(1);
  const rest = 4 * 1024 * 1024 - (none.bytes() - 1);
  const [fitting, longer] = [written(rest), written(rest + 1)];
  expect([fitting.bytes(), longer.bytes()]).toEqual([0, 4 * 1024 * 1024 + 2]);
  await clock.advance(50);
  expect(fitting.bytes()).toBe(4 * 1024 * 1024 + 1);
  for (const { log } of [none, fitting, longer]) log.close();
});

test.skipIf(!existsSync("/dev/full"))(
  "a log on a full disk loses only the event, and reports the loss with the next event",
  async () => {
    const clock = openTestClock();
    const log = new Log("/dev/full", undefined, { clock });
    const event = { task: "a", type: "answer", answer: "x" } as const;
    log.append(event);
    await clock.advance(100);
    expect(() => log.append(event)).toThrow("The disk is full");
    expect(() => log.append(event)).toThrow("The disk is full");
  },
);
