import { describe, expect, test } from "vitest";
import {
  clusteredMean as meanOfClusters,
  type ClusteredValue,
} from "../../../source/engine/statistics/clustered-mean.ts";
import { wilson } from "../../../source/engine/statistics/interval.ts";

const clusteredMean = (...given: Parameters<typeof meanOfClusters>) => meanOfClusters(...given);

const clustered = (values: readonly number[], clusterOf: (index: number) => unknown): ClusteredValue[] =>
  values.map((value, index) => ({ value, cluster: String(clusterOf(index)) }));

/** Five trials of each of six tasks. */
const trials = [1, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 1];
const values = [0.2, 0.35, 0.9, 1, 0, 0.5, 0.55, 0.61, 0.1, 0.15, 0.75, 0.8];
const groups = [0, 0, 0, 1, 1, 2, 3, 3, 3, 3, 4, 4];

// statsmodels 0.15.0: OLS(values, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True), its `bse` and
// `conf_int()`; the correction is the default one (use_correction=True).
describe("a mean of clustered values", () => {
  test("has statsmodels' cluster-robust standard error and interval, for clusters of any size", () => {
    const found = clusteredMean(clustered(values, (index) => groups[index]))!;
    expect(found).toMatchObject({ n: 12, clusters: 5 });
    expect(found.mean).toBeCloseTo(0.4925, 12);
    expect(found.standardError).toBeCloseTo(0.07417734590717938, 12);
    expect(found.interval!.low).toBeCloseTo(0.28655067, 8);
    expect(found.interval!.high).toBeCloseTo(0.69844933, 8);
  });

  test("equals the ordinary mean if every value is its own cluster", () => {
    const found = clusteredMean(clustered(values, (index) => index))!;
    expect(found.standardError).toBeCloseTo(0.09619365725956003, 12);
    expect(found.interval!.low).toBeCloseTo(0.28077919, 8);
    expect(found.interval!.high).toBeCloseTo(0.70422081, 8);
  });

  // The effective number is 1 + p (1 - p) / se^2 = 11.769 of statsmodels' standard error, the interval statsmodels 0.15.0,
  // proportion_confint(p * 11.769230769230775, 11.769230769230775, method="wilson").
  test("uses Wilson's interval over the effective number of values for zeros and ones", () => {
    const found = clusteredMean(clustered(trials, (index) => Math.floor(index / 5)))!;
    expect(found.standardError).toBeCloseTo(0.15202339001321835, 12);
    expect(found.interval!.low).toBeCloseTo(0.2775149838854758, 10);
    expect(found.interval!.high).toBeCloseTo(0.7727464334654768, 10);
  });

  test("equals the unclustered interval if each cluster has one value", () => {
    const single = clusteredMean(clustered([1, 1, 0, 1, 0, 0, 1], (index) => index))!;
    expect(single.interval!.low).toBeCloseTo(wilson(4, 7)!.low, 12);
    expect(single.interval!.high).toBeCloseTo(wilson(4, 7)!.high, 12);
  });

  test("gives a task with repeated trials no more weight than a task with one trial", () => {
    const repeated = clusteredMean(clustered([1, 1, 1, 1, 1, 1], (index) => index % 3))!;
    expect(repeated.interval).toEqual(wilson(3, 3));
    const copies = clusteredMean(clustered([1, 1, 0, 0, 1, 1, 0, 0], (index) => Math.floor(index / 2)))!;
    const once = clusteredMean(clustered([1, 0, 1, 0], (index) => index))!;
    expect(copies.standardError).toBeCloseTo(once.standardError!, 12);
  });

  // Wilson's upper end for 0 of 4 is z^2 / (4 + z^2), with z^2 = 3.8414588.
  test("has no standard error for equal values, but the interval of one unseen value in the same number of clusters", () => {
    const u = 3.8414588206941285 / (4 + 3.8414588206941285);
    const found = clusteredMean(clustered([0.5, 0.5, 0.5, 0.5], (index) => index))!;
    expect(found.standardError).toBe(0);
    expect(found.interval!.low).toBeCloseTo(0.5 * (1 - u), 12);
    expect(found.interval!.high).toBeCloseTo(0.5 + 0.5 * u, 12);
    // 0.1 + 0.2 is 0.3 but for rounding.
    const rounded = clusteredMean(clustered([0.1 + 0.2, 0.3, 0.3, 0.3], (index) => index))!;
    expect(rounded.standardError).toBe(0);
    expect(rounded.interval!.high - rounded.interval!.low).toBeCloseTo(u, 12);
    // Values that cancel each other are as large as each of them, not as their sum.
    const far = clusteredMean(clustered([1e6, 1e6 + 1e-9, -1e6, -1e6 - 1e-9], (index) => Math.floor(index / 2)))!;
    expect(far.standardError).toBeGreaterThan(0);
    expect(clusteredMean(clustered([1e-13, 0, 1e-13], (index) => index))!.standardError).toBeGreaterThan(0);
  });

  test("has no standard error with fewer than two clusters", () => {
    expect(clusteredMean(clustered([1, 0, 1], () => "one"))).toMatchObject({
      clusters: 1,
      standardError: undefined,
      interval: undefined,
    });
    expect(clusteredMean([])).toBeUndefined();
  });
});
