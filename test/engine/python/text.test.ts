/** Texts that Python 3.11 prints for the same values. */
import { describe, expect, test } from "vitest";
import { parsePython } from "../../../source/engine/python/literal.ts";
import { pythonReprOfJson, pythonStr, pythonStrOfJsonText } from "../../../source/engine/python/text.ts";

describe("Python's str of a value", () => {
  test("leaves a string unchanged and shows any other value as repr", () => {
    expect(pythonStr("it's")).toBe("it's");
    expect(pythonStr(parsePython(`['a', "b'c", {'k': 'v'}]`))).toBe(`['a', "b'c", {'k': 'v'}]`);
    expect(pythonStr(null)).toBe("None");
    expect(pythonStr(true)).toBe("True");
  });

  test("distinguishes 1.0 from 1 in JSON, and reads numbers that only Python accepts", () => {
    expect(pythonStrOfJsonText('{"a": 1.0, "b": 1}')).toBe("{'a': 1.0, 'b': 1}");
    expect(pythonStrOfJsonText("[NaN, -Infinity, 1E5, -0, 1e22, 0.00001, 1e999]")).toBe(
      "[nan, -inf, 100000.0, 0, 1e+22, 1e-05, inf]",
    );
  });

  test("escapes unprintable characters in JSON, and prints a bare text without quotes", () => {
    expect(pythonStrOfJsonText('{"a": "\\ud800\u00a0"}')).toBe("{'a': '\\ud800\\xa0'}");
    expect(pythonStrOfJsonText('"it\'s"')).toBe("it's");
  });
});

describe("Python's repr of a JSON.parse result", () => {
  test("quotes by Python's rule, and escapes control characters", () => {
    expect(pythonReprOfJson({ a: [null, true, 1.5, "it's", `"it's"`, "tab\t\u00a0é\u{1F600}\u0007"] })).toBe(
      `{'a': [None, True, 1.5, "it's", '"it\\'s"', 'tab\\t\\xa0é😀\\x07']}`,
    );
    expect(pythonReprOfJson({ a: [true, null, "x\u200b"], __proto__: 1 })).toBe("{'a': [True, None, 'x\\u200b']}");
  });

  test("writes whole numbers without a point, and very small and large numbers with an exponent", () => {
    expect(pythonReprOfJson([1, -0, 1e16, 1e21, 1e-7, -2.5])).toBe("[1, 0, 10000000000000000, 1e+21, 1e-07, -2.5]");
  });

  test("treats special keys like others, and truncates deep nesting", () => {
    expect(pythonReprOfJson({ kind: "float", value: 1 })).toBe("{'kind': 'float', 'value': 1}");
    let nested: readonly unknown[] = [];
    for (let depth = 0; depth < 10_000; depth++) nested = [nested];
    expect(pythonReprOfJson(nested as never)).toContain("[...]");
  });
});
