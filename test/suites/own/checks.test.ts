import { describe, expect, test } from "vitest";
import { compare } from "../../../suites/own/score/checks.ts";
import { verdictIn } from "../../../suites/own/score/judge.ts";

const right = (check: Parameters<typeof compare>[0], reply: string, answer: string) =>
  compare(check, reply, answer).right;

describe("a reply is compared", () => {
  test("exactly, but for blanks and a full stop at the end", () => {
    expect(right("exact", " Paris. ", "Paris")).toBe(true);
    expect(right("exact", "New\n York", "New York")).toBe(true);
    expect(right("exact", "paris", "Paris")).toBe(false);
  });

  test("behind its last `Answer:`, where it has one", () => {
    expect(right("exact", "Not Rome. Answer: Rome? No.\nAnswer: Paris", "Paris")).toBe(true);
    expect(right("contains", "It is not Paris.\nAnswer: Rome", "Paris")).toBe(false);
  });

  test.each([
    ["It is 7", "7", true],
    ["3 + 4 = 7", "7", true],
    ["about 1,234.50 in all", "1234.5", true],
    ["-0.5", "-.5", true],
    ["6.02e23 of them", "6.02E+23", true],
    ["0.3333333", "0.33333333", true],
    ["0.33", "0.3333", false],
    ["7 or 8", "7", false],
    ["seven", "7", false],
  ])("as a number: %s for %s", (reply, answer, expected) => {
    expect(right("number", reply, answer)).toBe(expected);
  });

  test("a reply without a number has nothing to compare", () => {
    expect(compare("number", "no idea", "7").read).toBeUndefined();
  });

  test.each([
    ['{"a": 1, "b": [2.0]}', true],
    ['```json\n{"b": [2], "a": 1}\n```', true],
    ['Here it is: {"b":[2],"a":1} as asked.', true],
    ['{"a": 1}', false],
    ["{a: 1", false],
  ])("as JSON: %s", (reply, expected) => {
    expect(right("json", reply, '{"a":1,"b":[2]}')).toBe(expected);
  });

  test("with several answers, one of which is enough", () => {
    expect(right("one-of", "NYC", "New York | nyc")).toBe(true);
    expect(right("one-of", "New York, of course", "New York | nyc")).toBe(false);
  });

  test("in linear time, whatever a model writes", () => {
    const hostile = ["1,".repeat(200_000), "answer ".repeat(200_000), "{".repeat(200_000), "verdict: ".repeat(100_000)];
    for (const reply of hostile)
      for (const check of ["exact", "contains", "number", "json", "one-of"] as const) right(check, reply, "7");
    for (const reply of hostile) expect(verdictIn(reply)).toBeUndefined();
  });
});

describe("a judge's verdict", () => {
  test("is the last one it gives", () => {
    expect(verdictIn("Verdict: wrong at first sight.\n**Verdict: right**")).toBe("right");
    expect(verdictIn("Verdict: *wrong*")).toBe("wrong");
    expect(verdictIn("It is right.")).toBeUndefined();
  });
});
