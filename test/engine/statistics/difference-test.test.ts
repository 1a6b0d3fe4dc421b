import { describe, expect, test } from "vitest";
import {
  pairedDifference,
  unpairedDifference,
  newcombe,
  newcombeP,
  welch,
} from "../../../source/engine/statistics/difference-test.ts";
import { normalPoint, normalTails } from "../../../source/engine/statistics/normal.ts";
import { detectableMean, detectableShare } from "../../../source/engine/statistics/detectable-difference.ts";
import { pairedProportion, pairedProportionP } from "../../../source/engine/statistics/paired-proportion.ts";
import { pairedPermutation } from "../../../source/engine/statistics/permutation.ts";

const of = (right: number, n: number) => ({ right, n });
const zeros = (ones: number, n: number) => Array.from({ length: n }, (_, index) => (index < ones ? 1 : 0));

describe("the normal distribution", () => {
  // SciPy 1.17.1: 2 * norm.sf(z).
  test.each([
    [0.5, 0.6170750774519738],
    [1.959963984540054, 0.05],
    [2.9, 0.003731626600768075],
    [3.3, 0.0009668482847675549],
    [4.2, 2.669149803181268e-5],
    [6, 1.973175290075389e-9],
    [20, 5.507248237212311e-89],
  ])("has the same two-sided tail beyond %f as SciPy's", (z, p) => {
    expect(normalTails(z) / p).toBeCloseTo(1, 12);
    expect(normalTails(-z)).toBe(normalTails(z));
    expect(normalPoint(p)).toBeCloseTo(z, 10);
  });
});

describe("the difference of two shares over different tasks", () => {
  // statsmodels 0.15.0: confint_proportions_2indep(..., method="newcomb", compare="diff", alpha=...).
  test.each([
    [15, 20, 9, 25, 0.05, 0.09711270619906592, 0.5995116119635215],
    [15, 20, 9, 25, 0.01, 0.008492165378982175, 0.6419395253420026],
    [5, 5, 0, 5, 0.05, 0.38554900569034356, 1],
    [30, 30, 29, 31, 0.05, -0.05820593720231643, 0.20718636736298135],
    [0, 10, 0, 12, 0.01, -0.35604686964872206, 0.3988540933049082],
    [120, 300, 90, 280, 0.05, 0.00031141261386097296, 0.1552365170294163],
    [3, 7, 3, 7, 0.05, -0.41965682040757163, 0.41965682040757163],
  ])("for %i of %i against %i of %i at level %f has Newcombe's interval", (a, n, b, m, level, low, high) => {
    const interval = newcombe(of(a, n), of(b, m), level)!;
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  // The alpha at which a limit of that interval equals the difference, by scipy.optimize.brentq.
  test.each([
    [15, 20, 9, 25, 0, 0.00834672635361705],
    [15, 20, 9, 25, 0.1, 0.052305635652209075],
    [120, 300, 90, 280, 0.02, 0.14234223750250055],
    [15, 20, 9, 25, 0.6, 0.04926249512483545],
  ])(
    "for %i of %i against %i of %i has the p value at which the interval starts to exclude %f",
    (a, n, b, m, difference, p) => {
      expect(newcombeP(of(a, n), of(b, m), difference)).toBeCloseTo(p, 10);
    },
  );
});

// SciPy 1.17.1: ttest_ind(one, other, equal_var=False), its confidence_interval, and the same with 0.1 less in the first.
test("Welch's test compares two means over different tasks", () => {
  const [one, other] = [
    [0.1, 0.4, 0.35, 0.8, 0.9, 0.55],
    [0.2, 0.15, 0.5, 0.3],
  ];
  const found = welch(one!, other!)!;
  expect(found.p).toBeCloseTo(0.1516505696525605, 12);
  expect(found.interval.low).toBeCloseTo(-0.1050083965548616, 9);
  expect(found.interval.high).toBeCloseTo(0.5633417298881949, 9);
  expect(welch(one!, other!, 0, 0.01)!.interval.high).toBeCloseTo(0.7172364655169707, 9);
  expect(welch(one!, other!, 0.1)!.p).toBeCloseTo(0.39706470663869275, 12);
  expect(welch([0.5, 0.5], [0.2, 0.2])).toBeUndefined();
  expect(welch([0.5], [0.2, 0.4])).toBeUndefined();
  expect(welch([0.2, 0.4], [0.5])).toBeUndefined();
});

test("Welch's test works with two values per group", () => {
  // Means 1 and 4, both squared errors 1: t = -3 / √2 with two degrees of freedom, whose distribution has a closed form.
  const { p, interval } = welch([0, 2], [3, 5])!;
  expect(p).toBeCloseTo(1 - 3 / Math.sqrt(13), 12);
  const reach = 0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)) * Math.SQRT2;
  expect(interval.low).toBeCloseTo(-3 - reach, 9);
  expect(interval.high).toBeCloseTo(-3 + reach, 9);
});

