import { describe, expect, it, vi } from "vitest";
import { rankedWhenSearched, rankingOf } from "../../../source/engine/toolkits/ranking.ts";

const texts = ["book a table", "book a flight to Rome", "weather in Rome", "sing"];

describe("a ranking of texts", () => {
  it("begins with the most similar text, and keeps the order of equally similar texts", async () => {
    const ranking = await rankingOf(texts);
    expect(ranking.closest("a flight to Rome", 2)).toEqual([1, 2]);
    expect(ranking.closest("nothing similar", 0)).toEqual([0, 1, 2, 3]);
    expect(ranking.closest("weather", 1)).toEqual([2]);
  });

  it("is computed from the texts when they are first searched, and only then", async () => {
    const given = vi.fn(() => texts);
    const ranking = rankedWhenSearched(given);
    expect(given).not.toHaveBeenCalled();
    const whole = await rankingOf(texts);
    for (const question of ["a flight to Rome", "table", "sing in Rome"])
      expect(ranking.closest(question, 0)).toEqual(whole.closest(question, 0));
    expect(given).toHaveBeenCalledTimes(1);
  });
});
