import { describe, expect, test } from "vitest";
import { wilson } from "../../../source/engine/statistics/interval.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import { comparePaired as comparedInPieces, holm, mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import { passAtK, passHatK } from "../../../source/engine/statistics/pass-at-k.ts";
import { betaQuantile, betaShare, studentQuantile } from "../../../source/engine/statistics/beta.ts";

const comparePaired = (pairs: readonly (readonly [before: number, after: number])[]) =>
  comparedInPieces(
    pairs.map(([before]) => before),
    pairs.map(([, after]) => after),
  );

describe("Wilson's interval", () => {
  // Reference values: SciPy 1.17.1, binomtest(x, n).proportion_ci(method="wilson").
  test.each([
    [0, 10, 0, 0.2775327998628892],
    [15, 50, 0.1910355350088095, 0.4375035046445341],
    [81, 263, 0.2552885198782742, 0.36620957698280004],
    [10, 10, 0.7224672001371107, 1],
  ])("equals SciPy's for %i of %i", (successes, trials, low, high) => {
    const interval = wilson(successes, trials)!;
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  test("is undefined without trials, and rejects more successes than trials as a bug", () => {
    expect(wilson(0, 0)).toBeUndefined();
    expect(() => wilson(3, 2)).toThrow("Expected the number of successes to be from 0 to 2, got 3");
  });
});

describe("a paired comparison", () => {
  // Reference values: SciPy 1.17.1, binomtest(min(b, c), b + c).pvalue.
  test.each([
    [0, 0, 1],
    [1, 9, 0.021484375],
    [12, 5, 0.143463134765625],
    [30, 60, 0.0020602656809630745],
    [500, 500, 1],
    [2600, 2400, 0.004883649737517494],
  ])("has McNemar's exact p value: %i gained and %i lost give %f", (gained, lost, p) => {
    expect(mcnemarExact(gained, lost)).toBeCloseTo(p, 10);
  });

  test("reports gains, losses and the name of the test", () => {
    const flips = comparePaired([
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 0],
    ]);
    expect(flips).toMatchObject({ n: 4, gained: 2, lost: 1, difference: 0.25, p: 1, test: "McNemar exact" });
    expect(comparePaired([[0.2, 0.5]])).toMatchObject({ test: "paired permutation", p: 1 });
  });

  test("is McNemar's only if all values are 0 or 1, and uses the seed 0 unless another is given", () => {
    const testOf = (...pairs: (readonly [number, number])[]) => comparePaired(pairs).test;
    expect([testOf(), testOf([0, 1], [1, 0]), testOf([1, 1], [0, 0])]).toEqual(
      Array.from({ length: 3 }, () => "McNemar exact"),
    );
    expect([
      testOf([0, 0.5]),
      testOf([0.5, 0]),
      testOf([1, 0.5]),
      testOf([0.5, 1]),
      testOf([0, 2]),
      testOf([1, 0], [1, 0.5]),
      testOf([1, 0.5], [1, 0]),
    ]).toEqual(Array.from({ length: 7 }, () => "paired permutation"));
    expect(comparePaired([])).toEqual({
      n: 0,
      difference: 0,
      interval: undefined,
      gained: 0,
      lost: 0,
      p: 1,
      test: "McNemar exact",
    });
    expect(
      comparePaired([
        [0.25, 0.5],
        [1, 0.75],
        [0.5, 0.5],
      ]),
    ).toMatchObject({ n: 3, gained: 1, lost: 1, difference: 0 });
    const [before, after] = [
      Array.from({ length: 30 }, (_, at) => Math.sin(at)),
      Array.from({ length: 30 }, (_, at) => Math.cos(at) + 0.1),
    ];
    expect(comparedInPieces(before, after)).toEqual(comparedInPieces(before, after, 0));
    expect(comparedInPieces(before, after)).not.toEqual(comparedInPieces(before, after, 1));
  });

  test("has the interval that belongs to the test", () => {
    const flips = Array.from({ length: 20 }, (_, task) => [0, task < 5 ? 1 : 0] as const);
    const five = comparePaired(flips);
    expect(five).toMatchObject({ p: 0.0625, test: "McNemar exact", interval: pairedProportion(5, 0, 20) });
    expect(five.interval!.low).toBeLessThan(0);
    const halves = comparePaired(flips.map(([before, after]) => [before / 2, after / 2]));
    expect(halves).toMatchObject({ test: "paired permutation", p: 0.0625 });
    expect(halves.interval!.low).toBe(0);
    expect(comparePaired([]).interval).toBeUndefined();
  });

  // By hand: 0.005*4, max(0.01*3, before), max(0.03*2, before), max(0.04*1, before).
  test("is corrected by Holm: each p value is multiplied by the number of remaining tests and never falls", () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  });
});