// SciPy 1.17.1: twice the smaller of binom.cdf(gained, differing, share) and binom.sf(gained - 1, ...).
test.each([
  [40, 20, 160, 0, 0.01348929373119186],
  [40, 20, 160, 0.05, 0.1494750979953297],
  [12, 2, 50, 0.1, 0.24620603341813962],
  [5, 0, 20, 0, 0.0625],
  // The sides swapped.
  [20, 40, 160, 0, 0.01348929373119186],
  [2, 12, 50, -0.1, 0.24620603341813962],
  [0, 5, 20, 0, 0.0625],
])(
  "%i gained and %i lost of %i against a difference of %f have at least the exact conditional p value",
  (gained, lost, n, difference, p) => {
    expect(pairedProportionP(gained, lost, n, difference)).toBeCloseTo(p, 10);
  },
);

describe("the p value of Newcombe's interval", () => {
  test("is 1 for the observed difference and 0 for an impossible one", () => {
    expect(newcombeP(of(15, 20), of(5, 20), 0.5)).toBe(1);
    // The observed difference is 0.39: on both sides beside it, the interval excludes a difference only at a high level.
    for (const difference of [0.385, 0.395]) {
      const p = newcombeP(of(15, 20), of(9, 25), difference);
      expect([p > 0.9, p < 1]).toEqual([true, true]);
    }
    expect(newcombe(of(15, 20), of(9, 25))).toEqual(newcombe(of(15, 20), of(9, 25), 0.05));
    expect([newcombeP(of(15, 20), of(5, 20), 3), newcombeP(of(15, 20), of(5, 20), -3)]).toEqual([0, 0]);
    expect([newcombe(of(0, 0), of(1, 2)), newcombe(of(1, 2), of(0, 0))]).toEqual([undefined, undefined]);
  });
});

