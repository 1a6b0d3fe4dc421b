/** What the log writes for a message that was sent before, and which messages it forgets once their tasks have ended. */
import { describe, expect, it } from "vitest";
import { contentOf, LogEncoder } from "../../../source/engine/log/file/log-codec.ts";
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

  it("are all forgotten if the last message alone is longer than the limit", () => {
    const { sent, forgotten } = encoding();
    sent("a", text("a"));
    sent("b", text("b"));
    sent("c", text("c", 2 * million + 1));
    expect([...forgotten("a"), ...forgotten("b")]).toEqual([]);
    expect(forgotten("c")).toEqual(["1.0", "1.1", "1.2"]);
  });
});
