import { describe, expect, it } from "vitest";
import { jsonDepth, parseJson, stringEnd } from "../../../source/engine/text/json-record.ts";

describe("parsing a text that may be JSON", () => {
  const numbersAndWords = ["1", "-1.5e3", "true", "false", "null", '"a"', '""', "[-1]", "[true]", "[false]", "[null]"];
  const lists = ["[]", "[[1]]", "[{}]", '["a"]', "[0]", '["]", "}"]', "{}", '{"a": [1, {"b": null}]}'];
  const spaced = [" \t\r\n[ \n 1 \n] \t\r\n", '\n{\n\t"a": 1\r\n}\n', "\t 12 \n", '  "a b"\n', "[ ]", "{ \n}"];

  it.each([numbersAndWords, lists, spaced].flat())("gives the value: %j", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  const cut = ["", " ", "[", "{", "]", '"', "[1", "1]", '{"a": 1', '"a', "[1}", '{"a": 1]', "nul", "tru e", "-", "1 2"];
  const other = ["a", "[a]", "[(1)]", "['a']", "{'a': 1}", "{a: 1}", "[,]", "{1: 2}", "here: [1]", "[1] and more"];

  it.each([cut, other, ["[1]\u00a0", "\ufeff1"]].flat())("gives undefined if it is not JSON: %j", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(parseJson(text)).toBeUndefined();
  });
});

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
