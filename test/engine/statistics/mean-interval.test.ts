import { describe, expect, it } from "vitest";
import { clusteredMean } from "../../../source/engine/statistics/clustered-mean.ts";
import { isConstant } from "../../../source/engine/statistics/constancy.ts";
import { unpairedDifference, welch } from "../../../source/engine/statistics/difference-test.ts";
import { wilson } from "../../../source/engine/statistics/interval.ts";
import { intervalOf } from "../../../source/engine/statistics/mean-interval.ts";
import { pairedPermutation } from "../../../source/engine/statistics/permutation.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";

const times = (value: number, n: number) => Array<number>(n).fill(value);
const each = (values: readonly number[]) => values.map((value, at) => ({ value, cluster: String(at) }));

describe("identical values in statistics", () => {
  it("are detected relative to their size, although sums are rounded", () => {
    expect(isConstant(times(0.8, 8))).toBe(true);
    expect(isConstant([0.1 + 0.2, 0.3])).toBe(true);
    expect(isConstant([1e9, 1e9 + 1e-4])).toBe(true);
    expect(isConstant([1e-9, 2e-9])).toBe(false);
    expect(isConstant([0, 1e-300])).toBe(false);
    expect(isConstant([0.8, 0.8 + 1e-9])).toBe(false);
    expect(isConstant([])).toBe(true);
  });

  it("show no significant difference, whatever its size", () => {
    for (const [one, other] of [
      [1, 0.8],
      [0.7, 0.1],
      [3.3, 3.1],
    ] as const) {
      const tested = unpairedDifference(times(one, 8), times(other, 8), 0)!;
      expect(tested).toMatchObject({ p: 1, test: "no test, because the scores vary too little" });
      expect(tested.difference).toBeCloseTo(one - other, 12);
      expect(tested.interval(0.05)).toBeUndefined();
      expect(welch(times(one, 8), times(other, 8))).toBeUndefined();
    }
  });

  it("give the paired test no interval, even if the differences are rounded", () => {
    const differences = [0.3 - 0.1, 0.4 - 0.2, 0.9 - 0.7, 0.8 - 0.6, 0.6 - 0.4, 0.5 - 0.3, 0.7 - 0.5, 1 - 0.8];
    expect(new Set(differences).size).toBeGreaterThan(1);
    expect(pairedPermutation(differences).interval).toBeUndefined();
  });

  it("have Wilson's interval for an outcome that did not occur", () => {
    // By hand: z² / (8 + z²) = 0.32440757, so the mean 0.8 may lie between 0.8 x 0.67559243 and 0.8 + 0.2 x 0.32440757.
    const { low, high } = intervalOf(times(0.8, 8))!;
    expect(low).toBeCloseTo(0.54047395, 7);
    expect(high).toBeCloseTo(0.86488151, 7);
    expect(clusteredMean(each(times(0.8, 8)))).toMatchObject({ standardError: 0, interval: { low, high } });
    expect(intervalOf(times(1, 8))).toEqual(wilson(8, 8));
    expect(intervalOf(times(0, 8))).toEqual(wilson(0, 8));
    expect(intervalOf([0.4])!.high).toBeGreaterThan(0.85);
  });

  it("have no interval if the range of unseen values is unknown", () => {
    expect(intervalOf(times(3, 8))).toBeUndefined();
    expect(intervalOf(times(-0.5, 8))).toBeUndefined();
    expect(clusteredMean(each(times(3, 8)))!.interval).toBeUndefined();
    expect(intervalOf([])).toBeUndefined();
  });
});

describe("the interval of a mean", () => {
  it("is Wilson's for zeros and ones", () => {
    expect(intervalOf([1, 1, 0, 1])).toEqual(wilson(3, 4));
  });

  // SciPy's minimize (SLSQP) over the weights of the values, 0 and 1: highest and lowest mean with the same likelihood ratio.
  it.each([
    [[0.2, 0.35, 0.9, 1, 0, 0.5, 0.55, 0.61, 0.1, 0.15], 0.23147384561618845, 0.6768981655253667],
    [[1, 1, 1, 1, 0.9, 1, 1, 1], 0.6958399825861041, 0.9996937159205376],
    [[0.8, 0.8, 0.8, 0.81], 0.22626837548963896, 0.9443268222654928],
    [[0, 0, 0.25, 0.5, 0, 0], 0.010714720280807444, 0.5103816766349389],
  ])("is computed by the likelihood ratio over all distributions from 0 to 1: %j", (values, low, high) => {
    const interval = intervalOf(values)!;
    expect(interval.low).toBeCloseTo(low, 5);
    expect(interval.high).toBeCloseTo(high, 5);
  });

  it("is 0 to 1 for two shares, even if a share is 0 or 1", () => {
    // Student's t for two values is 12.7: a distribution on 0 and 1 alone is likely enough, however near 1 the pole is.
    for (const values of [
      [1, 2 / 3],
      [0, 1 / 3],
      [1, 0.999],
      [0.2, 0.4],
    ]) {
      const { low, high } = intervalOf(values)!;
      expect(low).toBeCloseTo(0, 9);
      expect(high).toBeCloseTo(1, 9);
    }
  });

  it("is mirrored if the values are mirrored", () => {
    const values = [0.1, 0.1, 0.75, 0.9, 1];
    const { low, high } = intervalOf(values)!;
    const mirrored = intervalOf(values.map((value) => 1 - value))!;
    expect(mirrored.low).toBeCloseTo(1 - high, 12);
    expect(mirrored.high).toBeCloseTo(1 - low, 12);
  });

  it("is Student's for values outside 0 to 1", () => {
    // SciPy 1.17.1: t.interval(0.95, 4, loc=4.4, scale=1.777638883463118).
    const { low, high } = intervalOf([1, 2, 3, 5, 11])!;
    expect(low).toBeCloseTo(4.4 - 2.7764451051977987 * 1.777638883463118, 9);
    expect(high).toBeCloseTo(4.4 + 2.7764451051977987 * 1.777638883463118, 9);
  });

  it("approaches the normal interval for a large sample", () => {
    const { low, high } = intervalOf(Array.from({ length: 4000 }, (_, index) => (index % 20) / 20))!;
    const error = Math.sqrt(0.083125 / 4000);
    expect(low).toBeCloseTo(0.475 - 1.96 * error, 3);
    expect(high).toBeCloseTo(0.475 + 1.96 * error, 3);
  });

  it.each([
    ["mostly 1, rarely 0", [1, 1, 1, 1, 1, 1, 1, 0.9, 0.9, 0]],
    ["near 1", [1, 0.99, 0.97, 0.95, 0.9, 0.98, 1, 0.85, 0.96, 0.4]],
    ["spread over 0 to 1", [0, 0.2, 0.4, 0.6, 0.8, 1, 0.5, 0.5, 0.3, 0.7]],
  ])("covers a population's mean from ten values in over 93 % of samples: %s", (_, population) => {
    const random = randomFrom("covered");
    const mean = population.reduce((sum, value) => sum + value, 0) / population.length;
    let covered = 0;
    for (let sample = 0; sample < 2000; sample++) {
      const drawn = Array.from({ length: 10 }, () => population[Math.floor(random() * population.length)]!);
      const { low, high } = intervalOf(drawn)!;
      if (low <= mean && mean <= high) covered += 1;
    }
    expect(covered / 2000).toBeGreaterThan(0.93);
  });
});
