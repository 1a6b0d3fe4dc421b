import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { replyMessage } from "../../../source/engine/run/turns.ts";
import { readTask } from "../../../source/engine/log/file/indexed-log.ts";
import { readLog } from "../../../source/engine/log/file/log-reader.ts";
import { unharmed } from "../../../source/engine/log/file/log-damage.ts";
import { Log } from "../../../source/engine/log/file/log.ts";
import type { Event, Message, Step, Thinking, ToolSpec } from "../../../source/engine/types.ts";

let folder: string;
let taken: Event[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-prompts-"));
  taken = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, "events.jsonl");
const opened = () =>
  new Log(
    path(),
    readLog(path(), () => {}),
    { take: (event) => taken.push(event) },
  );
const prompt = (request: number, messages: readonly Message[], more: object = {}) =>
  ({
    type: "prompt",
    request,
    role: "model",
    model: "lab/m",
    stage: "step",
    messages: [...messages],
    ...more,
  }) as const;

/** Expects the log to be complete and to contain the given events. */
function expectAll(): void {
  const read: Event[] = [];
  const { damage } = readLog(path(), (event) => read.push(event));
  expect(read).toEqual(taken);
  expect(read.map((event) => JSON.stringify(event))).toEqual(
    read.map((_, at) => JSON.stringify(sorted(taken[at]!, read[at]!))),
  );
  expect(damage).toEqual(unharmed);
  expect(readTask(path(), "t")).toEqual(taken.filter((event) => "task" in event && event.task === "t"));
}

/** A prompt's fields have the order of its line; the fields of its messages keep their own order. */
const sorted = (event: Event, like: Event) =>
  Object.fromEntries(Object.keys(like).map((key) => [key, (event as unknown as Record<string, unknown>)[key]]));

const tools: readonly ToolSpec[] = [{ name: "look", description: "looks ".repeat(50), parameters: { type: "object" } }];

/** An agent that calls a tool in every step, so its conversation grows. */
function agent(log: Log, steps: number, { words = 20, thinking }: { words?: number; thinking?: Thinking } = {}): void {
  const take = (step: Step) => log.append({ task: "t", ...step });
  log.append({ type: "started", task: "t", facets: {}, question: "Go" });
  const messages: Message[] = [
    { role: "system", content: "You are an agent. ".repeat(20) },
    { role: "user", content: "Go" },
  ];
  for (let request = 0; request < steps; request++) {
    take(prompt(request, messages, { tools: [...tools] }));
    if (thinking !== undefined) take({ type: "thinking", request, ...thinking });
    const text = `step ${request} ${"word ".repeat(words)}`;
    const call = { id: `call-${request}`, name: "look", text: `{"at":${request}}`, arguments: { at: request } };
    take({ type: "text", request, text: text.slice(0, 12) });
    take({ type: "text", request, text: text.slice(12) });
    take({ type: "call", request, call });
    take({ type: "usage", request, input: 100, output: 20, estimated: false });
    take({ type: "finish", request, reason: "tool_calls" });
    const observation = `seen ${request} ${"thing ".repeat(words)}`;
    take({ type: "result", callId: call.id, name: "look", result: { ok: true, observation, status: 200 } });
    messages.push(replyMessage({ text, calls: [call], thinking }), {
      role: "tool",
      callId: call.id,
      content: observation,
    });
  }
  log.append({ type: "answer", task: "t", answer: "done" });
}

