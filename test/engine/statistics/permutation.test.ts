import { describe, expect, test } from "vitest";
import { drawBinomial } from "../../../source/engine/statistics/binomial.ts";
import { mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import { pairedPermutation as permuted } from "../../../source/engine/statistics/permutation.ts";
import { randomFrom, randomWordsFrom } from "../../../source/engine/statistics/random.ts";

const pairedPermutation = (...given: Parameters<typeof permuted>) => permuted(...given);

/** p of a shift by enumerating all signs, the definition of the test. */
function shiftedP(differences: readonly number[], shift: number): number {
  const moved = differences.map((value) => value - shift);
  const observed = Math.abs(moved.reduce((sum, value) => sum + value, 0));
  let extreme = 0;
  for (let signs = 0; signs < 2 ** moved.length; signs++) {
    const sum = moved.reduce((before, value, index) => before + ((signs >> index) & 1 ? value : -value), 0);
    if (Math.abs(sum) >= observed - 1e-12) extreme += 1;
  }
  return extreme / 2 ** moved.length;
}

describe("the paired permutation test", () => {
  // SciPy 1.17.1, permutation_test((d,), np.mean, permutation_type="samples", n_resamples=inf); the limits by bisection
  // of that p over d - shift with NumPy 2.4.6.
  test.each([
    [[0.1, 0.4, -0.2, 0.5, 0.3, 0.25, 0.05, -0.1], 0.1171875, -0.0666666666667, 0.3833333333333],
    [[0.5, 0.25, 0, 0, 0.5, -0.25, 0.25, 0.5, 0, 0.25], 0.078125, 0, 0.375],
    [[1, 2, 3, 4, 5, 6], 0.03125, 1, 6],
  ])(
    "equals SciPy's p value, and has an interval that contains the shifts that are not rejected: %j",
    (differences, p, low, high) => {
      const found = pairedPermutation(differences);
      expect(found.p).toBe(p);
      expect(found.interval!.low).toBeCloseTo(low, 5);
      expect(found.interval!.high).toBeCloseTo(high, 5);
    },
  );

  test("enumerates small samples exactly", () => {
    // All eight sign patterns of 1, 2, 3: only +++ and --- reach 6.
    expect(pairedPermutation([1, 2, 3])).toEqual({ p: 2 / 8, interval: undefined });
    expect(pairedPermutation([0, 0])).toEqual({ p: 1, interval: undefined });
    expect(pairedPermutation([])).toEqual({ p: 1, interval: undefined });
  });

  test("enumerates all 16,384 sign combinations of fourteen different differences instead of 9,999 random combinations", () => {
    const differences = Array.from({ length: 14 }, (_, task) => (task + 1) * (task % 4 === 0 ? -0.05 : 0.1));
    expect(pairedPermutation(differences).p).toBe(shiftedP(differences, 0));
  });

  test("equals McNemar's exact test for differences of +1 and -1", () => {
    for (const [gained, lost, same] of [
      [9, 1, 40],
      [60, 30, 900],
      [3, 3, 0],
    ] as const) {
      const differences = [gained, lost, same].flatMap((times, kind) =>
        Array.from({ length: times }, () => [1, -1, 0][kind]!),
      );
      expect(pairedPermutation(differences).p).toBeCloseTo(mcnemarExact(gained, lost), 12);
    }
  });

  test("has interval limits at the shifts whose p value crosses 0.05", () => {
    const random = randomFrom("limits");
    for (let sample = 0; sample < 20; sample++) {
      // Some values occur twice, some are zero.
      const differences = Array.from({ length: 8 }, () => Math.round((random() - 0.4) * 8) / 10);
      const { interval, p } = pairedPermutation(differences);
      expect(p).toBeCloseTo(shiftedP(differences, 0), 12);
      if (interval === undefined) continue;
      const step = 0.0001;
      expect(shiftedP(differences, interval.low - step)).toBeLessThan(0.05);
      expect(shiftedP(differences, interval.low + step)).toBeGreaterThanOrEqual(0.05);
      expect(shiftedP(differences, interval.high + step)).toBeLessThan(0.05);
      expect(shiftedP(differences, interval.high - step)).toBeGreaterThanOrEqual(0.05);
    }
  });

  test("has an interval that excludes zero exactly if the p value is below 0.05, whether random or exact", () => {
    const random = randomFrom("agreement");
    const seen = { exact: new Set<boolean>(), drawn: new Set<boolean>() };
    for (let sample = 0; sample < 40; sample++) {
      const n = sample % 2 === 0 ? 10 : 40;
      const shift = (sample / 40) * 0.3;
      const differences = Array.from({ length: n }, () => (random() < 0.3 ? 0 : random() - 0.5 + shift));
      const { p, interval } = pairedPermutation(differences, sample);
      const excludes = interval!.low > 0 || interval!.high < 0;
      expect(excludes).toBe(p < 0.05);
      seen[n === 10 ? "exact" : "drawn"].add(excludes);
    }
    expect(seen).toEqual({ exact: new Set([false, true]), drawn: new Set([false, true]) });
  });

  test("approximates the exact p value by random signs, identically for the same seed, and never returns 0", () => {
    const few = Array.from({ length: 16 }, (_, task) => Math.round(Math.sin(task) * 1000 + 300) / 1000);
    const drawn = pairedPermutation(few, "seed");
    expect(drawn.p).toBeCloseTo(shiftedP(few, 0), 2);
    expect(shiftedP(few, drawn.interval!.low)).toBeCloseTo(0.05, 2);
    expect(shiftedP(few, drawn.interval!.high)).toBeCloseTo(0.05, 2);
    expect(pairedPermutation(few, "seed")).toEqual(drawn);
    const sure = pairedPermutation(Array.from({ length: 200 }, (_, task) => 1 + (task % 50) / 1000));
    expect(sure.p).toBe(1 / 10_000);
    expect(sure.interval!.low).toBeGreaterThan(1);
  });

  test("has the seed 0 and the level 0.05 unless others are given", () => {
    const values = Array.from({ length: 30 }, (_, task) => Math.cos(3 * task) + 0.2);
    expect(permuted(values)).toEqual(permuted(values, 0, 0.05));
    expect(permuted(values).p).not.toBe(permuted(values, 1).p);
    expect(permuted(values).interval).not.toEqual(permuted(values, 0, 0.1).interval);
  });

  test("is mirrored if the two sides are exchanged", () => {
    const values = Array.from({ length: 30 }, (_, task) => Math.cos(3 * task) + 0.2);
    const [one, other] = [
      pairedPermutation(values, 7),
      pairedPermutation(
        values.map((value) => -value),
        7,
      ),
    ];
    expect(other.p).toBe(one.p);
    expect(other.interval!.low).toBeCloseTo(-one.interval!.high, 6);
    expect(other.interval!.high).toBeCloseTo(-one.interval!.low, 6);
  });

  test("has no interval for fewer than six differences, or for identical differences", () => {
    expect(pairedPermutation([0.1, 0.2, 0.3, 0.4, 0.6]).interval).toBeUndefined();
    expect(pairedPermutation(Array.from({ length: 30 }, () => 0.5)).interval).toBeUndefined();
  });

  test("has a generator whose random words equal its random numbers", () => {
    const words = new Int32Array(5);
    const fill = randomWordsFrom("seed");
    const random = randomFrom("seed");
    for (let round = 0; round < 2; round++) {
      fill(words);
      expect([...words].map((word) => (word >>> 0) / 2 ** 32)).toEqual(Array.from({ length: 5 }, () => random()));
    }
  });

  describe("if there are more than 20,000 sets of differences", () => {
    const repeated = (times: Readonly<Record<string, number>>) =>
      Object.entries(times).flatMap(([value, count]) => Array.from({ length: count }, () => Number(value)));

    /** The share of the observed signs, the opposite ones, and 9,999 drawn sets and their complements that is as extreme. */
    function drawnP(differences: readonly number[], drawnSums: readonly number[]): number {
      const whole = differences.reduce((sum, value) => sum + value, 0);
      const sums = [0, ...drawnSums.flatMap((sum) => [sum, whole - sum])];
      return (2 * sums.filter((sum) => sum <= 1e-9).length) / 20_000;
    }

    test.each([32, 33, 45, 64])("draws one random bit for each of %i different differences", (n) => {
      const differences = Array.from({ length: n }, (_, task) => (task % 3 === 0 ? -1 : 1) * (1 + task / 7));
      const sums = Array.from({ length: 9_999 }, () => 0);
      const [fill, words] = [randomWordsFrom("bits"), new Int32Array(9_999)];
      for (const [index, difference] of differences.entries()) {
        if (index % 32 === 0) fill(words);
        for (const [draw, word] of words.entries()) sums[draw]! += ((word >>> (index % 32)) & 1) * difference;
      }
      expect(pairedPermutation(differences, "bits").p).toBe(drawnP(differences, sums));
    });

    test("draws the count of each value if values occur 128 times in the mean, otherwise one bit for each difference", () => {
      const often = { "1": 180, "-1": 150, "2": 54 };
      const random = randomFrom("counts");
      const sums = Array.from({ length: 9_999 }, () =>
        Object.entries(often).reduce(
          (sum, [value, times]) => sum + drawBinomial(times, 0.5, random) * Number(value),
          0,
        ),
      );
      // JavaScript puts the keys 1 and 2 first.
      const drawn = drawnP(repeated(often), sums);
      expect(pairedPermutation(repeated(often), "counts").p).toBe(drawn);
      const [fill, words] = [randomWordsFrom("counts"), new Int32Array(9_999)];
      const fewer = repeated({ ...often, "2": 53 });
      const bits = Array.from({ length: 9_999 }, () => 0);
      for (const [index, difference] of fewer.entries()) {
        if (index % 32 === 0) fill(words);
        for (const [draw, word] of words.entries()) bits[draw]! += ((word >>> (index % 32)) & 1) * difference;
      }
      expect(pairedPermutation(fewer, "counts").p).toBe(drawnP(fewer, bits));
    });

    /** The sum and the number of the differences that are flipped, for each drawn set and its complement. */
    type FlippedSet = readonly [sum: number, size: number];

    /** Twice the share of sets whose mean, with each of the zeros in the set by chance, is at most the shift. */
    function drawnShiftP(sets: readonly FlippedSet[], zeros: number, shift: number): number {
      // Of all ways to flip some of the zeros, those that flip exactly each number.
      const ways = Array.from({ length: zeros + 1 }, () => 0);
      for (let flips = 0; flips < 2 ** zeros; flips++)
        ways[[...flips.toString(2)].filter((bit) => bit === "1").length]! += 1;
      let count = 1;
      for (const [sum, size] of sets)
        for (const [flipped, times] of ways.entries()) if (sum <= shift * (size + flipped)) count += times / 2 ** zeros;
      return (2 * count) / 20_000;
    }

    function expectLimitsWhereSharesCross(differences: readonly number[], drawn: readonly FlippedSet[], seed: string) {
      const values = differences.filter((difference) => difference !== 0);
      const whole = values.reduce((sum, value) => sum + value, 0);
      const sets = drawn.flatMap(([sum, size]): FlippedSet[] => [
        [sum, size],
        [whole - sum, values.length - size],
      ]);
      const mirrored = sets.map(([sum, size]): FlippedSet => [-sum, size]);
      const zeros = differences.length - values.length;
      const { interval } = pairedPermutation(differences, seed);
      const step = 2e-6;
      expect(drawnShiftP(sets, zeros, interval!.low - step)).toBeLessThan(0.05);
      expect(drawnShiftP(sets, zeros, interval!.low + step)).toBeGreaterThanOrEqual(0.05);
      expect(drawnShiftP(mirrored, zeros, -interval!.high - step)).toBeLessThan(0.05);
      expect(drawnShiftP(mirrored, zeros, -interval!.high + step)).toBeGreaterThanOrEqual(0.05);
    }

    test("has limits at the shifts at which the share of drawn sets crosses 0.05", () => {
      const values = Array.from({ length: 45 }, (_, task) => Math.sin(task + 1) + 0.3);
      const drawn = Array.from({ length: 9_999 }, (): [number, number] => [0, 0]);
      const [fill, words] = [randomWordsFrom("limits"), new Int32Array(9_999)];
      for (const [index, value] of values.entries()) {
        if (index % 32 === 0) fill(words);
        for (const [draw, word] of words.entries()) {
          const bit = (word >>> (index % 32)) & 1;
          drawn[draw]![0] += bit * value;
          drawn[draw]![1] += bit;
        }
      }
      expectLimitsWhereSharesCross([...values, 0, 0, 0], drawn, "limits");
    });

    test("has such limits if the count of each value is drawn", () => {
      const counts = [
        [1, 180],
        [2, 54],
        [-1, 150],
      ] as const;
      const random = randomFrom("limits");
      const drawn = Array.from({ length: 9_999 }, (): [number, number] => {
        const set: [number, number] = [0, 0];
        for (const [value, times] of counts) {
          const taken = drawBinomial(times, 0.5, random);
          set[0] += taken * value;
          set[1] += taken;
        }
        return set;
      });
      const differences = counts.flatMap(([value, times]) => Array.from({ length: times }, () => value));
      expectLimitsWhereSharesCross([0, ...differences, 0], drawn, "limits");
    });

    test("counts exactly up to 20,000 sets and 1,000 differences", () => {
      // 2 ** 5 * 5 ** 4 sets; the exact p is a multiple of 1 / 2 ** 21, one of 20,000 draws is not.
      const listed = repeated({
        "0.1": 1,
        "0.2": 1,
        "0.4": 1,
        "-0.8": 1,
        "1.6": 1,
        "3.2": 4,
        "-0.3": 4,
        "0.7": 4,
        "-2": 4,
      });
      expect((pairedPermutation(listed).p * 2 ** 21) % 1).toBe(0);
      // 3 * 59 * 113 = 20,001 sets.
      const drawn = repeated({ "3": 2, "-2": 58, "1": 112 });
      expect((pairedPermutation(drawn).p * 20_000) % 2).toBe(0);
      expect(pairedPermutation(repeated({ "1": 1000 })).p).toBe(2 ** -999);
      expect(pairedPermutation(repeated({ "1": 1001 })).p).toBe(1 / 10_000);
    });
  });
});
