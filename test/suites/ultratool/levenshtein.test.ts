import { describe, expect, test } from "vitest";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import { editDistance } from "../../../suites/ultratool/score/levenshtein.ts";
import { pairwiseMean } from "../../../suites/ultratool/score/pairwise-mean.ts";

const codes = (text: string) => Array.from(text, (letter) => letter.codePointAt(0)!);

/** The distance by its definition, one row of the matrix at a time. */
function byDefinition(first: readonly number[], second: readonly number[]): number {
  let row = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (const [index, code] of first.entries()) {
    const next = [index + 1];
    for (const [column, other] of second.entries()) {
      const change = row[column]! + (code === other ? 0 : 1);
      next.push(Math.min(change, row[column + 1]! + 1, next[column]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}

describe("the edit distance", () => {
  test.each([
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["true", "True", 1],
    ["😀", "x", 1],
    ["日本語", "日本", 1],
  ] as const)("from %s to %s is as expected in both directions", (first, second, distance) => {
    expect(editDistance(codes(first), codes(second))).toBe(distance);
    expect(editDistance(codes(second), codes(first))).toBe(distance);
  });

  test("equals its definition, around and beyond blocks of 32", () => {
    const random = randomFrom("edit distance");
    for (let round = 0; round < 400; round++) {
      const length = () => Math.floor(random() * 110);
      const text = (size: number) => Array.from({ length: size }, () => Math.floor(random() * 4) + 97);
      const first = text(length());
      const second = random() < 0.5 ? text(length()) : first.filter(() => random() < 0.8);
      expect(editDistance(first, second)).toBe(byDefinition(first, second));
    }
    for (const size of [31, 32, 33, 63, 64, 65]) {
      const first = codes("a".repeat(size));
      expect(editDistance(first, codes(`b${"a".repeat(size - 2)}cd`))).toBe(
        byDefinition(first, codes(`b${"a".repeat(size - 2)}cd`)),
      );
    }
  });
});

describe("the pairwise mean", () => {
  test("is summed in the order of the official library", () => {
    // Computed by numpy 1.24, which adds eight and more values in eight interleaved sums.
    const values = [1, 0.9130434782608696, 1, 1, 1, 0.9130434782608696, 1, 1];
    expect(pairwiseMean(values)).toBe(0.9782608695652174);
    expect(values.reduce((sum, value) => sum + value, 0) / 8).toBe(0.9782608695652173);
  });

  test("equals the ordinary mean for any number of values", () => {
    expect(pairwiseMean([])).toBe(0);
    for (const count of [1, 7, 8, 9, 127, 128, 129, 1000, 2281]) {
      const values = Array.from({ length: count }, (_, index) => index);
      expect(pairwiseMean(values)).toBe((count - 1) / 2);
    }
  });
});
