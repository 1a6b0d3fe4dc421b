import { describe, expect, it } from "vitest";
import { ThinkTags } from "../../../source/engine/models/replies/think-tags.ts";
import { StopCut } from "../../../source/engine/models/replies/answer-text.ts";
import { TextCalls } from "../../../source/engine/models/replies/text-calls.ts";

/** Reads a text that is streamed in pieces of this many characters. */
function parted(text: string, size: number): { readonly text: string; readonly thinking: string } {
  const tags = new ThinkTags();
  const pieces = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...tags.take(text.slice(at, at + size)));
  let parts = { text: "", thinking: "" };
  for (const piece of [...pieces, ...tags.end()]) {
    if (piece.textBefore === true) parts = { text: "", thinking: parts.thinking + parts.text };
    parts[piece.type] += piece.text;
  }
  return parts;
}

describe("thinking between tags", () => {
  it.each([
    ["<think>a</think>b", "b", "a"],
    ["  \n<think>a</think>\n\nb", "  \nb", "a"],
    ["<think>a</think>\n<think>c</think>b", "b", "ac"],
    ["<think>a</think>b\n<think>c</think>\nd", "b\nd", "ac"],
    ["a\n</think>\n\nb", "b", "a\n"],
    ["Use ```\n<think>x</think>\n``` so", "Use ```\n<think>x</think>\n``` so", ""],
    ["<think>a</think>```\n</think>\n```", "```\n</think>\n```", "a"],
    ["<think>a ``` b</think>c", "c", "a ``` b"],
    ["The tag <think> opens it", "The tag <think> opens it", ""],
    ["a < b <th", "a < b <th", ""],
    ["<think>never ended", "", "never ended"],
  ])("is separated from the answer whatever the chunks: %j", (text, answer, thinking) => {
    for (const size of [1, 2, 3, 7, 1000])
      expect(parted(text, size), `pieces of ${size}`).toEqual({ text: answer, thinking });
  });
});

describe("stop strings applied by the client", () => {
  it.each([1, 3, 100])("cut before the first match, in pieces of %i", (size) => {
    const text = "Thought: go\nAct now\nObservation: x\nAction";
    const cut = new StopCut(["\nAction", "\nObservation"]);
    let kept = "";
    for (let at = 0; at < text.length; at += size) kept += cut.take(text.slice(at, at + size));
    expect([kept + cut.end(), cut.met]).toEqual(["Thought: go\nAct now", true]);
  });

  it("keep text that only resembles the beginning of a stop string", () => {
    const cut = new StopCut(["\nAction"]);
    expect([cut.take("so\nAct"), cut.end(), cut.met]).toEqual(["so", "\nAct", false]);
  });
});

describe("tool calls in the text of a reply", () => {
  const read = (text: string, size = 5) => {
    const calls = new TextCalls(["find", "book"]);
    let before = "";
    for (let at = 0; at < text.length; at += size) before += calls.take(text.slice(at, at + size));
    const end = calls.end(true);
    return { text: before + end.text, calls: end.calls.map(({ name, text: written }) => `${name} ${written}`) };
  };

  it("are parsed even if there are several, or if their strings contain braces", () => {
    const one = '<tool_call>\n{"name": "find", "arguments": {"q": "a } \\" {"}}\n</tool_call>';
    const two = '<tool_call>{"name": "else", "arguments": {}}</tool_call>';
    expect(read(`First.\n${one}\n${two}`)).toEqual({
      text: "First.\n",
      calls: ['find {"q":"a } \\" {"}', "else {}"],
    });
    expect(read('<|python_tag|>{"name": "find", "parameters": {}}; {"name": "book", "parameters": {}}').calls).toEqual([
      "find {}",
      "book {}",
    ]);
    expect(read('[{"name": "find", "arguments": {"q": 1}}, {"name": "book", "arguments": {}}]').calls).toHaveLength(2);
  });

  it.each([
    '{"answer": 42}',
    '```json\n{"name": "Ada", "arguments": {}}\n```',
    "<tool_call>{not json}</tool_call>",
    '<tool_call>{"name": "find"',
    "Use [TOOL_CALLS] to call",
  ])("are not read from an ordinary answer: %s", (text) => {
    expect(read(text)).toEqual({ text, calls: [] });
  });

  it("are searched for in hostile texts in a few passes", () => {
    const text = `<tool_call>{${"[".repeat(1000)}`.repeat(2000);
    expect(read(text, 100_000).calls).toEqual([]);
  });
});
