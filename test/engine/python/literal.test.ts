/** The literal reader compared with the results of Python 3.11 for the same texts. */
import { describe, expect, test } from "vitest";
import { parsePython } from "../../../source/engine/python/literal.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";

/** Texts with Python's `repr` of their value. */
const read: readonly (readonly [string, string])[] = [
  ["[1, 2.50, 'a', \"b\", None, True, False, ...]", "[1, 2.5, 'a', 'b', None, True, False, Ellipsis]"],
  ["{'a': (1,), 'b': (), 'c': ('x'), 'd': {1, 2}}", "{'a': (1,), 'b': (), 'c': 'x', 'd': {1, 2}}"],
  ["1, 2", "(1, 2)"],
  ["1,", "(1,)"],
  ["[1, 2,]", "[1, 2]"],
  ["{'a': 1,}", "{'a': 1}"],
  ["('a' 'b' \"c\")", "'abc'"],
  ["{1: 1, True: 2, 1.0: 3}", "{1: 3}"],
  ["[-1, +2, - 3, -0, -0.0]", "[-1, 2, -3, 0, -0.0]"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["[0x1F, 0o17, 0b11, 1_000, 00, 0_0]", "[31, 15, 3, 1000, 0, 0]"],
  ["[1., .5, 1e3, 1.e5, 0777.5, 09.5, 0e0, 1e999]", "[1.0, 0.5, 1000.0, 100000.0, 777.5, 9.5, 0.0, inf]"],
  ["[5.0, 1e16, 1e15, 1e-4, 1e-5, 1.5e300, 1e22]", "[5.0, 1e+16, 1000000000000000.0, 0.0001, 1e-05, 1.5e+300, 1e+22]"],
  [String.raw`'\x41\u00e9\101\n\q\/\''`, String.raw`"Aé` + String.raw`A\n\\q\\/'"`],
  [String.raw`['it\'s', "say \"x\"", 'both \' "']`, String.raw`["it's", 'say "x"', 'both \' "']`],
  [String.raw`'\ud83d\ude00'`, String.raw`'\ud83d\ude00'`],
  [String.raw`'\ud83d' '\ude00'`, String.raw`'\ud83d\ude00'`],
  [String.raw`'\U0001F600'`, "'😀'"],
  ["'''a\rb'''", String.raw`'a\nb'`],
  ["''''a'''", `"'a"`],
  [String.raw`[r'\n', u'x']`, String.raw`['\\n', 'x']`],
  ["'\u200b\u00a0\u007f\u3000é日'", String.raw`'\u200b\xa0\x7f\u3000é日'`],
  ["  [1] # a comment", "[1]"],
  ["# first\r[1]\r", "[1]"],
  ["[1, # one\r 2, \\\r 3]", "[1, 2, 3]"],
  ["{(1, 'x'): {'y': [[]]}}", "{(1, 'x'): {'y': [[]]}}"],
];

/** Texts that Python rejects, or that evaluate to something other than a literal. */
const refused: readonly string[] = [
  ["", " ", "# c", "format", "print(1)", "true", "null", "Truex", "a", "[1 2]", "[,]", "{,}", "(,)", "[1,,2]"],
  ["007", "1__0", "1_", "0xg", "1.2e", "10l", "1.5.2", "'a", "'a\rb'", "'''a''''", "'a'b", "'a'1", "[1]]", "[[1]"],
  ["{'a': 1, 'b'}", "{'a', 'b': 1}", "{[1]: 2}", "{[1]}", "{{}: 1}", "{'a' 1}", "1 + 1", "--1", "-'a'", "[1];"],
  [String.raw`'\x4'`, String.raw`'\u12'`, String.raw`'\U00110000'`, "'a\0b'", "'\ud800'", "[\u00a01]", "\ufeff[1]"],
  ["\r [1]", "[1]\r[2]", "[1]\\", "b'a'", "f'a'", "9".repeat(4301), "__import__('os')", "[].append", "lambda: 0"],
].flat();

describe("Python literals", () => {
  test.each(read)("are read as Python's repr prints them: %s", (text, expected) => {
    expect(pythonRepr(parsePython(text))).toBe(expected);
  });

  test.each(refused)("are not read from %j", (text) => {
    expect(() => parsePython(text)).toThrow("Expected");
  });

  test("may extend over several lines, and contain JSON's constants only on request", () => {
    const text = "\n  ['a\nb', true, False, null]";
    expect(() => parsePython(text)).toThrow("Expected");
    expect(parsePython(text, "mixed")).toEqual(["a\nb", true, false, null]);
    for (const other of ["[1 2]", "'open", "trueish", "[1] [2]"])
      expect(() => parsePython(other, "mixed"), other).toThrow("Expected");
  });
});
