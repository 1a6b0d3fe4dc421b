import { expect, it } from "vitest";
import { pick, randomFrom, seedOf, shuffled } from "../../../source/engine/statistics/random.ts";

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

it("a text has the seed of 32-bit FNV-1a, and a seed the numbers of mulberry32", () => {
  // Test vectors of the FNV draft (Fowler, Noll, Vo and Eastlake), appendix C.
  expect(["", "a", "foobar"].map((text) => seedOf(text).toString(16))).toEqual(["811c9dc5", "e40c292c", "bf9cf968"]);
  const random = randomFrom(1);
  expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
});
