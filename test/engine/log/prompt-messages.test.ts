/** How a log writes a message: in full, or as a reference to an earlier one. */
import { describe, expect, it } from "vitest";
import { PromptHistory } from "../../../source/engine/log/prompt-history.ts";
import type { Event, Message, TaskEvent } from "../../../source/engine/types.ts";

const long = "a text of more than twenty characters";
const event = (made: object) => ({ task: "t", seq: 0, at: 0, ...made }) as unknown as Event;
const prompt = (request: number, messages: readonly Message[], more: object = {}) =>
  event({ type: "prompt", request, role: "model", model: "m", stage: "s", messages, ...more }) as Extract<
    TaskEvent,
    { type: "prompt" }
  >;
const text = (request: number, said: string) => event({ type: "text", request, text: said });
const call = (id: string) => ({ id, name: "look", text: "{}", arguments: {} });
const user = (content: string): Message => ({ role: "user", content });
const assistant = (content: string, more: object = {}): Message => ({ role: "assistant", content, ...more }) as Message;
const tools = (name: string) => [{ name, description: "", parameters: {} }];

function after(...events: readonly Event[]) {
  const history = new PromptHistory();
  for (const each of events) history.take(each);
  return history.of("t");
}

describe("the beginning of a prompt", () => {
  it("is the part that the prompt shares with the last prompt of the same role", () => {
    const asked = prompt(3, [user("one"), assistant("two"), user("three")]);
    const common = (messages: readonly Message[], more: object = {}) => after(asked).common(prompt(4, messages, more));
    expect(common([user("one"), assistant("two"), user("four")])).toEqual({ request: 3, messages: 2 });
    expect(common([user("one"), assistant("two"), user("three"), user("more")])).toEqual({ request: 3, messages: 3 });
    expect(common([user("one")])).toEqual({ request: 3, messages: 1 });
    expect(common([user("other")])).toBeUndefined();
    expect(common([])).toBeUndefined();
    expect(common([user("one")], { role: "judge" })).toBeUndefined();
    expect(after().common(asked)).toBeUndefined();
    // A text that is continued also counts as a beginning.
    expect(common([user("one more")])).toEqual({ request: 3, messages: 0 });
    expect(common([{ role: "system", content: "one more" }])).toBeUndefined();
    expect(common([assistant("one more")])).toBeUndefined();
  });

  it("is compared by calls and thinking, not by texts alone", () => {
    const called = assistant("two", { calls: [call("a")] });
    const history = after(prompt(0, [called]));
    expect(history.common(prompt(1, [assistant("two", { calls: [call("a")] })]))).toEqual({ request: 0, messages: 1 });
    expect(history.common(prompt(1, [assistant("two", { calls: [call("b")] })]))).toBeUndefined();
    expect(history.common(prompt(1, [assistant("two")]))).toBeUndefined();
  });

  it("reports whether two prompts have the same tools", () => {
    const history = after(prompt(0, [user("one")], { tools: tools("a") }));
    const common = (messages: readonly Message[], given?: unknown) =>
      history.common(prompt(1, messages, { tools: given }));
    expect(common([user("one")], tools("a"))).toEqual({ request: 0, messages: 1, tools: true });
    expect(common([user("x")], tools("a"))).toEqual({ request: 0, messages: 0, tools: true });
    expect(common([user("one")], tools("b"))).toEqual({ request: 0, messages: 1 });
    expect(common([user("one")], [...tools("a"), ...tools("b")])).toEqual({ request: 0, messages: 1 });
    expect(common([user("one")])).toEqual({ request: 0, messages: 1 });
    expect(after(prompt(0, [user("x")])).common(prompt(1, [user("y")], { tools: tools("a") }))).toBeUndefined();
    // Two lists may share a tool and differ in another.
    const [shared, one, other] = ["a", "b", "c"].map((name) => tools(name)[0]!);
    const two = after(prompt(0, [user("x")], { tools: [shared, one] }));
    expect(two.common(prompt(1, [user("x")], { tools: [shared, other] }))).toEqual({ request: 0, messages: 1 });
    expect(two.common(prompt(1, [user("x")], { tools: [shared, one] }))).toMatchObject({ tools: true });
  });

  it("is restored from the last prompt of the role, if the log refers to that prompt", () => {
    const messages = [user("one"), user("two")];
    const history = after(prompt(0, messages, { tools: tools("a") }), prompt(7, [user("j")], { role: "judge" }));
    expect(history.begun("model", { request: 0, messages: 1 })).toEqual({ messages: [user("one")], tools: undefined });
    expect(history.begun("model", { request: 0, messages: 2, tools: true })).toEqual({ messages, tools: tools("a") });
    expect([
      history.begun("model", { request: 1, messages: 1 }),
      history.begun("actor", { request: 0, messages: 1 }),
    ]).toEqual([undefined, undefined]);
  });
});

