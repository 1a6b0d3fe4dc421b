import { expect, test } from "vitest";
import { runNames } from "../../../source/terminal/drawing/run-names.ts";

const labels = ["slips?rate=0.2", "slips?rate=0.5"].flatMap((model) =>
  ["hierarchical", "flat"].map((prompting) => `${model}, ${prompting}, 0 shots`),
);

test("values that tell runs apart stand one below the other", () => {
  expect(runNames(labels, 40).names).toEqual([
    "slips?rate=0.2  hierarchical  0 shots",
    "slips?rate=0.2  flat          0 shots",
    "slips?rate=0.5  hierarchical  0 shots",
    "slips?rate=0.5  flat          0 shots",
  ]);
  expect(runNames(["one, two", "three"], 8).names).toEqual(["one, two", "three"]);
});

test("where there is little room each is cut by itself: none is lost to a longer one beside it", () => {
  expect(runNames(labels, 28).names).toEqual([
    "slip…0.2  hier…ical  0 shots",
    "slip…0.2  flat       0 shots",
    "slip…0.5  hier…ical  0 shots",
    "slip…0.5  flat       0 shots",
  ]);
});
