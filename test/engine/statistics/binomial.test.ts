import { describe, expect, it } from "vitest";
import { drawBinomial } from "../../../source/engine/statistics/binomial.ts";
import { pairedPermutation } from "../../../source/engine/statistics/permutation.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";

describe("a binomial draw", () => {
  /** `scipy.stats.binom.cdf` (1.16) at the mean and up to two deviations from it. */
  const distributions: [trials: number, share: number, at: readonly (readonly [heads: number, cdf: number])[]][] = [
    [
      30,
      0.1,
      [
        [0, 0.042391158275216195],
        [2, 0.4113512395595057],
        [4, 0.8245051209661048],
        [6, 0.9741732113380901],
      ],
    ],
    [
      200,
      0.03,
      [
        [1, 0.016248298803784006],
        [4, 0.28097956206871255],
        [7, 0.7461031912741551],
        [10, 0.959872258415241],
      ],
    ],
    [
      50,
      0.5,
      [
        [17, 0.016419568782134242],
        [21, 0.16111816017877345],
        [25, 0.5561375863296085],
        [28, 0.8388818398212265],
      ],
    ],
    [
      1000,
      0.3,
      [
        [271, 0.023809492665536895],
        [292, 0.30357600127017165],
        [300, 0.5155935198141203],
        [328, 0.9746663589657665],
      ],
    ],
    [
      143_000,
      0.41,
      [
        [58_258, 0.02286254952087516],
        [58_537, 0.3095165681543962],
        [58_815, 0.8407086651223039],
        [59_001, 0.9770851084097042],
      ],
    ],
    [
      400,
      0.9,
      [
        [348, 0.031098616882859993],
        [357, 0.3318129799108318],
        [363, 0.7151413791324399],
        [372, 0.985058283532049],
      ],
    ],
  ];

  it.each(distributions)("has SciPy's distribution for %i coins with probability %d", (trials, share, at) => {
    const random = randomFrom("heads");
    const drawn = Array.from({ length: 100_000 }, () => drawBinomial(trials, share, random));
    for (const [heads, cdf] of at) {
      const below = drawn.filter((each) => each <= heads).length / drawn.length;
      // Four standard errors of a share of so many draws.
      expect(Math.abs(below - cdf)).toBeLessThan(4 * Math.sqrt((cdf * (1 - cdf)) / drawn.length));
    }
  });

  it("is 1 for one coin from the random number on that equals the probability of 0", () => {
    const coin = (...numbers: number[]) => drawBinomial(1, 0.5, () => numbers.shift()!);
    expect([coin(0.499), coin(0.5), coin(0.999, 0)]).toEqual([0, 1, 1]);
    // Two coins: 1/4, 1/2 and 1/4.
    const two = (...numbers: number[]) => drawBinomial(2, 0.5, () => numbers.shift()!);
    expect([two(0.249), two(0.25), two(0.749), two(0.75, 0), two(0.999, 0)]).toEqual([0, 1, 1, 2, 2]);
  });

  it("is 0 for no coins, and none or all for the probabilities 0 and 1", () => {
    const random = randomFrom(0);
    expect([drawBinomial(0, 0.5, random), drawBinomial(9, 0, random), drawBinomial(9, 1, random)]).toEqual([0, 0, 9]);
  });
});

/** A linear congruential generator that other languages reproduce exactly. */
function congruential() {
  let state = 12_345n;
  return () => Number((state = (state * 1_103_515_245n + 12_345n) % 2_147_483_648n)) / 2_147_483_648;
}

