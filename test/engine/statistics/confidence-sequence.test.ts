/** Reference values: direct products over the grid in Python 3.13, from the formulas of the papers. */
import { describe, expect, it } from "vitest";
import {
  BettingSequence,
  BettingStakes,
  gridStep,
  NormalSequence,
} from "../../../source/engine/statistics/confidence-sequence.ts";

const scores = [1, 0, 1, 1, 0.5, 1, 1, 0, 1, 1, 1, 0.25, 1, 1, 1, 1, 0, 1, 1, 1];

const ends = (sequence: BettingSequence | NormalSequence, taken: readonly number[]) =>
  taken.map((score) => sequence.take(score));

describe("the hedged betting confidence sequence", () => {
  it("bets by the variance of earlier scores only", () => {
    const stakes = new BettingStakes(0.05);
    const found = scores.map((score) => stakes.next(score));
    const first = [6.524984655851606, 4.635696474227656, 3.075907264860561, 2.5533411588225725, 2.2785132356289486];
    for (const [at, stake] of first.entries()) expect(found[at]).toBeCloseTo(stake, 12);
    expect(found.at(-1)).toBeCloseTo(0.9390651175051206, 12);
  });

  it("narrows with each score, and never includes a rejected value again", () => {
    const found = ends(new BettingSequence(), scores);
    expect(found.slice(0, 4)).toEqual([
      { low: 0, high: 1 },
      { low: 0, high: 1 },
      { low: 0, high: 1 },
      { low: 0.096, high: 1 },
    ]);
    expect(found.slice(7, 12)).toEqual([
      { low: 0.286, high: 1 },
      { low: 0.288, high: 1 },
      { low: 0.332, high: 1 },
      { low: 0.371, high: 1 },
      { low: 0.371, high: 0.977 },
    ]);
    expect(found.at(-1)).toEqual({ low: 0.5, high: 0.958 });
  });

  it("is narrower at a lower confidence level, and ends at 0 or 1 if all scores are 0 or 1", () => {
    expect(ends(new BettingSequence(0.2), scores).at(-1)).toEqual({ low: 0.566, high: 0.922 });
    expect(
      ends(
        new BettingSequence(),
        Array.from({ length: 12 }, () => 1),
      ).at(-1),
    ).toEqual({ low: 0.582, high: 1 });
    expect(
      ends(
        new BettingSequence(),
        Array.from({ length: 12 }, () => 0),
      ).at(-1),
    ).toEqual({ low: 0, high: 0.418 });
  });

  it("never includes rejected values again, and stays at its last interval once all values are rejected", () => {
    const ones = Array.from({ length: 12 }, () => 1);
    const zeros = (count: number) => Array.from({ length: count }, () => 0);
    const [before, ...after] = ends(new BettingSequence(), [...ones, ...zeros(60)]).slice(11);
    expect(before).toEqual({ low: 0.582, high: 1 });
    for (const { low } of after) expect(low).toBeGreaterThanOrEqual(0.582);
    expect(after.at(-1)).toEqual(after.at(-2));
    expect(after.at(-1)!.high).toBeLessThan(1);
  });

  it("has a grid with steps of 0.001", () => expect(gridStep).toBe(0.001));
});

describe("the normal mixture confidence sequence", () => {
  it("equals its formula, stays within 0 and 1, and never widens", () => {
    const fiveTimes = [1, 2, 3, 4, 5].flatMap(() => scores);
    for (const [alpha, taken, low, high] of [
      [0.05, scores, 0.4114059188236264, 1],
      [0.05, fiveTimes, 0.6357395504811874, 0.9350287001478678],
      [0.2, fiveTimes, 0.6648720467391112, 0.9054618136604533],
    ] as const) {
      const found = ends(new NormalSequence(alpha), taken);
      expect(found.at(-1)!.low).toBeCloseTo(low, 12);
      expect(found.at(-1)!.high).toBeCloseTo(high, 12);
      for (const [at, { low: from, high: to }] of found.slice(1).entries()) {
        expect(from).toBeGreaterThanOrEqual(found[at]!.low);
        expect(to).toBeLessThanOrEqual(found[at]!.high);
      }
    }
    expect(new NormalSequence().take(1)).toEqual({ low: 0, high: 1 });
    expect(ends(new NormalSequence(), fiveTimes)).toEqual(ends(new NormalSequence(0.05), fiveTimes));
  });
});
