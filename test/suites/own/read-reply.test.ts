import { describe, expect, it } from "vitest";
import {
  answerIn,
  numberIn,
  plainText,
  withoutCutWord,
  withoutMarkdown,
} from "../../../suites/own/score/read-reply.ts";

describe("Markdown in a reply", () => {
  it.each([
    ["# Head\n- one\n* two\n+ three\n• four", "Head\none\ntwo\nthree\nfour"],
    ["####### seven", "####### seven"],
    ["-3", "-3"],
    ["```json\n[1]\n```", "[1]"],
    ["~~~~\na\n~~~~", "a"],
    ["**bold** and *it* and ***both***", "bold and it and both"],
    ["__a__ _b_ snake_case 2**3**4", "a b snake_case 2**3**4"],
    ["`code` and ``two`` and ` open`", "code and two and ` open`"],
    ["** no** *no *", "** no** *no *"],
    ["a\r\nb", "a\nb"],
    ["**_`deep`_**", "deep"],
  ])("is removed from a reply: %j leaves %j", (text, plain) => expect(withoutMarkdown(text)).toBe(plain));

  it("is removed from a reply up to eight nested marks", () => {
    expect(withoutMarkdown(`${"- ".repeat(8)}x`)).toBe("x");
    expect(withoutMarkdown(`${"- ".repeat(9)}x`)).toBe("- x");
  });
});

describe("the plain text of an answer", () => {
  it.each([
    ["  Paris.  ", "Paris"],
    ["Paris!", "Paris"],
    ["Paris?", "Paris?"],
    ["Paris..", "Paris"],
    ['"Paris."', "Paris"],
    ["“‘Paris’”", "Paris"],
    ["„Paris“", "Paris"],
    ["«Paris»!", "Paris"],
    ["'Paris", "'Paris"],
    ['"', '"'],
    ['""', ""],
    ["two \n words", "two words"],
    ["e\u0301", "\u00e9"],
  ])("contains no Markdown: %j becomes %j", (text, plain) => expect(plainText(text)).toBe(plain));

  it("is the text after the last answer line, unless that text consists only of marks", () => {
    expect(answerIn("think\nAnswer: 7")).toBe("7");
    expect(answerIn("Answer: 1\nAnswer: 2")).toBe("2");
    expect(answerIn("Answer: **")).toBe("Answer: **");
    expect(answerIn("nothing")).toBe("nothing");
  });

  it("omits the last word of a truncated reply, but keeps the punctuation before that word", () => {
    expect(withoutCutWord("It is Par")).toBe("It is …");
    expect(withoutCutWord("It is ")).toBe("It is ");
    expect(withoutCutWord("(12.5")).toBe("(…");
    expect(withoutCutWord("")).toBe("");
  });
});

it("the plain text of an answer omits up to eight nested pairs of quotes, and full stops", () => {
  const quoted = (depth: number) => `${"'".repeat(depth)}x${"'".repeat(depth)}`;
  expect(plainText(quoted(8))).toBe("x");
  expect(plainText(quoted(9))).toBe("'x'");
});

describe("the number in a reply", () => {
  it.each([
    ["7", 7],
    ["-7", -7],
    ["−7", -7],
    ["+7", 7],
    ["-$5", -5],
    ["a-7", 7],
    ["3-7", 7],
    ["1,234.5", 1234.5],
    ["12,34", 34],
    ["1,234,567", 1234567],
    [".5", 0.5],
    ["1e3", 1000],
    ["2E-2", 0.02],
    ["1e999", undefined],
    ["seven", 7],
    ["Twenty", 20],
    ["twenty-one", undefined],
    ["twenty-x", undefined],
    ["two hundred", undefined],
    ["one of them", 1],
    ["one of the two", 2],
    ["one of 3", 3],
    ["zero", 0],
    ["none", undefined],
    ["", undefined],
  ])("is for %j %s", (text, number) => expect(numberIn(text)).toBe(number));

  it.each([
    ["2 + 3 = 5 apples", 5],
    ["x = 4, so y = 9 of 10", 9],
    ["The total is 12, not 13", 12],
    ["This has 3, and 4", 4],
    ["4 (and 5 in brackets)", 4],
    ["(4 and [5])", 5],
    ["4) and 5", 5],
    // Words count as numbers, but "one" only if there is no other number.
    ["three or 5", 5],
    ["5 or three", 3],
    ["4, two, three, then one", 3],
    ["two for one", 2],
    ["one for one", 1],
    // A pair of brackets ends with its closing bracket.
    ["5 (3) 7 (4)", 7],
    ["[4 and 5", 5],
    ["x is 3. It is", 3],
    ["Answer: 8\nnot 9", 8],
    ["Answer: see below\nit has 9", 9],
    ["1 and 2\nAnswer: 3", 3],
    ["3\nAnswer: **", 3],
  ])("is the number after a marker, otherwise the last number outside brackets: for %j it is %s", (text, number) =>
    expect(numberIn(text)).toBe(number),
  );

  it("loses the whole word at the end of a truncated reply, even if that is its only one", () => {
    expect([withoutCutWord("Paris"), withoutCutWord("a Paris"), withoutCutWord("")]).toEqual(["…", "a …", ""]);
  });

  it("is the last complete number after a marker or label if the reply is truncated", () => {
    expect(numberIn("3 + 4 = 7 and so 12 mo", true)).toBe(7);
    expect(numberIn("3 + 4 = 71", true)).toBeUndefined();
    expect(numberIn("3 and 4 and mo", true)).toBeUndefined();
    expect(numberIn("x = 3, y =", true)).toBeUndefined();
    expect(numberIn("Answer: 12 and mo", true)).toBe(12);
    expect(numberIn("Answer: 12", true)).toBeUndefined();
  });
});
