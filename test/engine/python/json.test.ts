/** JSON as Python's json module reads it. */
import { describe, expect, test } from "vitest";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import { entryOf, isDict } from "../../../source/engine/python/value.ts";

const accepted: readonly (readonly [string, string])[] = [
  [' {"a": [1, 1.0, -2e3, true, false, null], "b": {}} \r\n', "{'a': [1, 1.0, -2000.0, True, False, None], 'b': {}}"],
  ['{"a": 1, "b": 2, "a": 3}', "{'a': 3, 'b': 2}"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  [String.raw`["\"\\\/\u00e9\n", "\ud83d\ude00", ""]`, String.raw`['"\\/é\n', '😀', '']`],
  ["[NaN, Infinity, -Infinity, -0, -0.0]", "[nan, inf, -inf, 0, -0.0]"],
];

const refused: readonly string[] = [
  [
    "",
    " ",
    "nul",
    "True",
    "'a'",
    "[1,]",
    "[,]",
    '{"a": 1,}',
    '{"a"}',
    "{1: 2}",
    '{"a" 1}',
    "[1 2]",
    "(1)",
    "[1] # one",
  ],
  ["01", "+1", ".5", "1.", "1e", "0x1", "1_0", "--1", "-", '"a', '"a\nb"', String.raw`"\q"`, String.raw`"\u12"`, '"\\'],
  ["[1]]", "[[1]", "nullx", '"a" "b"', "\u00a0[1]", "{'a': 1}", "9".repeat(4301), "[".repeat(100_000)],
].flat();

describe("JSON read as Python values", () => {
  test.each(accepted)("is read as Python's json module reads it: %s", (text, expected) => {
    expect(pythonRepr(parseJsonAsPython(text))).toBe(expected);
  });

  test.each(refused.map((text) => [text.slice(0, 20), text]))("is not read from %j", (_, text) => {
    expect(() => parseJsonAsPython(text)).toThrow(SyntaxError);
  });

  test("is valid for the same texts as in JSON.parse", () => {
    const parts = ["[", "]", "{", "}", '"a"', '"', ":", ",", "1", "-", ".5", "e2", " ", "null", "\\u0041", "0"];
    const isJson = (read: () => unknown) => {
      try {
        read();
        return true;
      } catch {
        return false;
      }
    };
    let state = 1;
    const next = (count: number) => (state = (state * 48_271) % 2_147_483_647) % count;
    for (let round = 0; round < 30_000; round++) {
      const text = Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join("");
      const expected = isJson(() => JSON.parse(text));
      expect({ text, isJson: isJson(() => parseJsonAsPython(text)) }).toEqual({ text, isJson: expected });
    }
  });

  test("may be nested as deep as Python's literals", () => {
    expect(parseJsonAsPython("[".repeat(200) + "]".repeat(200))).toBeDefined();
    expect(() => parseJsonAsPython("[".repeat(201) + "]".repeat(201))).toThrow("at most 200 nested brackets");
  });

  test("treats special keys such as `__proto__` as plain keys", () => {
    const value = parseJsonAsPython('{"__proto__": {"polluted": 1}, "\\u0000x": 2}');
    expect(isDict(value) && entryOf(value, "\0x")).toBe(2);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
