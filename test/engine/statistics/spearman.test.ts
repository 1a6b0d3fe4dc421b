import { describe, expect, it } from "vitest";
import { spearman } from "../../../source/engine/statistics/spearman.ts";

const pairs = (one: readonly number[], other: readonly number[]) =>
  one.map((value, at): readonly [number, number] => [value, other[at]!]);

describe("Spearman's rank correlation", () => {
  // Reference values: SciPy 1.17.1, spearmanr(one, other).
  it.each([
    [[1, 2, 3], [1, 3, 2], 0.5, 0.6666666666666666],
    [[1, 2, 2, 4, 5], [2, 1, 3, 3, 5], 0.7631578947368421, 0.13333911953180624],
    [[1, 1, 2, 3, 5, 8], [8, 7, 7, 2, 1, 0.5], -0.9558823529411764, 0.0028766156116425885],
    [[3, 3, 1, 2], [0, 1, 1, 5], -0.5, 0.5],
    [[10, 9, 100, 1], [1, 2, 3, 4], -0.4, 0.6],
    [[1, 2, 3, 4], [2, 4, 6, 8], 1, 0],
    [[1, 2, 3, 4], [8, 6, 4, 2], -1, 0],
  ])("equals SciPy's for %j and %j", (one, other, rho, p) => {
    const found = spearman(pairs(one, other))!;
    expect(found.n).toBe(one.length);
    expect(found.rho).toBeCloseTo(rho, 12);
    expect(found.p).toBeCloseTo(p, 12);
  });

  it("is undefined for two pairs, and if either side is constant", () => {
    expect(spearman(pairs([1, 2], [1, 2]))).toBeUndefined();
    expect(spearman(pairs([1, 1, 1], [1, 2, 3]))).toBeUndefined();
    expect(spearman(pairs([1, 2, 3], [4, 4, 4]))).toBeUndefined();
  });
});
