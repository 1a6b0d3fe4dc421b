/** Variance by task x wording x repeat, compared with mean squares of statsmodels 0.14 (`anova_lm` of `y ~ C(t) * C(w)`). */
import { describe, expect, it } from "vitest";
import { type LevelValue, varianceSplit } from "../../../source/engine/statistics/variance-split.ts";

/** Six tasks in three wordings, four repeats each. */
const balanced = [
  [
    [0.39, 0.44, 0.46, 0.29],
    [0.7, 0.65, 0.67, 0.86],
    [0.38, 0.46, 0.55, 0.4],
  ],
  [
    [0.57, 0.59, 0.59, 0.46],
    [0.68, 0.8, 0.51, 0.75],
    [0.49, 0.42, 0.68, 0.56],
  ],
  [
    [0.4, 0.53, 0.58, 0.5],
    [0.58, 0.51, 0.58, 0.66],
    [0.26, 0.35, 0.28, 0.34],
  ],
  [
    [0.02, 0.08, 0.12, 0.23],
    [0.51, 0.26, 0.31, 0.46],
    [-0.14, 0.02, 0.05, 0.19],
  ],
  [
    [0.46, 0.36, 0.36, 0.37],
    [0.64, 0.44, 0.45, 0.52],
    [0.35, 0.34, 0.25, 0.36],
  ],
  [
    [0.28, 0.44, 0.39, 0.32],
    [0.55, 0.45, 0.59, 0.48],
    [0.03, -0.15, 0.01, -0.19],
  ],
];
const valuesOf = (cells: readonly (readonly (readonly number[])[])[]): readonly LevelValue[] =>
  cells.flatMap((levels, unit) =>
    levels.flatMap((repeats, level) => repeats.map((value) => ({ unit: `t${unit}`, level: `w${level}`, value }))),
  );

describe("the variance split by task, wording and repeat", () => {
  it("equals the estimates from statsmodels' mean squares", () => {
    const { variance, unknown, units } = varianceSplit(valuesOf(balanced))!;
    expect(units).toBe(6);
    expect(unknown).toBeUndefined();
    expect(variance.unit.value).toBeCloseTo(0.021133125, 10);
    expect(variance.level.value).toBeCloseTo(0.021780208333, 10);
    expect(variance.both.value).toBeCloseTo(0.008715856481, 10);
    expect(variance.sampling!.value).toBeCloseTo(0.007761574074, 10);
  });

  it("adds the variance of sampling to the residual if there is one repeat, and reports this", () => {
    const first = balanced.map((levels) => levels.map(([value]) => [value!]));
    const { variance, spread, unknown } = varianceSplit(valuesOf(first))!;
    expect(unknown).toBe("there is only one repeat");
    expect(variance.sampling).toBeUndefined();
    expect(spread.sampling).toBeUndefined();
    expect(variance.unit.value).toBeCloseTo(0.023695555556, 10);
    expect(variance.level.value).toBeCloseTo(0.036377777778, 10);
    expect(variance.both.value).toBeCloseTo(0.008905555556, 10);
  });

  it("reports that the variance of sampling is unknown if no task has two repeats", () => {
    const alike = balanced.map((levels) => levels.map(([value]) => [value!, value!]));
    expect(varianceSplit(valuesOf(alike))!.unknown).toBe("all repeats are equal");
  });

  it("separates the variance between wordings from the variance of sampling", () => {
    const { spread, levels } = varianceSplit(valuesOf(balanced))!;
    // Sampling: the standard deviation of a mean over six tasks. Wordings: that of the three means, minus sampling.
    expect(spread.sampling!.value).toBeCloseTo(Math.sqrt(0.007761574074 / 6), 9);
    const means = levels.map(({ mean }) => mean);
    const centre = means.reduce((sum, each) => sum + each, 0) / 3;
    const between = means.reduce((sum, each) => sum + (each - centre) ** 2, 0) / 2;
    expect(spread.level.value).toBeCloseTo(Math.sqrt(between - 0.007761574074 / 24), 9);
    expect(spread.level.interval!.low).toBeLessThan(spread.level.value);
    expect(spread.level.interval!.high).toBeGreaterThan(spread.level.value);
  });

  it("weights tasks equally if repeats are unequal, and omits tasks that lack a wording", () => {
    const uneven = balanced.map((levels, unit) =>
      levels.map((repeats, level) => repeats.slice(0, 1 + ((unit + level) % 4))),
    );
    const { units, left, levels } = varianceSplit([...valuesOf(uneven), { unit: "more", level: "w0", value: 9 }])!;
    expect([units, left]).toEqual([6, 1]);
    const first = uneven.map(([repeats]) => repeats!.reduce((sum, value) => sum + value, 0) / repeats!.length);
    expect(levels[0]!.mean).toBeCloseTo(first.reduce((sum, value) => sum + value, 0) / 6, 12);
  });

  it("estimates by the unweighted means of the cells if repeats are unequal", () => {
    // Cell means 1 and 4 for the first task, 3 and 10 for the second, with 2, 1, 3 and 2 repeats.
    const cells = [
      [[0, 2], [4]],
      [
        [1, 3, 5],
        [9, 11],
      ],
    ];
    const { variance, spread } = varianceSplit(valuesOf(cells))!;
    // Squares within cells: 2, 0, 8 and 2, with 1 + 0 + 2 + 1 degrees of freedom.
    const sampling = 12 / 4;
    // Means of tasks 2.5 and 6.5, of wordings 2 and 7, of all 4.5; residuals of 1 in each cell.
    const [ofUnits, ofLevels, ofBoth] = [2 * (2 ** 2 + 2 ** 2), 2 * (2.5 ** 2 + 2.5 ** 2), 4];
    const noise = (sampling * (1 / 2 + 1 + 1 / 3 + 1 / 2)) / 4;
    expect(variance.sampling!.value).toBeCloseTo(sampling, 12);
    expect(variance.unit.value).toBeCloseTo((ofUnits - ofBoth) / 2, 12);
    expect(variance.level.value).toBeCloseTo((ofLevels - ofBoth) / 2, 12);
    expect(variance.both.value).toBeCloseTo(ofBoth - noise, 12);
    expect(spread.sampling!.value).toBeCloseTo(Math.sqrt(sampling / 2), 12);
    expect(spread.level.value).toBeCloseTo(Math.sqrt((ofLevels - noise) / 2), 12);
  });

  it("has intervals by resampling tasks with the seed 0 unless another is given", () => {
    const of = (seed?: number) => varianceSplit(valuesOf(balanced), seed)!.variance;
    expect(of()).toEqual(of(0));
    expect(of()).not.toEqual(of(1));
  });

  it("never estimates a negative variance", () => {
    const equal = balanced.map(() => [
      [0, 1],
      [1, 0],
    ]);
    const { variance } = varianceSplit(valuesOf(equal))!;
    expect([variance.unit, variance.level, variance.both].map(({ value }) => value)).toEqual([0, 0, 0]);
  });

  it("is undefined with fewer than two wordings or two tasks", () => {
    expect(varianceSplit([])).toBeUndefined();
    expect(varianceSplit(valuesOf(balanced.slice(0, 1)))).toBeUndefined();
    expect(varianceSplit(valuesOf(balanced.map((levels) => levels.slice(0, 1))))).toBeUndefined();
  });
});
