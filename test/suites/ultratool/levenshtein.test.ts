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
    ["abc", "abc", 0],
    ["a", "aaa", 2],
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

  test.each([
    [128, 0.030848369830202938, 0.4986208625877633],
    [129, 0.030668410279474697, 0.4996695512895275],
    [130, 0.030490774489446103, 0.5000771545405448],
    [144, 0.028223909963444774, 0.5016716817118021],
    [143, 0.028373382655017855, 0.5022550167986476],
    [200, 0.02193978283774529, 0.49699097291875627],
    [255, 0.018149945150591915, 0.5027435246917222],
    [257, 0.018038805393985176, 0.5012079038672437],
    [300, 0.01596432465904621, 0.5020060180541625],
    [1000, 0.0059874678655413615, 0.5010030090270813],
  ])("of %i values is the mean by numpy 2.4", (count, ofFractions, ofRemainders) => {
    expect(pairwiseMean(Array.from({ length: count }, (_, at) => 1 / (at + 3)))).toBe(ofFractions);
    expect(pairwiseMean(Array.from({ length: count }, (_, at) => ((at * 7919) % 1000) / 997))).toBe(ofRemainders);
  });

  test("equals the ordinary mean for any number of values", () => {
    expect(pairwiseMean([])).toBe(0);
    for (const count of [1, 7, 8, 9, 127, 128, 129, 1000, 2281]) {
      const values = Array.from({ length: count }, (_, index) => index);
      expect(pairwiseMean(values)).toBe((count - 1) / 2);
    }
  });
});
