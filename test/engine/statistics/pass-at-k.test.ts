import { describe, expect, test } from "vitest";
import { passAtK, passHatK } from "../../../source/engine/statistics/pass-at-k.ts";

describe("what k tries come to", () => {
  // NumPy 2.4.6, the estimator printed in Chen et al. 2021 (figure 3): 1.0 - np.prod(1.0 - k / np.arange(n - c + 1, n + 1)).
  test.each([
    [200, 13, 1, 0.065],
    [200, 13, 10, 0.4975511147306061],
    [200, 13, 100, 0.9999194971988055],
    [5, 2, 3, 0.9],
    [8, 6, 4, 1],
    [4, 0, 2, 0],
  ])("pass@k of %i trials with %i right, k = %i, is %f", (trials, successes, k, share) => {
    expect(passAtK(trials, successes, k)).toBeCloseTo(share, 12);
  });

  // Python, math.comb(c, k) / math.comb(n, k), the estimator of tau-bench (Yao et al. 2024).
  test.each([
    [200, 13, 1, 0.065],
    [200, 13, 10, 1.2738851058221087e-14],
    [5, 2, 3, 0],
    [8, 6, 4, 0.21428571428571427],
    [5, 5, 5, 1],
  ])("pass^k of %i trials with %i right, k = %i, is %f", (trials, successes, k, share) => {
    expect(passHatK(trials, successes, k)! / (share || 1)).toBeCloseTo(share === 0 ? 0 : 1, 10);
  });

  test("both are the share of all samples of k trials that hold a success, or nothing else", () => {
    const results = [true, true, false, false, false, true];
    const samples = results.flatMap((a, i) => results.slice(i + 1).map((b) => [a, b] as const));
    expect(passAtK(6, 3, 2)).toBeCloseTo(samples.filter(([a, b]) => a || b).length / samples.length, 12);
    expect(passHatK(6, 3, 2)).toBeCloseTo(samples.filter(([a, b]) => a && b).length / samples.length, 12);
  });

  test("more tries than trials cannot be told", () => {
    expect(passAtK(3, 3, 4)).toBeUndefined();
    expect(passHatK(3, 3, 4)).toBeUndefined();
    expect(() => passHatK(3, 4, 1)).toThrow("Expected successes from 0 to 3, got 4");
  });
});
