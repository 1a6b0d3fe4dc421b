import { describe, expect, test } from "vitest";
import {
  detectableBetween,
  detectableMean,
  detectableShare,
  mcnemarPower,
} from "../../../source/engine/statistics/detectable-difference.ts";
import { mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";

describe("the smallest detectable difference", () => {
  // SciPy 1.17.1: binom.pmf over all numbers of differing and gained tasks, where 2 * binom.cdf(min(b, c), b + c, 0.5) < 0.05.
  test.each([
    [50, 0.3, 0.2, 0.6993056060839711],
    [100, 0.2, 0.15, 0.9334729751528291],
    [200, 0.2, 0.1, 0.8753004831125805],
    [1000, 0.25, 0.05, 0.8763091470587235],
  ])(
    "for %i tasks, %f of which differ, by %f: McNemar's exact test has power %f",
    (tasks, disagreement, gap, power) => {
      expect(mcnemarPower(tasks, disagreement, gap)).toBeCloseTo(power, 5);
    },
  );

  // Solves the same enumeration for 80 % power by scipy.optimize.brentq.
  test.each([
    [100, 0.2, 0.12772495312299242],
    [200, 0.3, 0.11123762624560207],
    [60, 0.4, 0.2345397238182846],
    [1000, 0.25, 0.04509661925002375],
    [5000, 0.1, 0.01270776805204384],
  ])("for %i tasks, %f of which differ, is %f", (tasks, disagreement, difference) => {
    expect(Math.abs(detectableShare(tasks, disagreement)! - difference)).toBeLessThan(0.0001);
  });

  test("is significant in four of five randomly drawn studies", () => {
    const [tasks, disagreement] = [80, 0.3];
    const difference = detectableShare(tasks, disagreement)!;
    const random = randomFrom("studies");
    let found = 0;
    for (let study = 0; study < 4000; study++) {
      let [gained, lost] = [0, 0];
      for (let task = 0; task < tasks; task++) {
        const draw = random();
        if (draw < (disagreement + difference) / 2) gained += 1;
        else if (draw < disagreement) lost += 1;
      }
      if (mcnemarExact(gained, lost) < 0.05) found += 1;
    }
    // Four standard errors of 4,000 studies.
    expect(Math.abs(found / 4000 - 0.8)).toBeLessThan(0.025);
  });

  test("is undefined for few tasks whose runs hardly ever differ", () => {
    expect(detectableShare(30, 0.25)).toBeUndefined();
    expect(detectableShare(30, 0)).toBeUndefined();
    expect(detectableShare(0, 0.5)).toBeUndefined();
    expect(detectableShare(1, 1)).toBeUndefined();
    expect(detectableShare(30, -0.5)).toBeUndefined();
    expect(detectableShare(30, 1.5)).toBeUndefined();
  });

  // All tasks differ, so that only the number of gained tasks varies: the same enumeration in Python, with math.comb.
  test.each([
    [20, 0.5974409975],
    [6, 0.9269849679],
  ])("for %i tasks that all differ is %f", (tasks, difference) => {
    const found = detectableShare(tasks, 1)!;
    expect(Math.abs(found - difference)).toBeLessThan(0.0002);
    expect(mcnemarPower(tasks, 1, found)).toBeGreaterThanOrEqual(0.8);
    expect(mcnemarPower(tasks, 1, found - 0.0002)).toBeLessThan(0.8);
  });

  // statsmodels 0.15.0: TTestPower().solve_power(nobs=n, alpha=0.05, power=0.8), by the noncentral distribution.
  test.each([
    [10, 0.9960019107624178],
    [20, 0.6604416544380312],
    [60, 0.36770432031149547],
    [500, 0.12553231642698945],
  ])("of a mean over %i tasks is %f standard deviations of the differences", (tasks, effect) => {
    expect(detectableMean(tasks, 2)! / 2 / effect).toBeCloseTo(1, 2);
    expect(detectableMean(1, 2)).toBeUndefined();
  });

  // Student's t of one degree of freedom: tan(pi (p - 1/2)), which is 12.7062 for 0.975 and 1.3764 for 0.8.
  test("of a mean over two tasks uses one degree of freedom", () => {
    const quantile = (p: number) => Math.tan(Math.PI * (p - 0.5));
    expect(detectableMean(2, 3)).toBeCloseTo(((quantile(0.975) + quantile(0.8)) * 3) / Math.SQRT2, 9);
  });

  // The normal distribution's quantiles: 1.959964 + 0.841621.
  test("of means of different tasks is 2.8016 standard errors, and undefined if all values are equal", () => {
    expect(detectableBetween(0.5)).toBeCloseTo(0.5 * 2.801585, 5);
    expect(detectableBetween(1e-9)).toBeCloseTo(2.8e-9, 10);
    expect(detectableBetween(0)).toBeUndefined();
  });
});
