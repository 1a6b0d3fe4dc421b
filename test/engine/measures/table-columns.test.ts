import { expect, test } from "vitest";
import { tableColumns } from "../../../source/engine/figure.ts";

test("names stand at the left, numbers at the right", () => {
  expect(tableColumns(["Run"], ["Success", "n"])).toEqual([
    { title: "Run", align: "left" },
    { title: "Success", align: "right" },
    { title: "n", align: "right" },
  ]);
});