describe("success in k tries", () => {
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

  test("equals the share of all samples of k trials with a success, or with only successes", () => {
    const results = [true, true, false, false, false, true];
    const samples = results.flatMap((a, i) => results.slice(i + 1).map((b) => [a, b] as const));
    expect(passAtK(6, 3, 2)).toBeCloseTo(samples.filter(([a, b]) => a || b).length / samples.length, 12);
    expect(passHatK(6, 3, 2)).toBeCloseTo(samples.filter(([a, b]) => a && b).length / samples.length, 12);
  });

  test("is undefined if k is larger than the number of trials", () => {
    expect(passAtK(3, 3, 4)).toBeUndefined();
    expect(passHatK(3, 3, 4)).toBeUndefined();
    expect(() => passHatK(3, 4, 1)).toThrow("Expected the number of successes to be from 0 to 3, got 4");
  });
});

// Reference values: SciPy 1.17.1, scipy.stats.beta.cdf and .ppf, scipy.stats.t.ppf.
describe("the beta distribution", () => {
  test.each([
    [0.3, 0.5, 0.5, 0.36901011956554536],
    [0.7, 5, 3, 0.6470695],
    [0.99, 150, 1, 0.22145178723886091],
    [0.42, 500, 700, 0.5937664454826134],
    [0.41, 2000, 3000, 0.9252621262083036],
    [0, 2, 3, 0],
    [1, 2, 3, 1],
    [1, 2, 2, 1],
    [1, 3, 2, 1],
    [1.5, 2, 3, 1],
    [-0.5, 2, 3, 0],
    // mpmath 1.3: betainc(a, b, 0, x, regularized=True).
    [0.3, 2.5, 0.5, 0.018927124071945654],
    [0.25, 1, 3, 0.578125],
    [0.9, 0.5, 4, 0.9999714888513697],
    [0.01, 0.5, 0.5, 0.06376856085851985],
    [0.97, 30, 0.5, 0.17821754497024153],
  ])("has the expected share below %f: beta(%f, %f) has %f", (x, a, b, share) => {
    expect(betaShare(x, a, b)).toBeCloseTo(share, 11);
  });

  test.each([
    [0.025, 1, 10, 0.0025285785444617848],
    [0.975, 5, 3, 0.9010117215574921],
    [0.025, 150, 1, 0.9757074028338915],
    [0.975, 500, 700, 0.4446754406462241],
    [0.05, 0.5, 15, 0.0001332648450537307],
    [0.5, 2, 3, 0.38572756813238956],
    [0.9, 0.5, 0.5, 0.9755282581475768],
    [0.001, 3, 1, 0.1],
  ])("the %f quantile of beta(%f, %f) is %f", (p, a, b, x) => {
    expect(betaQuantile(p, a, b)).toBeCloseTo(x, 12);
  });

  test.each([
    [1, 12.706204736174694],
    [2, 4.302652729749462],
    [9, 2.262157162798205],
    [49, 2.0095752371292392],
    [4999, 1.9604386466615247],
  ])("Student's 97.5 %% point with %i degrees of freedom is %f", (degrees, point) => {
    expect(studentQuantile(0.975, degrees)).toBeCloseTo(point, 10);
    expect(studentQuantile(0.025, degrees)).toBeCloseTo(-point, 10);
  });
});
