import { describe, expect, test } from "vitest";
import { requestRepetitions, requestSeed } from "../../../source/engine/run/ask.ts";

describe("the seed of a request", () => {
  test("is the run's own seed if nothing is repeated", () => {
    expect(requestSeed(0, 1, 0)).toBe(0);
    expect(requestSeed(1234, 1, 0)).toBe(1234);
  });

  test("differs for each trial and each repetition, is reproducible, and has 31 bits", () => {
    const seeds = [0, 1, 7].flatMap((seed) =>
      [1, 2, 3, 4, 5].flatMap((trial) => [0, 1, 2, 3].map((repetition) => requestSeed(seed, trial, repetition))),
    );
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31)).toBe(true);
    // Fixed values, so a run repeated on another machine or with a later version sends equal seeds.
    expect(requestSeed(0, 2, 0)).toBe(54784926);
    expect(requestSeed(0, 1, 1)).toBe(1148746818);
  });

  test("changes only if a whole request is repeated", () => {
    const repetition = requestRepetitions();
    const first = { model: "lab/m", messages: [{ role: "user", content: "a" }], temperature: 0 };
    expect(repetition(first)).toBe(0);
    expect(repetition({ ...first, messages: [{ role: "user", content: "b" }] })).toBe(0);
    expect(repetition({ ...first, temperature: 0.7 })).toBe(0);
    expect(repetition({ ...first, model: "lab/judge" })).toBe(0);
    expect(repetition({ ...first })).toBe(1);
    expect(repetition(first)).toBe(2);
    expect(requestRepetitions()(first)).toBe(0);
  });
});
