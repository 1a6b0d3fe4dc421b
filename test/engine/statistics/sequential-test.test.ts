import { expect, it } from "vitest";
import { naturalOrder } from "../../../source/engine/statistics/sequential-test.ts";

it("orders ids by number if all are numbers, otherwise as text", () => {
  expect(naturalOrder(["10", "9", "-1"])).toEqual(["-1", "9", "10"]);
  expect(naturalOrder(["10", "9", "b"])).toEqual(["10", "9", "b"]);
  expect(naturalOrder(["9", "", "10"])).toEqual(["", "10", "9"]);
});
