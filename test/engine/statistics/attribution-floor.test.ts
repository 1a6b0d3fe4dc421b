import { expect, it } from "vitest";
import { attributionFloor } from "../../../source/engine/statistics/attribution-floor.ts";

it("the floor of attribution contains the most frequent answer, its share and the share of a random choice", () => {
  expect(attributionFloor(["b", "a", "a", "b", "a"], [2, 4, 4, 0, 2])).toEqual({
    constant: "a",
    share: 3 / 5,
    leave_one_out: 3 / 5,
    random: (1 / 2 + 1 / 4 + 1 / 4 + 0 + 1 / 2) / 5,
  });
});

it("the floor of attribution for a tie has the first answer as the constant, and 0 as the leave-one-out share", () => {
  expect(attributionFloor(["b", "a", "a", "b"], [1])).toEqual({
    constant: "b",
    share: 0.5,
    leave_one_out: 0,
    random: 1,
  });
  expect(attributionFloor(["only"], [3])).toEqual({ constant: "only", share: 1, leave_one_out: 1, random: 1 / 3 });
});

it("the floor of attribution has no constant and no shares without annotations", () => {
  const nothing = { constant: "", share: Number.NaN, leave_one_out: Number.NaN, random: Number.NaN };
  expect(attributionFloor([], [])).toEqual(nothing);
});
