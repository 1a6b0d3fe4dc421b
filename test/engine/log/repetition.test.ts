/** Replies that end in a passage that comes again and again, and replies that are taken from their prompt. */
import { describe, expect, it } from "vitest";
import { closingRepetition, echoedShare } from "../../../source/engine/log/rows/repetition.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Message } from "../../../source/engine/types.ts";

/** So many different characters; `from` tells one text from another. */
const different = (count: number, from = 0x4e_00) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(from + at)).join("");
const other = (count: number) => different(count, 0x5e_00);

describe("the repetition at the end of a text", () => {
  const found = (passage: number, times: number) => closingRepetition(different(passage).repeat(times));

  it("is a passage that occurs four times in a row, within a hundred characters", () => {
    expect(found(25, 4)).toEqual({ from: 0, period: 25 });
    expect(found(40, 3)).toBeUndefined();
    expect(found(24, 4)).toBeUndefined();
    expect(found(24, 5)).toEqual({ from: 0, period: 24 });
    expect(closingRepetition("a".repeat(99))).toBeUndefined();
    expect(closingRepetition("a".repeat(100))).toEqual({ from: 0, period: 1 });
    expect(closingRepetition("")).toBeUndefined();
  });

  it("is the shortest matching passage, of at most 400 characters", () => {
    expect(found(400, 4)).toEqual({ from: 0, period: 400 });
    expect(found(401, 4)).toBeUndefined();
    expect(closingRepetition("ab".repeat(60))).toEqual({ from: 0, period: 2 });
  });

  it("fills at least half of the text, and may start with part of the passage and end with white space", () => {
    const repeated = different(25).repeat(4);
    expect(closingRepetition(other(100) + repeated)).toEqual({ from: 100, period: 25 });
    expect(closingRepetition(other(101) + repeated)).toBeUndefined();
    expect(closingRepetition(`${other(100)}${repeated} \n`)).toEqual({ from: 100, period: 25 });
    expect(closingRepetition(`de${"abcde".repeat(25)}`)).toEqual({ from: 0, period: 5 });
    expect(closingRepetition(repeated + other(1))).toBeUndefined();
  });

  it("is searched for in at most a million characters", () => {
    expect(closingRepetition("a".repeat(1_000_000))).toEqual({ from: 0, period: 1 });
    expect(closingRepetition("a".repeat(1_000_001))).toBeUndefined();
  });
});

describe("the share of a text that is in its prompt", () => {
  const share = (text: string, ...prompt: readonly string[]) =>
    echoedShare(
      text,
      prompt.map((content): Message => ({ role: "user", content })),
    );

  it("counts passages of 20 characters and more that any message of the prompt contains", () => {
    expect(share(different(20), other(30), different(20))).toBe(1);
    expect(share(different(19), different(20))).toBe(0);
    expect(share(different(20), different(19), different(20).slice(19))).toBe(0);
    expect(share(different(20) + other(20), other(20), different(20))).toBe(1);
    expect(share(different(20))).toBe(0);
    expect(share("", different(20))).toBe(0);
    // The second passage begins within the first, 19 characters before its end.
    expect(share(different(21), different(20), different(21).slice(1))).toBe(1);
    expect(share(different(22) + other(1), different(20), different(22).slice(2))).toBeCloseTo(22 / 23, 12);
  });

  it("is the share of characters in any such passage, at any distance from the beginning and the end", () => {
    const random = randomFrom("passages");
    const letters = (count: number) => Array.from({ length: count }, () => "abc"[Math.floor(random() * 3)]).join("");
    for (let round = 0; round < 100; round++) {
      const prompt = letters(120);
      const from = Math.floor(random() * 60);
      const text =
        letters(Math.floor(random() * 8)) + prompt.slice(from, from + 36) + letters(Math.floor(random() * 8));
      const starts = Array.from({ length: text.length }, (_, at) => at).filter(
        (at) => at + 20 <= text.length && prompt.includes(text.slice(at, at + 20)),
      );
      const echoed = new Set(starts.flatMap((at) => Array.from({ length: 20 }, (_, offset) => at + offset))).size;
      const expected = echoed / text.length;
      expect(share(text, prompt), text).toBeCloseTo(expected < 0.8 ? 0 : expected, 12);
    }
  });

  it("is not searched for any more after a billion compared characters of the prompt", () => {
    const passage = Array.from({ length: 101 }, (_, at) => String(1000 + at)).join("");
    const prompt = passage.padEnd(10_000_000, "-");
    // 19 runs of 20 characters begin in the passage and end behind it; a hundred times ten million are compared.
    expect(share(passage + "b".repeat(81), prompt)).toBeCloseTo(404 / 485, 12);
    expect(share(passage + "b".repeat(82), prompt)).toBe(0);
  });

  it("is reported if it is at least four fifths; a smaller share has no effect", () => {
    expect(share(different(20) + other(5), different(20))).toBeCloseTo(0.8, 12);
    expect(share(other(6) + different(24), different(24))).toBeCloseTo(0.8, 12);
    expect(share(different(20) + other(6), different(20))).toBe(0);
    expect(share(different(21) + other(5), different(21))).toBeCloseTo(21 / 26, 12);
  });
});