describe("prompts in a log", () => {
  test("record only new messages: an agent's log grows linearly, not quadratically, with the agent's text", () => {
    const log = opened();
    agent(log, 300, { words: 45 });
    log.close();
    const text = taken.reduce(
      (sum, event) =>
        sum +
        (event.type === "text" ? event.text.length : event.type === "result" ? event.result.observation.length : 0),
      0,
    );
    expect(statSync(path()).size).toBeLessThan(2.8 * text);
    expectAll();
    const [line] = readFileSync(path(), "utf8")
      .split("\n")
      .filter((each) => each.includes('"request":299,"role"'));
    expect(JSON.parse(line!)).toMatchObject({
      after: { request: 298, messages: 598, tools: true },
      messages: [
        { role: "assistant", reply: 298 },
        { role: "tool", result: "call-298" },
      ],
    });
  });

  test("restore thinking only in the reply that it belongs to", () => {
    const log = opened();
    agent(log, 5, { thinking: { text: "let me see", field: "reasoning" } });
    log.append({ task: "t", ...prompt(9, [{ role: "assistant", content: "step 4 ".padEnd(200) }]) });
    log.close();
    expectAll();
    // Only the reply contains it: the prompts after it name the reply.
    expect(readFileSync(path(), "utf8").split("let me see")).toHaveLength(1 + 5);
  });

  test("record only the new end of a text that is sent whole every time", () => {
    const log = opened();
    let scratchpad = "Plan a journey. ".repeat(400);
    for (let request = 0; request < 100; request++) {
      scratchpad += `\nThought ${request}: go on`;
      log.append({ task: "t", ...prompt(request, [{ role: "user", content: scratchpad }]) });
    }
    log.close();
    expect(statSync(path()).size).toBeLessThan(3 * scratchpad.length + 100 * 250);
    expectAll();
  });

  test("are restored exactly if two roles alternate, replies are voided, or branches are abandoned", () => {
    const log = opened();
    const base: Message[] = [{ role: "system", content: "You plan. ".repeat(30) }];
    const take = (step: Step) => log.append({ task: "t", ...step });
    const long = (text: string) => `${text} `.repeat(40);
    take(prompt(0, base));
    take({ type: "text", request: 0, text: long("first try") });
    take({ type: "retry", request: 0, attempt: 1, status: 500, error: "no", wait: 0 });
    take({ type: "text", request: 0, text: long("second try") });
    const said: Message = { role: "user", content: long("second try") };
    take(prompt(1, [{ role: "system", content: "You respond." }, said], { role: "responder" }));
    take({ type: "thinking", request: 1, text: "hm", textBefore: true });
    take({ type: "text", request: 1, text: long("an answer") });
    take(
      prompt(2, [...base, replyMessage({ text: long("second try") }), { role: "user", content: long("an answer") }]),
    );
    take(prompt(3, [...base, { role: "user", content: long("another branch") }]));
    take(prompt(4, [{ role: "user", content: long("nothing in common") }], { tools }));
    take(prompt(5, [], { tools }));
    take(prompt(6, [{ role: "tool", callId: "none", content: long("of no call") }]));
    log.close();
    expectAll();
  });

  test("refer to no earlier message if another invocation restarted or continued the task", () => {
    const first = opened();
    agent(first, 3);
    first.close();
    const second = opened();
    agent(second, 3);
    agent(second, 3);
    second.append({
      type: "scored",
      task: "t",
      score: { value: 1, metrics: {}, checks: [], errors: [] },
      suiteRevision: 1,
    });
    second.append({ task: "t", ...prompt(0, [{ role: "user", content: "after the end ".repeat(20) }]) });
    second.close();
    expectAll();
  });

  test("report that the beginning of their conversation is missing", () => {
    const log = opened();
    agent(log, 3);
    log.close();
    const lines = readFileSync(path(), "utf8").split("\n");
    const read: Event[] = [];
    const kept = lines.filter((line) => !line.includes('"request":0,"role"')).join("\n");
    writeFileSync(path(), kept);
    const { damage } = readLog(path(), (event) => read.push(event));
    expect(damage.missing).toBeGreaterThan(1);
    const second = read.find((event) => event.type === "prompt");
    expect(second).toMatchObject({
      request: 1,
      messages: [{ content: "(this message is missing from the log)" }, {}, {}],
    });
  });
});