describe("the test of a difference", () => {
  test("of shares on the same tasks names its test, and the differences that it detects", () => {
    const [one, other] = [zeros(30, 40), zeros(20, 40)];
    const found = pairedDifference(one, other, 0, 0)!;
    expect(found).toMatchObject({
      difference: 0.25,
      p: pairedProportionP(10, 0, 40, 0),
      test: "paired shares: the larger p of Tango's score test and the exact conditional test",
    });
    expect(found.interval(0.01)).toEqual(pairedProportion(10, 0, 40, 0.01));
    expect(found.detectable()).toBe(detectableShare(40, 10 / 40));
    expect(pairedDifference(other, one, 0, 0)!.detectable()).toBe(detectableShare(40, 10 / 40));
    // Ten of forty differences are 1: their variance is 40 x 1/4 x 3/4 / 39.
    const bounded = pairedDifference(one, other, 0.1, 0)!;
    expect(bounded.p).toBe(pairedProportionP(10, 0, 40, 0.1));
    expect(bounded.detectable()).toBeCloseTo(detectableMean(40, Math.sqrt(7.5 / 39))!, 12);
    expect(pairedDifference(one, one, 0.1, 0)!.detectable()).toBeUndefined();
  });

  test("of other values on the same tasks permutes the differences from the bound", () => {
    const [one, other] = [
      [0.1, 0.9, 0.5, 0.75, 0.3, 0.2, 0.8, 0.9],
      [0.2, 0.4, 0.25, 0.5, 0.1, 0, 0.7, 0.1],
    ] as const;
    const differences = one.map((value, at) => value - other[at]!);
    const found = pairedDifference(one, other, 0.1, 3)!;
    const shifted = pairedPermutation(
      differences.map((value) => value - 0.1),
      3,
      0.1,
    );
    expect(found).toMatchObject({ p: shifted.p, test: "paired permutation" });
    expect(found.difference).toBeCloseTo(2.2 / 8, 12);
    expect(found.interval(0.1)!.low).toBeCloseTo(shifted.interval!.low + 0.1, 9);
    expect(found.interval(0.1)!.high).toBeCloseTo(shifted.interval!.high + 0.1, 9);
    const mean = 2.2 / 8;
    const deviation = Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 7);
    expect(found.detectable()).toBeCloseTo(detectableMean(8, deviation)!, 9);
    const same = pairedDifference([0.5, 0.7], [0.3, 0.5], 0, 0)!;
    expect([same.detectable(), same.interval(0.05)]).toEqual([undefined, undefined]);
    // One side of zeros and ones alone is not compared as shares.
    expect(pairedDifference([0, 1], [0.5, 1], 0, 0)!.test).toBe("paired permutation");
    expect(pairedDifference([0.5, 1], [0, 1], 0, 0)!.test).toBe("paired permutation");
    // Sums are rounded: 0.3 - 0.1 is not 0.2 for a computer.
    expect(pairedDifference([0.3, 0.2], [0.1, 0.4], 0, 0)).toMatchObject({ difference: 0, p: 1 });
  });

  test("on different tasks detects differences from two values of each side on", () => {
    const shares = unpairedDifference(zeros(12, 20), zeros(8, 20), 0)!;
    expect(shares).toMatchObject({
      test: "unpaired shares: Newcombe's interval",
      p: newcombeP(of(12, 20), of(8, 20), 0),
    });
    expect(shares.difference).toBeCloseTo(0.2, 12);
    expect(shares.interval(0.01)).toEqual(newcombe(of(12, 20), of(8, 20), 0.01));
    expect(shares.detectable()).toBeCloseTo((1.959963984540054 + 0.8416212335729143) * Math.sqrt((2 * 0.24) / 19), 12);
    const means = unpairedDifference([0.1, 0.4, 0.7], [0.5, 0.3], 0.1)!;
    expect(means).toMatchObject({ test: "Welch's test", p: welch([0.1, 0.4, 0.7], [0.5, 0.3], 0.1)!.p, difference: 0 });
    expect(means.interval(0.01)).toEqual(welch([0.1, 0.4, 0.7], [0.5, 0.3], 0.1, 0.01)!.interval);
    expect(means.detectable()).toBeCloseTo((1.959963984540054 + 0.8416212335729143) * Math.sqrt(0.03 + 0.01), 12);
    for (const [one, other] of [
      [[0.5], [0.5, 0.3, 0.1]],
      [[0.5, 0.3, 0.1], [0.5]],
    ] as const) {
      const few = unpairedDifference(one, other, 0)!;
      expect([few.detectable(), few.p, few.interval(0.05)]).toEqual([undefined, 1, undefined]);
    }
    expect(unpairedDifference([0.5, 0.5], [0.25, 0.25], 0)!.detectable()).toBeUndefined();
    expect(unpairedDifference([0, 1], [0.5, 1], 0)!.test).toBe("Welch's test");
    expect(unpairedDifference([0.5, 1], [0, 1], 0)!.test).toBe("Welch's test");
    expect([unpairedDifference([1], [], 0), unpairedDifference([], [], 0)]).toEqual([undefined, undefined]);
  });
});

describe("a test and its interval", () => {
  test("agree: the interval excludes the bound exactly if the p value is below the level", () => {
    const wrong: string[] = [];
    const values = (sample: number, n: number) =>
      Array.from({ length: n }, (_, index) => ((index * 7 + sample * 13) % 23) / 23 + (sample % 5) / 10);
    for (let sample = 0; sample < 60; sample++) {
      const later = values(sample + 3, 12).map((value) => value / 1.5);
      const flips = Array.from({ length: 12 }, (_, index) => (index > 9 ? 1 : 0));
      for (const bound of [0, 0.05, 0.2])
        for (const [name, found] of Object.entries({
          pairs: pairedDifference(values(sample, 12), later, bound, 0),
          flips: pairedDifference(zeros(sample % 9, 12), flips, bound, 0),
          shares: unpairedDifference(zeros(sample % 11, 11), zeros(sample % 4, 9), bound),
          means: unpairedDifference(values(sample, 8), values(sample + 4, 6), bound),
        }))
          for (const level of [0.05, 0.0125, 0.0005]) {
            const interval = found!.interval(level);
            const excluded = interval !== undefined && (interval.low > bound || interval.high < bound);
            if (excluded !== found!.p < level) wrong.push(`${name} ${sample} ${bound} ${level} ${found!.p}`);
          }
    }
    expect(wrong).toEqual([]);
  });

  test("are undefined without tasks, and the interval is undefined if all values are equal", () => {
    expect(pairedDifference([], [], 0, 0)).toBeUndefined();
    expect(unpairedDifference([], [1], 0)).toBeUndefined();
    const same = unpairedDifference([0.5, 0.5], [0.25, 0.25], 0)!;
    expect([same.difference, same.p, same.interval(0.05)]).toEqual([0.25, 1, undefined]);
  });
});
