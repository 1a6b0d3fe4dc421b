import { describe, expect, test } from "vitest";
import {
  pairedDifference,
  unpairedDifference,
  newcombe,
  newcombeP,
  welch,
} from "../../../source/engine/statistics/difference-test.ts";
import { normalPoint, normalTails } from "../../../source/engine/statistics/normal.ts";
import { pairedProportionP } from "../../../source/engine/statistics/paired-proportion.ts";

const of = (right: number, n: number) => ({ right, n });
const zeros = (ones: number, n: number) => Array.from({ length: n }, (_, index) => (index < ones ? 1 : 0));

describe("the normal distribution", () => {
  // SciPy 1.17.1: 2 * norm.sf(z).
  test.each([
    [0.5, 0.6170750774519738],
    [1.959963984540054, 0.05],
    [2.9, 0.003731626600768075],
    [3.3, 0.0009668482847675549],
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
