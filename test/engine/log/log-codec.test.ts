/** What the log writes for a message that was sent before, and which messages it forgets once their tasks have ended. */
import { describe, expect, it } from "vitest";
import { contentOf, LogDecoder, LogEncoder } from "../../../source/engine/log/file/log-codec.ts";
import type { Event, Message } from "../../../source/engine/types.ts";

const user = (content: string): Message => ({ role: "user", content });
const stopped = (task: string) =>
  ({ seq: 0, at: 0, type: "failed", task, failure: { kind: "stopped", message: "" } }) as Event;
const million = 1024 * 1024;

/** Encodes prompts of one message and ends of tasks; returns how a prompt refers to its message, and what an end forgets. */
function encoding() {
  const encoder = new LogEncoder("1");
  const sent = (task: string, message: Message) => {
    const event = { seq: 0, at: 0, type: "prompt", task, request: 0, role: "model", model: "m", stage: "s" } as const;
    const lines = encoder.encode({ ...event, messages: [message] } as Event);
    const [written] = JSON.parse(lines.at(-1)!.text).messages;
    return { lines: lines.length, ref: written.ref as string | undefined, written };
  };
  const forgotten = (task: string) =>
    encoder.encode(stopped(task)).flatMap(({ text }) => {
      const { type, ref } = JSON.parse(text);
      return type === "content" ? [ref as string] : [];
    });
  return { sent, forgotten };
}

describe("a message in the log", () => {
  it("is written in full up to 119 characters each time a prompt contains it, and as a reference from 120 characters on", () => {
    const { sent } = encoding();
    expect(sent("a", user("x".repeat(119)))).toMatchObject({ lines: 1, written: { content: "x".repeat(119) } });
    expect(sent("b", user("x".repeat(120)))).toEqual({ lines: 2, ref: "1.0", written: { ref: "1.0" } });
    expect(sent("c", user("x".repeat(120)))).toEqual({ lines: 1, ref: "1.0", written: { ref: "1.0" } });
    expect(sent("d", user("y".repeat(120))).ref).toBe("1.1");
  });

  it("gets a reference of its own if the role or the calls of the message differ", () => {
    const { sent } = encoding();
    const content = "x".repeat(200);
    const messages: readonly Message[] = [
      user(content),
      { role: "system", content },
      { role: "tool", callId: "a", content },
      { role: "assistant", content, calls: [{ id: "a", name: "f", text: "{}", arguments: {} }] },
      { role: "assistant", content },
    ];
    const refs = messages.map((message, index) => sent(`${index}`, message).ref);
    expect(refs).toEqual(["1.0", "1.1", "1.2", "1.3", "1.4"]);
    expect(messages.map((message, index) => sent(`again ${index}`, message).ref)).toEqual(refs);
  });

  it("is read from a line of type `content` with a message, and from no other line", () => {
    const message = user("x".repeat(200));
    expect(contentOf(JSON.stringify({ type: "content", ref: "1.0", message }))).toEqual(message);
    expect(contentOf(JSON.stringify({ type: "content", ref: "1.0" }))).toBeUndefined();
    expect(contentOf(JSON.stringify(stopped("a")))).toBeUndefined();
    expect(contentOf("{")).toBeUndefined();
    expect(contentOf("7")).toBeUndefined();
  });
});

describe("messages of ended tasks", () => {
  const text = (letter: string, size = million) => user(letter.repeat(size));

  it("are remembered up to 2 Mi characters in total; beyond that the oldest message is forgotten first", () => {
    const { sent, forgotten } = encoding();
    for (const task of ["a", "b", "c", "d"]) sent(task, text(task));
    expect(forgotten("a")).toEqual([]);
    expect(forgotten("b")).toEqual([]);
    expect(forgotten("c")).toEqual(["1.0"]);
    expect(forgotten("d")).toEqual(["1.1"]);
    expect([sent("e", text("c")).ref, sent("f", text("a")).ref]).toEqual(["1.2", "1.4"]);
  });

  it("count towards the total only if no current task uses them, and count once if several tasks used them", () => {
    const { sent, forgotten } = encoding();
    sent("a", text("a"));
    sent("also a", text("a"));
    expect(forgotten("a")).toEqual([]);
    sent("b", text("b"));
    sent("c", text("c"));
    // `a` is in use, so two messages are idle.
    expect([...forgotten("b"), ...forgotten("c")]).toEqual([]);
    // Now three are idle, `b` for the longest time.
    expect(forgotten("also a")).toEqual(["1.1"]);
    expect(sent("d", text("a")).ref).toBe("1.0");
    sent("e", text("e"));
    expect(forgotten("e")).toEqual([]);
    expect(forgotten("d")).toEqual(["1.2"]);
  });

  it("count once for a task that ends twice", () => {
    const { sent, forgotten } = encoding();
    const message = user("x".repeat(1.5 * million));
    sent("a", message);
    expect([forgotten("a"), forgotten("a"), sent("b", message).ref]).toEqual([[], [], "1.0"]);
  });

  it("are all forgotten if the last message alone is longer than the limit", () => {
    const { sent, forgotten } = encoding();
    sent("a", text("a"));
    sent("b", text("b"));
    sent("c", text("c", 2 * million + 1));
    expect([...forgotten("a"), ...forgotten("b")]).toEqual([]);
    expect(forgotten("c")).toEqual(["1.0", "1.1", "1.2"]);
  });
});

