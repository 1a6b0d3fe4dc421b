import { describe, expect, it } from "vitest";
import { partialJson, type PartialJson } from "../../../source/engine/text/partial-json.ts";

/** As plain values, for comparing; scalars as they are written. */
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

describe("JSON as far as it has come", () => {
  it("is what JSON.parse makes of it once it is whole", () => {
    for (const space of [0, 2]) {
      const read = partialJson(JSON.stringify(whole, null, space))!;
      expect(plain(read)).toEqual(whole);
      expect(read.open).toBe(false);
    }
  });

  it("can be read after every character", () => {
    const text = JSON.stringify(whole, null, 1);
    for (let end = 1; end < text.length; end++) {
      const read = partialJson(text.slice(0, end));
      expect(read, text.slice(0, end)).toMatchObject({ kind: "object", open: true });
    }
  });

  it("has what was written of a text that goes on", () => {
    expect(plain(partialJson('{"thought": "The profile sa')!)).toEqual({ thought: "The profile sa" });
    expect(plain(partialJson('{"a": "x\\u00e')!)).toEqual({ a: "x" });
    expect(plain(partialJson('{"a": 1, "thou')!)).toEqual({ a: 1 });
  });

  it("may stand in a fence, and hold bare line ends", () => {
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
  ])("is nothing in %j", (text) => {
    expect(partialJson(text)).toBeUndefined();
  });

  it("does not follow a hostile text for ever", () => {
    expect(partialJson("[".repeat(90_000))).toBeUndefined();
    expect(partialJson(`{"a": "${"\\".repeat(99_000)}`)).toBeDefined();
    expect(partialJson(`["${"x".repeat(200_000)}"]`)).toBeUndefined();
  });
});
