import { describe, expect, test } from "vitest";
import { betaQuantile, betaShare, studentQuantile } from "../../../source/engine/statistics/beta.ts";

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
  ])("below %f of beta(%f, %f) lies the share %f", (x, a, b, share) => {
    expect(betaShare(x, a, b)).toBeCloseTo(share, 11);
  });

  test.each([
    [0.025, 1, 10, 0.0025285785444617848],
    [0.975, 5, 3, 0.9010117215574921],
    [0.025, 150, 1, 0.9757074028338915],
    [0.975, 500, 700, 0.4446754406462241],
    [0.05, 0.5, 15, 0.0001332648450537307],
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