describe("a message in a log", () => {
  const brief = (message: Message, at: number | undefined, ...events: readonly Event[]) => {
    const history = after(...events);
    const written = history.brief(message, "model", at);
    // Every written form can be read again.
    expect(history.whole(written, "model", at)).toEqual(message);
    return written;
  };

  it("refers to the reply that it repeats, including that reply's calls and thinking", () => {
    expect(brief(assistant(long), undefined, text(2, long))).toEqual({ role: "assistant", reply: 2 });
    expect(brief(assistant(long), undefined, text(2, long.slice(0, 5)), text(2, long.slice(5)))).toEqual({
      role: "assistant",
      reply: 2,
    });
    expect(brief(user(long), undefined, text(2, long))).toEqual({ role: "user", reply: 2 });
    const called = event({ type: "call", request: 2, call: call("a") });
    expect(brief(assistant(long, { calls: [call("a")] }), undefined, text(2, long), called)).toEqual({
      role: "assistant",
      reply: 2,
    });
    expect(brief(assistant(long), undefined, text(2, long), called)).toEqual(assistant(long));
    const thought = event({ type: "thinking", request: 2, text: "hm", field: "reasoning" });
    const thinking = { text: "hm", field: "reasoning" };
    expect(brief(assistant(long, { thinking }), undefined, thought, text(2, long))).toEqual({
      role: "assistant",
      reply: 2,
      thinking: true,
    });
    expect(brief(assistant(long), undefined, thought, text(2, long))).toEqual({ role: "assistant", reply: 2 });
    // Without text, calls alone are a reply.
    expect(brief(assistant("", { calls: [call("a")] }), undefined, called)).toEqual({ role: "assistant", reply: 2 });
  });

  it("is written in full if the message is short, unknown, or older than the last four replies", () => {
    expect(brief(assistant("x".repeat(19)), undefined, text(0, "x".repeat(19)))).toEqual(assistant("x".repeat(19)));
    expect(brief(assistant("x".repeat(20)), undefined, text(0, "x".repeat(20)))).toEqual({
      role: "assistant",
      reply: 0,
    });
    expect(brief(assistant(long), undefined, text(0, `${long}!`))).toEqual(assistant(long));
    const later = (count: number) => Array.from({ length: count }, (_, at) => text(at + 1, `${at}`));
    expect(brief(assistant(long), undefined, text(0, long), ...later(3))).toEqual({ role: "assistant", reply: 0 });
    expect(brief(assistant(long), undefined, text(0, long), ...later(4))).toEqual(assistant(long));
  });

  it("refers to the result of a call if the message repeats this result", () => {
    const result = event({ type: "result", callId: "a", name: "look", result: { ok: true, observation: long } });
    const tool = (content: string, callId = "a"): Message => ({ role: "tool", callId, content });
    expect(brief(tool(long), undefined, result)).toEqual({ role: "tool", result: "a" });
    expect(brief(tool(`${long}!`), undefined, result)).toEqual(tool(`${long}!`));
    expect(brief(tool(long, "b"), undefined, result, text(0, long))).toEqual(tool(long, "b"));
  });

  it("refers to the message at the same position in the last prompt if it extends that message", () => {
    const asked = prompt(0, [user("first"), user(long)]);
    expect(brief(user(`${long} and more`), 1, asked)).toEqual({ role: "user", more: " and more" });
    expect(brief(user(`${long} and more`), 0, asked)).toEqual(user(`${long} and more`));
    expect(brief(user(`${long} and more`), undefined, asked)).toEqual(user(`${long} and more`));
    expect(brief(user(long), 1, prompt(0, [user("x"), user("")]))).toEqual(user(long));
    expect(brief({ role: "system", content: `${long}!` }, 1, asked)).toEqual({ role: "system", content: `${long}!` });
  });

  it("refers to the final attempt of a reply; earlier attempts are void", () => {
    const retry = event({ type: "retry", request: 2 });
    expect(brief(assistant(long), undefined, text(2, "spoilt "), retry, text(2, long))).toEqual({
      role: "assistant",
      reply: 2,
    });
    // Text that turned out to be thinking is not part of the reply.
    const turned = event({ type: "thinking", request: 2, text: " b", textBefore: true });
    const thinking = { text: "a b" };
    expect(brief(assistant(long, { thinking }), undefined, text(2, "a"), turned, text(2, long))).toEqual({
      role: "assistant",
      reply: 2,
      thinking: true,
    });
  });

  it("cannot be restored if it refers to an unknown message", () => {
    const history = after();
    expect(history.whole({ role: "assistant", reply: 1 }, "model", 0)).toBeUndefined();
    expect(history.whole({ role: "tool", result: "a" }, "model", 0)).toBeUndefined();
    expect(history.whole({ role: "user", more: "x" }, "model", 0)).toBeUndefined();
    expect(history.whole({ role: "user", more: "x" }, "model", undefined)).toBeUndefined();
  });
});

describe("the history of prompts in a run", () => {
  it("forgets a task when it begins or ends, and all tasks when the run begins", () => {
    const known = (...events: readonly Event[]) =>
      after(prompt(0, [user("one")]), ...events).begun("model", { request: 0, messages: 1 }) !== undefined;
    expect(known()).toBe(true);
    for (const type of ["started", "scored", "failed"]) expect(known(event({ type })), type).toBe(false);
    for (const type of ["started", "scored", "failed"]) expect(known(event({ type, task: "other" }))).toBe(true);
    expect(known(event({ type: "run-started" }))).toBe(false);
    for (const type of ["run-ended", "shipment-refused", "answer", "usage"]) expect(known(event({ type }))).toBe(true);
  });
});
