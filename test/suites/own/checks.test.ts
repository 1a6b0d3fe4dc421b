import { describe, expect, it, test } from "vitest";
import { compare, jsonIn } from "../../../suites/own/score/checks.ts";
import { verdictIn } from "../../../suites/own/score/judge.ts";

const right = (check: Parameters<typeof compare>[0], reply: string, answer: string) =>
  compare(check, reply, answer).right;

describe("the check of a reply", () => {
  test("is exact except for white space and a final full stop", () => {
    expect(right("exact", " Paris. ", "Paris")).toBe(true);
    expect(right("exact", "New\n York", "New York")).toBe(true);
    expect(right("exact", "paris", "Paris")).toBe(false);
  });

  test("considers only the text from the last `Answer:` on, if there is one", () => {
    expect(right("exact", "Not Rome. Answer: Rome? No.\nAnswer: Paris", "Paris")).toBe(true);
    expect(right("contains", "It is not Paris.\nAnswer: Rome", "Paris")).toBe(false);
    expect(right("contains", 'It is Paris. I write it behind "Answer:".', "Paris")).toBe(true);
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
    ["seven", "7", true],
    ["Twenty-one of them", "20", false],
    ["Answer: 12\n\nStep 1 takes 3 of 4.", "12", true],
    ["3 + 4 = 7.\nAnswer: unknown", "7", false],
    ["3 + 4 = 7. That is all.", "7", true],
    ["The answer is 7, because 3 and 4 make 7 (not 8).", "7", true],
    ["There are 7 apples (3 red, 4 green)", "7", true],
    ["It lasted from 1939-1945", "1945", true],
    ["COVID-19", "19", true],
    ["a loss of -$5", "-5", true],
    ["**7**", "7", true],
    ["**Answer:** `7`", "7", true],
    ["- 7", "7", true],
    ["There are 7 apples, no one has more", "7", true],
  ])("compares numbers: %s for %s", (reply, answer, expected) => {
    expect(right("number", reply, answer)).toBe(expected);
  });

  it.each([
    ["**Paris**", true],
    ["*Paris*.", true],
    ["`Paris`", true],
    ["```\nParis\n```", true],
    ["```text\r\nParis!\r\n```", true],
    ['"Paris."', true],
    ["\u201CParis\u201D", true],
    ["- Paris", true],
    ["### Answer: **Paris**", true],
    ["The answer is Paris", false],
    ["paris", false],
  ])("strips Markdown, code fences and quotes around the whole answer: %j", (reply, expected) => {
    expect(right("exact", reply, "Paris")).toBe(expected);
    expect(right("exact", "Paris", reply.replace(/^.*Answer: /, ""))).toBe(expected);
  });

  it.each([
    ["snake_case_name", "snakecasename", false],
    ["2**3**4", "234", false],
    ["2 * 3 * 4", "2 3 4", false],
    ["3. Oktober", "4. Oktober", false],
  ])("keeps text that only resembles Markdown: %s", (reply, answer, expected) => {
    expect(right("exact", reply, answer)).toBe(expected);
  });

  it.each([
    ["The answer is (B).", "b", true],
    ["Because it is big", "B", false],
    ["It is 17", "7", false],
    ["It is 7.5", "7", false],
    ["It is -7", "7", false],
    ["It is 7.", "7", true],
    ["From 1939-1945", "1945", true],
    ["**New** York", "new york", true],
  ])("finds single letters and numbers only as whole words: %s contains %s", (reply, answer, expected) => {
    expect(right("contains", reply, answer)).toBe(expected);
  });

  it.each([
    ["number", "3 + 4 = 7", "7", false],
    ["number", "3 + 4 = 7\n", "7", true],
    ["number", "x=1 and y=2", "1", false],
    ["number", "There are 7 apples and some", "7", false],
    ["number", "Answer: 7 because of the", "7", true],
    ["exact", "Paris", "Paris", false],
    ["contains", "It is Paris", "Paris", false],
    ["contains", "It is Paris, the", "Paris", true],
    ["json", '{"a": 1}', '{"a":1}', true],
    ["json", "12", "12", false],
  ] as const)(
    "ignores a number or word at the end of a truncated reply: %s of %j",
    (check, reply, answer, expected) => {
      expect(compare(check, reply, answer, true).right).toBe(expected);
    },
  );

  test("is wrong if a number is expected and the reply contains none", () => {
    expect(compare("number", "no idea", "7").read).toBeUndefined();
  });

  test.each([
    ['{"a": 1, "b": [2.0]}', true],
    ['```json\n{"b": [2], "a": 1}\n```', true],
    ['Here it is: {"b":[2],"a":1} as asked.', true],
    ['{"a": 1}', false],
    ["{a: 1", false],
  ])("compares JSON: %s", (reply, expected) => {
    expect(right("json", reply, '{"a":1,"b":[2]}')).toBe(expected);
  });

  test("accepts any of several answers", () => {
    expect(right("one-of", "NYC", "New York | nyc")).toBe(true);
    expect(right("one-of", "New York, of course", "New York | nyc")).toBe(false);
  });

  test("takes linear time for any text", () => {
    const hostile = ["1,".repeat(200_000), "answer ".repeat(200_000), "{".repeat(200_000), "verdict: ".repeat(100_000)];
    hostile.push(
      "(".repeat(200_000),
      "*a ".repeat(100_000),
      "**a".repeat(100_000),
      "`".repeat(200_000),
      '"'.repeat(200_000),
    );
    hostile.push(
      "one ".repeat(100_000),
      "is 7 ".repeat(100_000),
      "111,".repeat(100_000),
      "- ".repeat(100_000),
      "a".repeat(200_000),
    );
    for (const reply of hostile)
      for (const check of ["exact", "contains", "number", "json", "one-of"] as const) right(check, reply, "7");
    for (const reply of hostile) expect(verdictIn(reply)).toBeUndefined();
  });
});

describe("a judge's verdict", () => {
  test("is the last verdict in the reply", () => {
    expect(verdictIn("Verdict: wrong at first sight.\n**Verdict: right**")).toBe("right");
    expect(verdictIn("Verdict: *wrong*")).toBe("wrong");
    expect(verdictIn("It is right.")).toBeUndefined();
  });
});

describe("numbers are equal", () => {
  it.each([
    ["0.000001", "0", true],
    ["0.0000011", "0", false],
    ["0.5000009", "0.5", true],
    ["0.5000015", "0.5", false],
    ["1000.001", "1000", true],
    ["1000.0011", "1000", false],
    ["-1000.001", "-1000", true],
  ])(
    "to six digits behind the point, of large numbers to six significant digits: %s for %s is %s",
    (got, answer, equal) => expect(right("number", got, answer)).toBe(equal),
  );
});

describe("the JSON value in a reply", () => {
  it.each([
    ["[1]", [1]],
    // The content of a fence comes before all from the first to the last bracket.
    ["Here:\n```json\n[1]\n```\nand not [2]", [1]],
    ["It is ```7``` of 9", 7],
    ["No 7.", undefined],
    ["```\n[1]\n```\nor\n```\n[2]\n```", undefined],
    // A fence that was not closed is none.
    ["```\n[1]", [1]],
    ["```7x", undefined],
    ["[1] it is", [1]],
    ["Result: [1, [2]] ok", [1, [2]]],
    ['It is {"a": {"b": 1}}.', { a: { b: 1 } }],
    ["([1])", [1]],
    ["] 7 [", undefined],
    ["7]", undefined],
    ["[", undefined],
    ["", undefined],
  ])("of %j is %j", (reply, value) => expect(jsonIn(reply)).toEqual(value));
});