describe("each binomial draw", () => {
  // Hörmann's BTRS, and inversion below a mean of 10, written from the paper in Python 3.12 (`math.lgamma`).
  it.each([
    [20, 0.3, [7, 5, 7, 3, 6, 6, 6, 5, 5, 5, 8, 4, 5, 7, 8, 11, 8, 6, 6, 7, 5, 7, 7, 10], 706_568_710],
    [39, 0.25, [11, 8, 11, 6, 10, 10, 10, 9, 8, 9, 12, 7, 8, 11, 12, 16, 12, 9, 10, 11, 8, 11, 11, 15], 706_568_710],
    [40, 0.25, [11, 12, 10, 11, 8, 13, 8, 13, 10, 8, 8, 7, 13, 11, 10, 9, 11, 13, 12, 11, 9, 11, 9, 11], 321_843_028],
    [
      1000,
      0.3,
      [
        307, 308, 301, 304, 289, 315, 291, 314, 302, 289, 293, 309, 284, 313, 304, 302, 296, 306, 316, 309, 305, 296,
        305, 295,
      ],
      1_203_133_286,
    ],
    [
      1000,
      0.93,
      [
        926, 926, 930, 928, 936, 921, 935, 922, 929, 936, 934, 925, 939, 923, 928, 929, 932, 926, 921, 925, 927, 932,
        927, 933,
      ],
      1_203_133_286,
    ],
    [
      30,
      0.5,
      [16, 17, 15, 16, 13, 18, 13, 18, 15, 13, 13, 17, 12, 18, 16, 15, 14, 16, 18, 17, 16, 14, 16, 14],
      1_203_133_286,
    ],
    [7, 0.9, [6, 7, 6, 7, 6, 6, 6, 7, 7, 7, 6, 7, 7, 6, 6, 4, 6, 7, 6, 6, 7, 6, 6, 4], 706_568_710],
  ])("equals the draw of an independent program for %i coins with probability %d", (trials, share, drawn, next) => {
    const random = congruential();
    expect(drawn.map(() => drawBinomial(trials, share, random))).toEqual(drawn);
    // It consumed equally many random numbers.
    expect(random() * 2_147_483_648).toBe(next);
  });
});

describe("the permutation test of many identical values", () => {
  const repeated = (...parts: [value: number, times: number][]) =>
    parts.flatMap(([value, times]) => Array<number>(times).fill(value));

  it("has the p value that NumPy's random signs give", () => {
    const differences = repeated([1, 1300], [-1, 1220], [0.5, 400], [-0.5, 460], [0, 2000]);
    // 4,000,000 random signs by numpy.random.binomial: 0.34422; of 9,999 with their complements the error is 0.0034.
    expect(Math.abs(pairedPermutation(differences, "equal").p - 0.34422)).toBeLessThan(0.014);
  });

  it("needs the same number of draws for any number of values", () => {
    const drawn = (times: number) => {
      let draws = 0;
      const random = randomFrom("counted");
      const counted = () => ((draws += 1), random());
      for (let round = 0; round < 100; round++) drawBinomial(times, 0.3, counted);
      return draws;
    };
    expect(drawn(1_000_000)).toBeLessThan(2 * drawn(1000));
  });
});

/** A linear congruential generator (ISO C's example), which counts its numbers. */
function uniform() {
  let state = 1n;
  const draw = () => {
    state = (1_103_515_245n * state + 12_345n) % 2_147_483_648n;
    draw.count += 1;
    return Number(state) / 2_147_483_648;
  };
  draw.count = 0;
  return draw;
}

describe("a thousand draws from one stream of numbers", () => {
  // BTRS and inversion written from the paper in Python 3.11, with math.lgamma, over the same stream.
  it.each([
    [30, 0.1, [3, 1, 2, 3, 6, 1, 4, 2], 3026, 1000],
    [200, 0.03, [6, 4, 5, 6, 10, 4, 7, 4], 6056, 1000],
    [25, 0.4, [10, 8, 15, 12, 10, 6, 8, 12], 10_079, 2734],
    [50, 0.4, [20, 18, 27, 22, 20, 14, 18, 23], 20_114, 2630],
    [400, 0.1, [40, 36, 53, 44, 40, 30, 36, 45], 40_274, 2506],
    [1000, 0.3, [301, 292, 332, 309, 300, 276, 290, 312], 300_549, 2326],
    [143_000, 0.41, [58_637, 58_525, 59_040, 58_741, 58_627, 58_319, 58_506, 58_782], 58_637_928, 2248],
  ])("equal the published algorithm's draws for %i trials with a share of %d", (trials, share, first, sum, numbers) => {
    const random = uniform();
    const draws = Array.from({ length: 1000 }, () => drawBinomial(trials, share, random));
    expect([draws.slice(0, 8), draws.reduce((all, one) => all + one, 0), random.count]).toEqual([first, sum, numbers]);
  });

  it("mirror the draws of the complement above one half, and use no random numbers if the outcome is certain", () => {
    const [low, high] = [uniform(), uniform()];
    for (let draw = 0; draw < 100; draw++)
      expect(drawBinomial(50, 1 - 0.4, high)).toBe(50 - drawBinomial(50, 1 - (1 - 0.4), low));
    const none = uniform();
    expect([drawBinomial(0, 0.3, none), drawBinomial(9, 0, none), drawBinomial(9, 1, none)]).toEqual([0, 0, 9]);
    expect(none.count).toBe(0);
  });
});
