import { expect, test } from "vitest";
import { asciiJson, escapedJson, jsonText } from "../../../source/engine/text/json-text.ts";
import { printable } from "../../../source/engine/text/printable.ts";

const every = [
  ...Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)),
  ..."\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u202a\u202e\u2028\u2029\u2060\u2066\u2069\u3164\ufe0f\ufeff\ufff9",
  "\u{e0041}",
  "\u{e0100}",
  "\u{1d173}",
  "\ud800",
];
const value = { [`key ${every.join("")}`]: [every, "می\u200cخواهم", "👩\u200d👩\u200d👧", 1, null, { a: true }] };

test("JSON that is printed has every character, the dangerous ones as escapes", () => {
  for (const space of [undefined, 2]) {
    const json = jsonText(value, space);
    expect(JSON.parse(json)).toEqual(value);
    expect(json.split("\n").map(printable).join("\n")).toBe(json);
  }
  expect(jsonText("می\u200cخواهم \u202e")).toBe('"می\\u200cخواهم \\u202e"');
});

test("what is no danger stays readable", () => {
  expect(jsonText({ é: "日本語 ✓ 👍" })).toBe('{"é":"日本語 ✓ 👍"}');
  expect(escapedJson('{"a": 1}\n{"b": 2}\n')).toBe('{"a": 1}\n{"b": 2}\n');
});

test("JSON for whoever reads only ASCII means the same", () => {
  const json = asciiJson(JSON.stringify(value));
  expect(json).toMatch(/^\p{ASCII}*$/u);
  expect(JSON.parse(json)).toEqual(value);
});
