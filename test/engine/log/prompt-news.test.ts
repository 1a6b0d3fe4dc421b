import { describe, expect, it } from "vitest";
import {
  messagesBefore,
  newsText,
  noMessages,
  type PromptNews,
  promptNews,
} from "../../../source/engine/log/prompt-news.ts";
import type { Entry } from "../../../source/engine/log/trajectory.ts";

const user = (content: string) => ({ role: "user", content }) as const;
/** Leaves out the whole message, which the request contains. */
const news = (...asked: Parameters<typeof promptNews>): Omit<PromptNews, "whole">[] =>
  promptNews(...asked).map(({ role, text, repeated }) => ({ role, text, repeated }));
const system = { role: "system", content: "You plan." } as const;

describe("the new part of a prompt", () => {
  it("is the whole prompt for the first prompt", () => {
    expect(news([system, user("Go")], [])).toEqual([
      { role: "system", text: "You plan.", repeated: 0 },
      { role: "user", text: "Go", repeated: 0 },
    ]);
  });

  it("is the added message, without text that was already shown when it arrived", () => {
    const before = [system, user("Go")];
    const reply = { role: "assistant", content: "Went" } as const;
    const result = { role: "tool", callId: "1", content: "there" } as const;
    expect(news([...before, reply, result, user("And now?")], before)).toEqual([
      { role: "user", text: "And now?", repeated: 0 },
    ]);
    expect(news([...before, reply, result], before)).toEqual([]);
  });

  it("contains only the lines that were inserted between earlier lines", () => {
    const prompt = (steps: readonly string[]) => user(["Tools:", "a", "b", ...steps, "Action:"].join("\n"));
    expect(news([prompt(["1: x", "2: y", "2: z"])], [prompt(["1: x"])])).toEqual([
      { role: "user", text: "2: y\n2: z", repeated: 5 },
    ]);
    expect(news([prompt(["1: x"])], [prompt(["1: x", "2: y"])])).toEqual([{ role: "user", text: "", repeated: 5 }]);
  });

  it("also contains the whole text of a new message", () => {
    expect(promptNews([user("a\nb")], [user("a")]).map(({ whole }) => whole)).toEqual(["a\nb"]);
  });

  it("counts each line once if lines repeat", () => {
    expect(news([user("a\na\na")], [user("a\na")])).toEqual([{ role: "user", text: "a", repeated: 2 }]);
  });

  it("is nothing if the request has fewer messages, or equal copies of them", () => {
    expect(news([system], [system, user("Go")])).toEqual([]);
    expect(news([{ ...system }, user("Go")], [{ ...system }])).toEqual([{ role: "user", text: "Go", repeated: 0 }]);
  });

  it("is the whole message if the message of another role at its position has the same text", () => {
    expect(news([user("You plan.")], [system])).toEqual([{ role: "user", text: "You plan.", repeated: 0 }]);
  });

  it("is found for each message by a comparison with the earlier message at its position", () => {
    const known = [system, user("one\nend"), user("two\nend")];
    expect(news([system, user("new\nend"), user("newer\nend")], known)).toEqual([
      { role: "user", text: "new", repeated: 1 },
      { role: "user", text: "newer", repeated: 1 },
    ]);
    expect(news([system, user("new\nend"), user("two\nend")], known)).toEqual([
      { role: "user", text: "new", repeated: 1 },
      { role: "user", text: "", repeated: 2 },
    ]);
  });

  it("omits text that both messages share at the start, at the end, or at both", () => {
    const between = (text: string, before: string) => news([user(text)], [user(before)])[0];
    expect(between("a\nx\nb", "a\ny\nb")).toEqual({ role: "user", text: "x", repeated: 2 });
    expect(between("x\ny\nz", "w\ny\nz")).toEqual({ role: "user", text: "x", repeated: 2 });
    expect(between("a\nx", "a\ny")).toEqual({ role: "user", text: "x", repeated: 1 });
    expect(between("x\nb", "y\nb")).toEqual({ role: "user", text: "x", repeated: 1 });
    expect(between("x", "y")).toEqual({ role: "user", text: "x", repeated: 0 });
  });

  it("is written as a number of new lines", () => {
    const text = (...asked: Parameters<typeof promptNews>) => promptNews(...asked).map(newsText);
    expect(text([user("a")], [])).toEqual([undefined]);
    expect(text([user("a\nb")], [user("a")])).toEqual(["+1 new line"]);
    expect(text([user("a\nb\nc")], [user("a")])).toEqual(["+2 new lines"]);
    expect(text([user("a")], [user("a\nb")])).toEqual(["as before"]);
  });
});

it("the messages before a prompt are those of the last earlier prompt of the same agent or role", () => {
  const turn = (role: string, content: string, more: object = {}) =>
    ({ kind: "turn", role, messages: [user(content)], ...more }) as unknown as Entry;
  const note = { kind: "note" } as unknown as Entry;
  const entries = [
    turn("model", "first"),
    turn("model", "second"),
    note,
    turn("judge", "verdict"),
    turn("model", "by an agent", { agent: "planner" }),
    turn("model", "third"),
    turn("actor", "other", { agent: "planner" }),
  ];
  const before = entries.map((_, index) => messagesBefore(entries, index));
  expect(before.map(([message]) => message?.content)).toEqual([
    undefined,
    "first",
    undefined,
    undefined,
    undefined,
    "second",
    "by an agent",
  ]);
  expect([before[0], before[2]].every((messages) => messages === noMessages)).toBe(true);
});
