import { describe, expect, it } from "vitest";
import {
  alwaysValidP,
  BoundedPairTest,
  naturalOrder,
  seededOrder,
  SequentialSignTest,
} from "../../../source/engine/statistics/sequential-test.ts";
import { randomFrom, shuffled } from "../../../source/engine/statistics/random.ts";
import { describePublished, sharedJson } from "../../shared.ts";

it("natural order sorts ids by number if all are numbers, otherwise as text", () => {
  expect(naturalOrder(["10", "9", "-1"])).toEqual(["-1", "9", "10"]);
  expect(naturalOrder(["10", "9", "b"])).toEqual(["10", "9", "b"]);
  expect(naturalOrder(["9", "", "10"])).toEqual(["", "10", "9"]);
});

it("seeded order sorts ids by a documented hash of the seed and the id", () => {
  // Python's hashlib.sha256(f"{seed}:{id}").hexdigest(), sorted.
  expect(seededOrder(["a", "b", "c", "10", "9"], "7")).toEqual(["c", "a", "10", "9", "b"]);
  expect(seededOrder(["9", "10", "c", "b", "a"], "")).toEqual(["b", "10", "c", "a", "9"]);
});

type Pair = readonly [a: number, b: number];
const times = (count: number, pair: Pair) => Array.from({ length: count }, () => pair);

describe("the sequential sign test", () => {
  const after = (pairs: readonly Pair[], alpha?: number) => {
    const test = new SequentialSignTest(alpha);
    for (const [a, b] of pairs) test.take(a, b);
    return test.result;
  };

  it("has the e-value 2^n w! l! / (n + 1)! for any order, ignoring ties", () => {
    for (const [pairs, logE] of [
      [times(1, [1, 0]), 0],
      [times(7, [0.75, 0.5]), Math.log(16)],
      [[...times(5, [0, 1]), ...times(9, [0.3, 0.3]), ...times(2, [1, 0])], Math.log(16 / 21)],
      [[...times(3, [0, 1]), ...times(3, [1, 0])], Math.log(16 / 35)],
      [[...times(1, [0, 1]), ...times(9, [1, 0])], Math.log(512 / 55)],
    ] as const)
      expect(after(pairs).logE).toBeCloseTo(logE, 12);
  });

  it("decides at the first task at which the e-value reaches 1 / alpha, in favour of the better run at that task", () => {
    const won = after([[1, 1], ...times(8, [1, 0]), ...times(20, [0, 1])]);
    expect(won).toMatchObject({ stop: 9, decision: "a", atStop: [8, 0], wins: 8, losses: 20, n: 29 });
    expect(won.maxLogE).toBeCloseTo(Math.log(256 / 9), 12);
    expect(alwaysValidP(won)).toBeCloseTo(9 / 256, 12);
    expect(after(times(8, [0, 1]))).toMatchObject({ stop: 8, decision: "b", atStop: [0, 8] });
    // Seven wins in a row give exactly 16.
    expect(after(times(7, [1, 0]))).toMatchObject({ stop: undefined, decision: undefined, atStop: undefined });
    expect(after(times(7, [1, 0]), 1 / 15.9).stop).toBe(7);
  });

  it("has a p value that starts at 1 and never rises", () => {
    const test = new SequentialSignTest();
    expect(test.result).toMatchObject({ n: 0, wins: 0, losses: 0, logE: 0, maxLogE: 0 });
    expect(alwaysValidP(test.result)).toBe(1);
    expect(alwaysValidP(after([...times(3, [0, 1]), ...times(3, [1, 0])]))).toBeCloseTo(1 / 2, 12);
    expect(alwaysValidP({ maxLogE: -1 })).toBe(1);
  });
});

describe("the sequential test by sizes of differences", () => {
  // Reference values: the products in Python 3.13, from the formulas of the paper.
  it.each([
    [times(20, [1, 0]), 7.4161549818901396, 10],
    [times(12, [0, 1]), 4.17243599841268, 10],
    [
      [
        [0.75, 0.25],
        [0.5, 0.5],
        [1, 0.5],
        [0, 0.25],
        [1, 0],
      ] satisfies Pair[],
      0.16855536102980667,
      undefined,
    ],
  ])("has for %j the log %f, and stops at %s", (pairs, logE, stop) => {
    const test = new BoundedPairTest();
    for (const [a, b] of pairs) test.take(a, b);
    expect(test.logE).toBeCloseTo(logE, 12);
    expect(test.maxLogE).toBeCloseTo(logE, 12);
    expect(test.stop).toBe(stop);
  });

  it("keeps the largest e-value and the first stop", () => {
    const test = new BoundedPairTest();
    for (const [a, b] of times(12, [1, 0])) test.take(a, b);
    const { maxLogE } = test;
    for (const [a, b] of times(8, [0, 1])) test.take(a, b);
    expect(test.maxLogE).toBe(maxLogE);
    expect(test.logE).toBeLessThan(maxLogE);
    expect(test.stop).toBe(10);
  });
});

describePublished("the sequential sign test on published matrices", () => {
  type Matrices = Readonly<Record<string, { readonly models: Readonly<Record<string, string>> }>>;

  it("raises at most 50 false alarms in 1,000 pairs without a true difference, tested after every task", () => {
    const { matrices } = sharedJson<{ readonly matrices: Matrices }>("conformance/sequential/matrices.json");
    const pairs = Object.values(matrices).flatMap(({ models }) => {
      const answers = Object.values(models);
      return answers.flatMap((one, at) => answers.slice(at + 1).map((other) => [one, other] as const));
    });
    expect(pairs).toHaveLength(213);
    const random = randomFrom("a thousand null pairs");
    let alarms = 0;
    for (let trial = 0; trial < 1000; trial++) {
      const [one, other] = pairs[trial % pairs.length]!;
      const differs = shuffled(
        [...one].map((answer, at) => answer !== other[at]),
        random,
      );
      const test = new SequentialSignTest(0.05);
      for (const differing of differs) test.take(differing ? (random() < 0.5 ? 1 : -1) : 0, 0);
      if (test.result.stop !== undefined) alarms += 1;
    }
    expect(alarms).toBe(23);
  });
});
