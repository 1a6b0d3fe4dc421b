import { describe, expect, it } from "vitest";
import { jsonDepth, stringEnd } from "../../../source/engine/text/json-record.ts";

describe("the end of a string in JSON", () => {
  it.each([
    ['"a" "b"', 2],
    ['""', 1],
    [String.raw`"\""x`, 3],
    [String.raw`"\\"x"`, 3],
    [String.raw`"\\\"x"`, 6],
    [String.raw`"a\"`, 4],
    ['"never', 6],
  ])("is the first quote that no backslash escapes: %s", (text, end) => {
    expect(stringEnd(text, 0)).toBe(end);
  });

  it("is found for a string that begins within the text, after a backslash that escapes nothing", () => {
    expect(stringEnd(String.raw`\"a"`, 1)).toBe(3);
  });
});

describe("the nesting of a text before it is parsed", () => {
  it.each([
    ["1", 0],
    ["[]", 1],
    ['{"a": [[1], {"b": 2}]}', 3],
    ["[][[]]", 2],
    [String.raw`["[[", "\"[["]`, 1],
    [String.raw`["\\", [1]]`, 2],
    ['[1, "[[', 1],
    ["[[[", 3],
    ["]]][", 0],
  ])("is the largest number of open brackets outside strings: %s", (text, depth) => {
    expect(jsonDepth(text)).toBe(depth);
  });
});
