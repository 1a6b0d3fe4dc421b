import { expect, it } from "vitest";
import { fleissKappa } from "../../../source/engine/statistics/agreement.ts";

it("computes Fleiss' kappa of three raters and of two, leaving out items that lack a verdict", () => {
  const [yes, no] = [true, false];
  // Pairs that agree: 1, 1/3, 1 and 1/3, in the mean 2/3; by chance 1/2.
  const items = [
    [yes, yes, yes],
    [yes, yes, no],
    [no, no, no],
    [yes, no, no],
  ];
  expect(fleissKappa(items)).toBeCloseTo(1 / 3, 12);
  expect(fleissKappa([...items, [yes, undefined, no]])).toBeCloseTo(1 / 3, 12);
  // Three of four pairs agree; by chance (5/8)^2 + (3/8)^2.
  const pairs = [
    [yes, yes],
    [yes, yes],
    [no, no],
    [yes, no],
  ];
  expect(fleissKappa(pairs)).toBeCloseTo((3 / 4 - 34 / 64) / (1 - 34 / 64), 12);
});

it("has no kappa of one rater, of no items, and of verdicts of one kind", () => {
  expect(fleissKappa([[true], [false]])).toBeUndefined();
  expect(fleissKappa([])).toBeUndefined();
  expect(fleissKappa([[true, true]])).toBeUndefined();
  expect(fleissKappa([[false, false]])).toBeUndefined();
});
