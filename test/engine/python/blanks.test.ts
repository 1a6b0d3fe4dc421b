/** White space as Python's `str.strip` and `\s` define it. */
import { expect, test } from "vitest";
import { isBlankAt, strip } from "../../../source/engine/python/text.ts";

test("Python's white space is JavaScript's plus five separators and minus the byte order mark", () => {
  const differs = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
    (letter) => isBlankAt(letter, 0) !== /\s/.test(letter),
  );
  expect(differs).toEqual(["\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\ufeff"]);
  expect(isBlankAt("a", 1)).toBe(false);
});

test("white space is stripped at both ends only", () => {
  expect(strip("\x85\u3000 a b\x1f\n")).toBe("a b");
  expect(strip("\ufeffa")).toBe("\ufeffa");
  expect(strip(" \t")).toBe("");
});
