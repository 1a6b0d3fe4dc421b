import { describe, expect, it } from "vitest";
import { writtenJson, partialJson, type PartialJson } from "../../../source/engine/text/partial-json.ts";

/** Plain values for comparison; scalars keep their written form. */
function plain(value: PartialJson): unknown {
  switch (value.kind) {
    case "object":
      return Object.fromEntries(value.entries.map(([name, each]) => [name, plain(each)]));
    case "list":
      return value.items.map(plain);
    default:
      return value.kind === "text" || value.text === "" ? value.text : (JSON.parse(value.text) as unknown);
  }
}

const whole = { step: 3, done: false, nothing: null, text: 'a "b"\n\\ é 😀', list: [1.5, -2e3, ["x", {}], []] };

describe("incomplete JSON from a stream", () => {
  it("equals the result of JSON.parse once it is complete", () => {
    for (const space of [0, 2]) {
      const read = partialJson(JSON.stringify(whole, null, space))!;
      expect(plain(read)).toEqual(whole);
      expect(read.open).toBe(false);
    }
  });

  it("can be parsed after every character", () => {
    const text = JSON.stringify(whole, null, 1);
    for (let end = 1; end < text.length; end++) {
      const read = partialJson(text.slice(0, end));
      expect(read, text.slice(0, end)).toMatchObject({ kind: "object", open: true });
    }
  });

  it("contains the received part of an unfinished text", () => {
    expect(plain(partialJson('{"thought": "The profile sa')!)).toEqual({ thought: "The profile sa" });
    expect(plain(partialJson('{"a": "x\\u00e')!)).toEqual({ a: "x" });
    expect(plain(partialJson('{"a": 1, "thou')!)).toEqual({ a: 1 });
  });

  it("can be inside a code fence, and contain raw line breaks", () => {
    expect(plain(partialJson('```json\n{"a": "two\nlines"}\n```\n')!)).toEqual({ a: "two\nlines" });
    expect(plain(partialJson('```\n["a", ')!)).toEqual(["a"]);
  });

  it.each([
    "",
    "Thought: {}",
    '"text"',
    "12",
    "{a: 1}",
    "[1 2]",
    '{"a": nul}',
    '{"a": 1} and more',
    "[Bikes]",
    '{"a" 1}',
  ])("is undefined for %j", (text) => {
    expect(partialJson(text)).toBeUndefined();
  });

  it("keeps parts that are nested too deeply as text, and parses everything around them", () => {
    const deep = (levels: number, inside: string) => `${"[".repeat(levels)}${inside}${"]".repeat(levels)}`;
    const written = deep(10_000, '"] \\" [", {"a": 1}');
    const read = partialJson(`{"deep": ${written}, "beside": true}`)!;
    const lines = writtenJson(read);
    expect(lines).toBe(`{"deep":${written},"beside":true}`);
    const cut = partialJson(`{"beside": 1, "deep": ${written.slice(0, 9_000)}`)!;
    expect(writtenJson(cut)).toBe(`{"beside":1,"deep":${written.slice(0, 9_000)}`);
  });

  it("keeps numbers of any length, and duplicate names, as sent", () => {
    const sent = '{"n":12345678901234567890.10,"n":-0,"__proto__":[1e400]}';
    expect(writtenJson(partialJson(sent)!)).toBe(sent);
  });

  it("reads half a surrogate pair as a single character, and decodes escaped control characters", () => {
    expect(plain(partialJson('{"a": "\\ud83d", "b": "\\u001b[31m"}')!)).toEqual({ a: "\ud83d", b: "\u001b[31m" });
  });

  it("is no longer parsed once it proves to be hostile", () => {
    expect(partialJson("[".repeat(90_000))).toMatchObject({ kind: "list", open: true });
    expect(partialJson(`{"a": "${"\\".repeat(99_000)}`)).toBeDefined();
    expect(partialJson(`["${"x".repeat(1_000_000)}"]`)).toMatchObject({ items: [{ text: "x".repeat(1_000_000) }] });
    expect(partialJson(`["${"x".repeat(5_000_000)}"]`)).toBeUndefined();
  });
});