describe("a prompt in the log", () => {
  const text = (of: string) => of.repeat(30);
  const tools = (name: string) => [{ name, description: "", parameters: { type: "object" } }];
  const event = (type: string, request: number, more: object) =>
    ({ seq: 0, at: 0, task: "t", type, request, ...more }) as Event;
  const prompt = (request: number, messages: readonly Message[], more = {}) =>
    event("prompt", request, { role: "model", model: "m", stage: "s", messages, ...more });

  /** The last line of each event; a decoder reads the very events of all lines. */
  function lines(...events: readonly Event[]) {
    const [encoder, decoder] = [new LogEncoder("1"), new LogDecoder()];
    const encoded = events.map((each) => encoder.encode(each).map((line) => line.text));
    const read = encoded.flat().flatMap((line) => decoder.decode(line).event ?? []);
    expect(read).toEqual(events);
    return encoded.map((own) => JSON.parse(own.at(-1)!));
  }

  it("contains the functions it offers, or names the earlier prompt that offered the same", () => {
    const said = [user("Go")];
    const [first, same, other, none] = lines(
      prompt(0, said, { tools: tools("look") }),
      prompt(1, said, { tools: tools("look") }),
      prompt(2, said, { tools: tools("find") }),
      prompt(3, said),
    );
    expect(first).toMatchObject({ tools: tools("look"), messages: said });
    expect(first).not.toHaveProperty("after");
    expect(same).toMatchObject({ after: { request: 0, messages: 1, tools: true }, messages: [] });
    expect(same).not.toHaveProperty("tools");
    expect(other).toMatchObject({ after: { request: 1, messages: 1 }, tools: tools("find") });
    expect(none).toMatchObject({ after: { request: 2, messages: 1 } });
    expect(none).not.toHaveProperty("tools");
  });

  it("contains only the new end of messages that extend those at their positions", () => {
    const [a, b, c] = ["a", "b", "c"].map((of) => user(text(of)));
    const longer = (message: Message) => user(`${message.content} more`);
    const [, third, first] = lines(
      prompt(0, [a!, b!, c!]),
      prompt(1, [a!, user("new"), longer(c!)]),
      prompt(2, [longer(a!), user("other")]),
    );
    expect(third).toMatchObject({
      after: { request: 0, messages: 1 },
      messages: [user("new"), { role: "user", more: " more" }],
    });
    expect(first).toMatchObject({
      after: { request: 1, messages: 0 },
      messages: [{ role: "user", more: " more" }, user("other")],
    });
  });

  it("names the oldest of the last four replies with the text of a message, from 20 characters on", () => {
    const reply = (request: number, said: string) => event("text", request, { text: said });
    const asked = (...events: readonly Event[]) => lines(...events).at(-1).messages;
    const [short, long] = ["x".repeat(19), "x".repeat(20)];
    expect(asked(reply(0, short), prompt(9, [user(short)]))).toEqual([user(short)]);
    expect(asked(reply(0, long), prompt(9, [user(long)]))).toEqual([{ role: "user", reply: 0 }]);
    const others = [1, 2, 3, 4].map((request) => reply(request, `${long} ${request}`));
    expect(asked(reply(0, long), ...others.slice(0, 3), prompt(9, [user(long)]))).toEqual([{ role: "user", reply: 0 }]);
    expect(asked(reply(0, long), ...others, prompt(9, [user(long)]))).toEqual([user(long)]);
    expect(asked(reply(0, long), reply(1, long), prompt(9, [user(long)]))).toEqual([{ role: "user", reply: 0 }]);
  });

  it("cannot refer to messages of an earlier invocation once a later invocation has written its own", () => {
    const decoder = new LogDecoder();
    const content = (ref: string) => decoder.decode(JSON.stringify({ type: "content", ref, message: user(ref) }));
    const asked = (ref: string) => decoder.decode(JSON.stringify({ ...prompt(0, []), messages: [{ ref }] })).event;
    content("1.0");
    content("1.1");
    expect([asked("1.0"), asked("1.1")]).toMatchObject([{ messages: [user("1.0")] }, { messages: [user("1.1")] }]);
    content("2.0");
    expect(asked("2.0")).toMatchObject({ messages: [user("2.0")] });
    expect(decoder.missing).toBe(0);
    asked("1.1");
    expect(decoder.missing).toBe(1);
  });
});
