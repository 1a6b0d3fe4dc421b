import { describe, expect, it } from "vitest";
import { disagreement, passAtK, passHatK } from "../../../source/engine/statistics/pass-at-k.ts";

const choose = (n: number, k: number) => {
  let product = 1;
  for (let at = 0; at < k; at++) product *= (n - at) / (at + 1);
  return k > n ? 0 : product;
};

describe("k tries out of n trials", () => {
  it("succeed with the published estimators' probability, for each n up to 7", () => {
    for (let n = 1; n <= 7; n++)
      for (let successes = 0; successes <= n; successes++)
        for (let k = 1; k <= n; k++) {
          const [one, all] = [passAtK(n, successes, k)!, passHatK(n, successes, k)!];
          expect(one).toBeCloseTo(1 - choose(n - successes, k) / choose(n, k), 12);
          expect(all).toBeCloseTo(choose(successes, k) / choose(n, k), 12);
        }
  });

  it("are undefined if k is 0 or more than n", () => {
    for (const of of [passAtK, passHatK]) {
      expect([of(3, 1, 4), of(3, 1, 0), of(0, 0, 1)]).toEqual([undefined, undefined, undefined]);
      expect(of(3, 3, 3)).toBe(1);
      expect(() => of(3, 4, 1)).toThrow("Expected the number of successes to be from 0 to 3");
      expect(() => of(3, -1, 1)).toThrow("Expected the number of successes to be from 0 to 3");
    }
    expect(passHatK(3, 2, 3)).toBe(0);
  });
});

it("disagreement is the share of pairs of values that differ", () => {
  expect(disagreement([1, 1])).toBe(0);
  expect(disagreement([1, 2])).toBe(1);
  // Of the six pairs of a, a, b, c one is equal.
  expect(disagreement(["a", "a", "b", "c"])).toBeCloseTo(5 / 6, 12);
  expect(disagreement(["a", "a", "a", "b"])).toBeCloseTo(1 / 2, 12);
  expect([disagreement([1]), disagreement([])]).toEqual([undefined, undefined]);
  // A number differs from its text.
  expect(disagreement([1, "1"])).toBe(1);
});
