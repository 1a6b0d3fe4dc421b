/** Round numbers along an axis: multiples of 1, 2 or 5 times a power of ten. */
import { describe, expect, it } from "vitest";
import { axisTicks, ticksBetween } from "../../../source/engine/figures/axis-ticks.ts";

describe("ticks of an axis from 0", () => {
  it.each([
    [10, 5, [0, 2, 4, 6, 8, 10]],
    [10, 4, [0, 5, 10]],
    [10, 10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [9.9, 5, [0, 2, 4, 6, 8]],
    [1, 4, [0, 0.5, 1]],
    [1, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    // In binary fractions, 0.3 is slightly less than three times 0.1.
    [0.3, 3, [0, 0.1, 0.2, 0.3]],
    // In binary fractions, 0.07 is slightly more than seven times 0.01.
    [0.07, 7, [0, 0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07]],
    [1200, 3, [0, 500, 1000]],
    [7, 1, [0]],
    [0, 5, [0]],
    [-1, 5, [0]],
    [Infinity, 5, [0]],
    [NaN, 5, [0]],
  ])("up to %s, at most %i after the 0, are %j", (most, count, ticks) => expect(axisTicks(most, count)).toEqual(ticks));

  it("are whole for counts", () => {
    expect(axisTicks(2, 5, true)).toEqual([0, 1, 2]);
    expect(axisTicks(1, 4, true)).toEqual([0, 1]);
    expect(axisTicks(0.5, 4, true)).toEqual([0]);
    expect(axisTicks(10, 4, true)).toEqual([0, 5, 10]);
  });
});

describe("ticks between two ends", () => {
  it.each([
    [0, 1, 4, [0, 0.5, 1]],
    [0.1, 0.4, 2, [0.2, 0.4]],
    [-1, 1, 4, [-1, -0.5, 0, 0.5, 1]],
    [33, 203, 4, [50, 100, 150, 200]],
    // Fewer than two round numbers lie between these ends.
    [0.11, 0.19, 1, [0.11, 0.19]],
    [5, 5, 3, [5]],
    [2, 1, 3, [2]],
    [0, Infinity, 3, [0]],
  ])("%s and %s, %i steps: %j", (low, high, count, ticks) => expect(ticksBetween(low, high, count)).toEqual(ticks));
});
