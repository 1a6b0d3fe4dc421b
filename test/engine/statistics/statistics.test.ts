import { describe, expect, test } from "vitest";
import { bootstrapMean, intervalOf, wilson } from "../../../source/engine/statistics/interval.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import { comparePaired as comparedInPieces, holm, mcnemarExact } from "../../../source/engine/statistics/paired.ts";

const comparePaired = (pairs: readonly (readonly [before: number, after: number])[]) =>
  comparedInPieces(
    pairs.map(([before]) => before),
    pairs.map(([, after]) => after),
  );

describe("intervals", () => {
  // Reference values: SciPy 1.17.1, binomtest(x, n).proportion_ci(method="wilson").
  test.each([
    [0, 10, 0, 0.2775327998628892],
    [15, 50, 0.1910355350088095, 0.4375035046445341],
    [81, 263, 0.2552885198782742, 0.36620957698280004],
    [10, 10, 0.7224672001371107, 1],
  ])("Wilson of %i in %i is SciPy's score interval", (successes, trials, low, high) => {
    const interval = wilson(successes, trials)!;
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  test("nothing tried gives no interval, and more successes than trials is a bug", () => {
    expect(wilson(0, 0)).toBeUndefined();
    expect(bootstrapMean([])).toBeUndefined();
    expect(() => wilson(3, 2)).toThrow("Expected successes from 0 to 2, got 3");
  });

  test("the bootstrap comes close to the normal interval of a large sample", () => {
    const values = Array.from({ length: 400 }, (_, index) => (index % 20) / 20);
    const { low, high } = bootstrapMean(values, "seed")!;
    const standardError = Math.sqrt(0.0831 / 400);
    expect(low).toBeCloseTo(0.475 - 1.96 * standardError, 2);
    expect(high).toBeCloseTo(0.475 + 1.96 * standardError, 2);
    expect(bootstrapMean(values, "seed")).toEqual({ low, high });
  });

  test("zeros and ones get Wilson's", () => {
    expect(intervalOf([1, 1, 0, 1])).toEqual(wilson(3, 4));
  });
});

describe("paired comparison", () => {
  // Reference values: SciPy 1.17.1, binomtest(min(b, c), b + c).pvalue.
  test.each([
    [0, 0, 1],
    [1, 9, 0.021484375],
    [12, 5, 0.143463134765625],
    [30, 60, 0.0020602656809630745],
    [500, 500, 1],
    [2600, 2400, 0.004883649737517494],
  ])("McNemar's exact test of %i gained and %i lost gives %f", (gained, lost, p) => {
    expect(mcnemarExact(gained, lost)).toBeCloseTo(p, 10);
  });

  test("a comparison says what was gained, lost, and with which test", () => {
    const flips = comparePaired([
      [0, 1],
      [1, 1],
      [0, 1],
      [1, 0],
    ]);
    expect(flips).toMatchObject({ n: 4, gained: 2, lost: 1, difference: 0.25, p: 1, test: "McNemar exact" });
    expect(comparePaired([[0.2, 0.5]])).toMatchObject({ test: "paired permutation", p: 1 });
  });

  test("the interval of a comparison belongs to its test", () => {
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
  test("Holm's correction multiplies by the tests left and never falls", () => {
    expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02]);
  });
});
