import { expect, it } from "vitest";
import { pick, shuffled } from "../../../source/engine/statistics/random.ts";

it("a random choice gives each item an equal part of the range from 0 to 1, and returns nothing from an empty list", () => {
  const draws = [0, 0.33, 0.34, 0.66, 0.67, 0.999].map((draw) => pick(["a", "b", "c"], () => draw));
  expect(draws.join("")).toBe("aabbcc");
  expect(() => pick([], () => 0)).toThrow(RangeError);
});

it("a random shuffle uses Durstenfeld's exchanges, from the last position down", () => {
  // Each place is exchanged for the first: abcd, dbca, cbda, bcda.
  expect(shuffled([..."abcd"], () => 0).join("")).toBe("bcda");
  expect(shuffled([..."abcd"], () => 0.999).join("")).toBe("abcd");
});
