import { describe, expect, it } from "vitest";
import { clusterBootstrap } from "../../../source/engine/statistics/cluster-bootstrap.ts";

/** A statistic that counts its calls and returns values in descending order, undefined for the first `without`. */
function descending(without: number) {
  let calls = 0;
  return (sums: readonly number[]) => {
    expect(sums).toEqual([3, 30]);
    calls += 1;
    return calls <= without ? undefined : 2000 - calls;
  };
}
const alike = [1, 1, 1].map((one) => [one, 10 * one]);

describe("a bootstrap interval over clusters", () => {
  it("is between the 2.5th and 97.5th percentile of 2,000 samples with the same number of clusters", () => {
    expect(clusterBootstrap(alike, descending(0))).toEqual({ low: 50, high: 1949 });
  });

  it("omits samples without a value, and is undefined if more than half of the samples have no value", () => {
    expect(clusterBootstrap(alike, descending(1000))).toEqual({ low: 25, high: 974 });
    expect(clusterBootstrap(alike, descending(1001))).toBeUndefined();
  });

  it("draws each cluster equally often, and gives the same interval for the same seed", () => {
    const drawn = [0, 0, 0];
    const sums = (seed: number) => {
      const all: number[] = [];
      clusterBootstrap(
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        (each) => {
          for (const [at, count] of each.entries()) drawn[at]! += count;
          all.push(each[0]!);
          return 0;
        },
        seed,
      );
      return all;
    };
    const values = Array.from({ length: 12 }, (_, at) => [Math.sin(at)]);
    expect(clusterBootstrap(values, ([sum]) => sum)).toEqual(clusterBootstrap(values, ([sum]) => sum, 0));
    expect(clusterBootstrap(values, ([sum]) => sum)).not.toEqual(clusterBootstrap(values, ([sum]) => sum, 7));
    expect(sums(1)).toEqual(sums(1));
    expect(sums(2)).not.toEqual(sums(1));
    expect(drawn[0]! + drawn[1]! + drawn[2]!).toBe(4 * 6000);
    // Six standard deviations.
    for (const count of drawn) expect(Math.abs(count - 8000)).toBeLessThan(6 * Math.sqrt((24_000 * 2) / 9));
  });

  it("is undefined for fewer than two clusters", () => {
    expect(clusterBootstrap([], () => 1)).toBeUndefined();
    expect(clusterBootstrap([[1]], () => 1)).toBeUndefined();
    expect(clusterBootstrap([[1], [1]], () => 1)).toEqual({ low: 1, high: 1 });
  });
});
