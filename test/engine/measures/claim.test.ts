import { describe, expect, test } from "vitest";
import { readClaim } from "../../../source/engine/measures/claim.ts";

const side = (field: string, value: string) => ({ field, value });

describe("a claim", () => {
  test.each([
    [
      "prompting=hierarchical > prompting=flat on success",
      side("prompting", "hierarchical"),
      side("prompting", "flat"),
      "success",
      0,
    ],
    [
      "category=SS>category=MM on official.success by 5",
      side("category", "SS"),
      side("category", "MM"),
      "official.success",
      5,
    ],
    ["  k=3 > k=10  on x by 0.5 points ", side("k", "3"), side("k", "10"), "x", 0.5],
    [
      `model="lab/a b" > 'model=lab/c > d' on "my measure" by 2 %`,
      side("model", "lab/a b"),
      side("model", "lab/c > d"),
      "my measure",
      2,
    ],
    ["k=3 > k=10 on x by 0", side("k", "3"), side("k", "10"), "x", 0],
    // Quotes may enclose nothing, and a value may contain the sign that separates it from its name.
    [`k=""3 > k='10'0"" on x`, side("k", "3"), side("k", "100"), "x", 0],
    ["filter=a=b > filter=c on x by 1 point", side("filter", "a=b"), side("filter", "c"), "x", 1],
  ])("is read from %s", (text, more, less, metric, least) => {
    expect(readClaim(text)).toEqual({ text, more, less, metric, least });
  });

  test.each([
    ["", "with `>` after the first value"],
    ["prompting=flat", "with `>` after the first value"],
    ["prompting=flat < prompting=hierarchical on success", "with the larger value first"],
    ["hierarchical > flat on success", "with values such as `prompting=flat`"],
    ["prompting= > prompting=flat on success", "with values such as `prompting=flat`"],
    ["prompting=flat > shots=3 on success", "with two values of one setting or facet"],
    ["prompting=flat > prompting=flat on success", "with two different values"],
    ["prompting=flat > prompting=hierarchical", "with `on` and the name of a measure"],
    ["prompting=flat > prompting=hierarchical at success", "with `on` and the name of a measure"],
    ["prompting=flat > prompting=hierarchical on success by", "a number of at least 0"],
    ["prompting=flat > prompting=hierarchical on success by far", "a number of at least 0"],
    ["prompting=flat > prompting=hierarchical on success by -3", "a number of at least 0"],
    ["prompting=flat > prompting=hierarchical on success by 3 miles", "a number of at least 0"],
    ["prompting=flat > prompting=hierarchical on success and more", "a number of at least 0"],
    ["prompting='flat > prompting=hierarchical on success", "with a closing quote for every opening quote"],
    [`k=3 > k=10 on x by 1 "`, "with a closing quote for every opening quote"],
    [`k=3 ">" k=10 on x`, "with `>` after the first value"],
    ["=3 > =10 on x", "with values such as `prompting=flat`"],
    ["k=3 > k=10 on x by 1 % more", "a number of at least 0"],
    [`k=3 > k=10 on x by " "`, "a number of at least 0"],
  ])("is rejected with the reason from %j", (text, why) => {
    expect(readClaim(text)).toEqual({ problem: expect.stringContaining(why) });
  });
});
