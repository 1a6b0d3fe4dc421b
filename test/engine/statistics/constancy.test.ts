import { describe, expect, it } from "vitest";
import { constantInterval, isConstant } from "../../../source/engine/statistics/constancy.ts";
import { mostUnseen, wilson, wilsonShare } from "../../../source/engine/statistics/interval.ts";

describe("values that differ only by rounding", () => {
  it("count as constant, relative to the size of the values or of their inputs", () => {
    expect([isConstant([]), isConstant([7]), isConstant([0.1 + 0.2, 0.3])]).toEqual([true, true, true]);
    expect([isConstant([1, 1 + 2e-12]), isConstant([1, 1 + 5e-13])]).toEqual([false, true]);
    expect([isConstant([1e6, 1e6 + 5e-7]), isConstant([-1e6, -1e6 - 5e-7])]).toEqual([true, true]);
    expect([isConstant([0, 5e-13]), isConstant([0, 5e-13], 1), isConstant([0, 2e-12], 1)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([isConstant([2, 1, 2]), isConstant([1, 2, 1])]).toEqual([false, false]);
    expect([isConstant([0, 0]), isConstant([-2, -1]), isConstant([-1, -2])]).toEqual([true, false, false]);
  });

  it("have the same interval as Wilson's for an outcome that did not occur", () => {
    const { high } = wilson(0, 8)!;
    const found = constantInterval(0.8, 8)!;
    expect(found.low).toBeCloseTo(0.8 * (1 - high), 12);
    expect(found.high).toBeCloseTo(0.8 + high * 0.2, 12);
    expect(constantInterval(1, 8)).toEqual({ low: 1 - high, high: 1 });
    expect(constantInterval(0, 8)).toEqual({ low: 0, high });
    expect([constantInterval(-0.1, 8), constantInterval(1.1, 8), constantInterval(0.5, 0)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("intervals of shares", () => {
  it("equal Wilson's for any number of trials and any level", () => {
    // statsmodels' proportion_confint(5.5, 11, alpha, "wilson") for 0.05, and by hand for a point of 1.
    expect(wilsonShare(0.5, 11).low).toBeCloseTo(
      0.5 - (1.959963984540054 * Math.sqrt(0.25 / 11 + 3.8414588206941285 / 484)) / (1 + 3.8414588206941285 / 11),
      12,
    );
    const { low, high } = wilsonShare(0.5, 4, 1);
    expect([low, high]).toEqual([
      expect.closeTo(0.5 - Math.sqrt(5 / 64) / 1.25, 12),
      expect.closeTo(0.5 + Math.sqrt(5 / 64) / 1.25, 12),
    ]);
    expect(() => wilson(-1, 3)).toThrow("Expected the number of successes to be from 0 to 3, got -1");
    expect([wilson(0, 3)!.low, wilson(3, 3)!.high]).toEqual([expect.closeTo(0, 15), 1]);
  });

  it("have Clopper and Pearson's one-sided limit for outcomes that did not occur", () => {
    expect(mostUnseen(5)).toBeCloseTo(0.4507197, 7);
    expect(mostUnseen(1)).toBeCloseTo(0.95, 12);
  });
});
