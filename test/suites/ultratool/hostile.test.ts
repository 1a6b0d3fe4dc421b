/** Answers designed to hang, crash or deceive a parser. Work is counted in characters passed to the parser, not in seconds. */
import { describe, expect, test } from "vitest";
import { scoreAwareness } from "../../../suites/ultratool/score/awareness.ts";
import { createdTools } from "../../../suites/ultratool/score/creation.ts";
import { editDistance } from "../../../suites/ultratool/score/levenshtein.ts";
import { parsePython } from "../../../source/engine/python/literal.ts";
import { formOf, readOfficial, readStrict, writtenAs } from "../../../suites/ultratool/score/reading.ts";
import { scoreUsage } from "../../../suites/ultratool/score/usage.ts";

const million = 1_000_000;
const many = 100_000;
const hostile: Record<string, string> = {
  "a million closing braces": "}".repeat(million),
  "many closing braces after an entry": `[{'step': '1.1 a', 'tool': '1'${"}".repeat(many)}]`,
  "many opening brackets": "[".repeat(many),
  "many nested dicts": "{'a':".repeat(many),
  "brackets opened and closed": "[".repeat(many) + "]".repeat(many),
  "a string that never ends": `[{'step': '1.1 ${"a".repeat(many)}`,
  "a string that never ends inside brackets": `[{"step": "1.1 ${"a".repeat(many)}]`,
  "many quotes": "'".repeat(many),
  "many backslashes": `['${"\\".repeat(many)}']`,
  "many list beginnings": "[{".repeat(many),
  "many list beginnings and an end": `${"[{".repeat(many)}]]`,
  "many digits": `[${"9".repeat(many)}]`,
  "many signs": `[${"-".repeat(many)}1]`,
  "spaced braces": "} ".repeat(many),
  "many backticks": "`".repeat(many),
  "2 MB of prose": "There is no list in this answer. ".repeat(62_000),
  "many entries and a mistake at the end": `[${"{'step': '1.1 a', 'tool': '1', 'param': {}},".repeat(20_000)} oops]`,
};

describe.each(Object.entries(hostile))("the hostile answer %s", (_, answer) => {
  test.each(["A", "P", "C"] as const)("is parsed in linear time by ladder %s, and scores as a failure", (ladder) => {
    for (const mode of ["gpt", "other"] as const) {
      const reading = readOfficial(answer, ladder, mode);
      // No answer is parsed more often than the longest ladder has rungs, and most fail at their first characters.
      expect(reading.work).toBeLessThanOrEqual(40 * (answer.length + 64));
      expect(reading.attempts).toBeLessThanOrEqual(38);
      expect(writtenAs).toContain(formOf(answer, reading));
      expect(readStrict(answer, ladder)).toBeUndefined();
    }
  });
});

test("an answer of closing braces is rejected by its first characters, without trying every repair", () => {
  for (const ladder of ["A", "P", "C"] as const) {
    const reading = readOfficial("}".repeat(million), ladder, "gpt");
    expect(reading).toMatchObject({ ok: false, value: [], repair: "failed" });
    expect(reading.work).toBe(million);
  }
});

describe("deep nesting of answers", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test("is parsed exactly as deeply as Python parses it", () => {
    expect(parsePython(nested(200))).toBeDefined();
    expect(() => parsePython(nested(201))).toThrow("at most 200 nested brackets");
    expect(() => parsePython("{1:".repeat(million))).toThrow("nested");
  });

  test("makes an answer unreadable beyond that depth, without any other effect", () => {
    const reading = readOfficial(nested(100_000), "A", "gpt");
    expect(reading).toMatchObject({ ok: false, value: [] });
    expect(scoreAwareness(reading.value, [{ step: "1.1 a", tool: "1" }])).toMatchObject({ predicted: [0], global: 0 });
  });
});

describe("lone surrogates in answers", () => {
  test("make an answer unreadable, as in Python", () => {
    expect(readOfficial("[{'step': '1.1 \ud83d', 'tool': '1'}]", "A", "gpt").ok).toBe(false);
    expect(readOfficial("\udc00".repeat(million), "C", "other").ok).toBe(false);
  });

  test("count as two code points if written as escapes", () => {
    const { value } = readOfficial(String.raw`[{"step": "1.1 a", "param": {"k": "\ud83d\ude00"}}]`, "P", "gpt");
    const [score] = scoreUsage(value, [{ step: "1.1 b", tool: "t", param: { k: "😀😀😀" } }]);
    expect(score!.score).toBe(0);
    const [half] = scoreUsage(value, [{ step: "1.1 b", tool: "t", param: { k: "\ud83dx" } }]);
    expect(half!.score).toBe(0.5);
  });
});

test("keys such as `__proto__` in an answer are ordinary keys", () => {
  const answer = '[{"step": "1.1 a", "tool": {"__proto__": {"polluted": 1}, "constructor": 2}}]';
  const { value } = readOfficial(answer, "C", "gpt");
  expect(createdTools(value, [{ step: "1.1 a", tool: {} }])).toHaveLength(1);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(
    scoreUsage(readOfficial('[{"step": "1.1 a", "param": {}}]', "P", "gpt").value, [
      { step: "1.1 a", tool: "t", param: { toString: "x" } },
    ])[0]!.score,
  ).toBe(0);
});

test("a value of two million characters is compared with a short reference", () => {
  const value = "ab".repeat(million);
  const [score] = scoreUsage([], [{ step: "1.1 a", tool: "t", param: { k: "x" } }]);
  expect(score!.score).toBe(0);
  expect(
    editDistance(
      Array.from("a".repeat(300), (letter) => letter.codePointAt(0)!),
      Array.from(value, (letter) => letter.codePointAt(0)!),
    ),
  ).toBe(2 * million - 300);
});
