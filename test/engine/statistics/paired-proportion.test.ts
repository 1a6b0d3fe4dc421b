import { describe, expect, test } from "vitest";
import { mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import {
  conditional,
  pairedProportion,
  pairedProportionP,
  tango,
} from "../../../source/engine/statistics/paired-proportion.ts";

describe("the difference of two shares on the same tasks", () => {
  // R 4.6.0, PropCIs `scoreci.mp(lost, gained, n, 0.95)`, whose own tolerance is a millionth.
  test.each([
    [40, 20, 160, 0.030864522, 0.218064286],
    [12, 2, 50, 0.061112356, 0.344708729],
    [5, 0, 20, 0.048593521, 0.468700796],
    [0, 0, 50, -0.071347594, 0.071347654],
    [6, 0, 20, 0.090537262, 0.518972886],
    [1, 7, 21, -0.51723235, -0.026002961],
    [6, 16, 161, -0.124023421, -0.005433416],
    [0, 10, 10, -1, -0.444934428],
    [80, 55, 1000, 0.00225552, 0.048152305],
  ])("has Tango's interval, equal to PropCIs', for %i gained and %i lost of %i", (gained, lost, n, low, high) => {
    const interval = tango(gained, lost, n);
    expect(interval.low).toBeCloseTo(low, 6);
    expect(interval.high).toBeCloseTo(high, 6);
  });

  // The score test with the other parameter's likelihood maximised by scipy.optimize.minimize_scalar instead of the closed
  // form, its limits by scipy.optimize.brentq (SciPy 1.17.1): exact to about 1e-9.
  test.each([
    [40, 20, 160, 0.03086453248615954, 0.21806424381585565],
    [1, 7, 21, -0.5172322772717975, -0.026003032297000975],
    [80, 55, 1000, 0.002255526559332667, 0.04815226879464424],
  ])("has the interval found by numerically maximising the likelihood (%i, %i, %i)", (gained, lost, n, low, high) => {
    const interval = tango(gained, lost, n);
    expect(interval.low).toBeCloseTo(low, 8);
    expect(interval.high).toBeCloseTo(high, 8);
  });

  // SciPy 1.17.1: (2 * limit - 1) * (b + c) / n of binomtest(b, b + c).proportion_ci(0.95, method="exact").
  test.each([
    [40, 20, 160, 0.024845493942852098, 0.2123479159266223],
    [5, 0, 20, -0.010911875052490722, 0.25],
    [0, 5, 20, -0.25, 0.010911875052490722],
    [1, 7, 21, -0.3785449725476173, 0.020197844476315247],
    [80, 55, 1000, 0.0012772943098014822, 0.04760113423849471],
  ])(
    "has a scaled Clopper-Pearson interval, conditional on differing tasks, for %i and %i of %i",
    (gained, lost, n, low, high) => {
      const interval = conditional(gained, lost, n);
      expect(interval.low).toBeCloseTo(low, 10);
      expect(interval.high).toBeCloseTo(high, 10);
    },
  );

  test("has an interval that includes zero if five of twenty tasks improved, or if no task differs", () => {
    expect(pairedProportion(5, 0, 20)!.low).toBeLessThan(0);
    expect(pairedProportion(5, 0, 20)!.high).toBeCloseTo(0.4687, 4);
    const none = pairedProportion(0, 0, 50)!;
    expect(none.low).toBeCloseTo(-0.0713, 4);
    expect(none.high).toBeCloseTo(0.0713, 4);
    expect(pairedProportion(0, 0, 0)).toBeUndefined();
  });

  test("has an interval that excludes zero exactly if McNemar's exact p value is below 0.05", () => {
    const differ: string[] = [];
    for (let all = 0; all <= 150; all++)
      // The other half is symmetric.
      for (let gained = 0; 2 * gained <= all; gained++)
        for (const n of [Math.max(all, 1), 3 * all + 7]) {
          const { low, high } = pairedProportion(gained, all - gained, n)!;
          const excludes = low > 0 || high < 0;
          if (excludes !== mcnemarExact(gained, all - gained) < 0.05) differ.push(`${gained}:${all - gained} of ${n}`);
        }
    expect(differ).toEqual([]);
  });

  test("has a mirrored interval if the two runs are exchanged", () => {
    const [one, other] = [pairedProportion(3, 11, 40)!, pairedProportion(11, 3, 40)!];
    expect(other.low).toBeCloseTo(-one.high, 12);
    expect(other.high).toBeCloseTo(-one.low, 12);
  });

  // SciPy 1.17.1: Tango's closed form with norm.sf, and twice the smaller tail of binom; the larger of the two.
  test.each([
    [12, 5, 50, 0, 0.143463134765625],
    [12, 5, 50, 0.1, 0.8194014676623955],
    [12, 5, 50, -0.1, 0.006536579055495154],
    [5, 12, 50, 0.1, 0.006536579055495154],
    [5, 0, 20, 0, 0.0625],
    [5, 0, 20, 0.1, 0.3361399999999999],
    [0, 5, 20, 0.1, 0.005289282142293881],
    [0, 0, 20, 0, 1],
    [0, 0, 20, 0.1, 0.13603712811414362],
    [3, 1, 10, 0.39, 0.3113352743902783],
    [3, 1, 10, -0.41, 0.003916641905867304],
    [30, 10, 100, 0.2, 1],
    // At the ends of what the differing tasks allow, and beyond: a difference of all of them can be observed.
    [5, 0, 20, 0.25, 1],
    [0, 5, 20, -0.25, 1],
  ])(
    "has for %i gained and %i lost of %i against a difference of %d the p value %d",
    (gained, lost, n, difference, p) => {
      expect(pairedProportionP(gained, lost, n, difference)).toBeCloseTo(p, 9);
    },
  );

  test("ends at 1 if all tasks are gained, and at -1 if all are lost", () => {
    expect([tango(10, 0, 10).high, tango(0, 10, 10).low]).toEqual([1, -1]);
    expect(tango(10, 0, 10).low).toBeCloseTo(0.444934428, 6);
    expect([conditional(0, 0, 5), conditional(5, 0, 5).high, conditional(0, 5, 5).low]).toEqual([
      { low: 0, high: 0 },
      1,
      -1,
    ]);
    expect([pairedProportionP(0, 0, 9, 0), pairedProportionP(2, 0, 2, 1)]).toEqual([1, 1]);
    expect(() => pairedProportionP(3, 2, 4, 0)).toThrow("Expected at most 4 gained and lost tasks, got 3 and 2");
  });

  test("throws an error if there are more differing tasks than tasks", () => {
    expect(() => pairedProportion(3, 2, 4)).toThrow("Expected at most 4 gained and lost tasks, got 3 and 2");
    expect(() => tango(-1, 0, 4)).toThrow("Expected at most 4 gained and lost tasks, got -1 and 0");
    expect(() => conditional(0, -1, 4)).toThrow("Expected at most 4 gained and lost tasks, got 0 and -1");
    expect(pairedProportion(3, 1, 4)).toBeDefined();
    expect(pairedProportion(0, 0, 0)).toBeUndefined();
  });
});
