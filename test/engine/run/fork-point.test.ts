import { expect, test } from "vitest";
import { pointFacets, pointOf, readableFacets } from "../../../source/engine/run/fork-point.ts";
import type { Task } from "../../../source/engine/types.ts";

test("the facets of a forked task are shown without the hashes of its attempt and settings", () => {
  const task: Task = { id: "a", question: "", input: {}, answer: undefined, facets: { level: "easy" } };
  const { facets } = pointOf(task, 2, {
    [pointFacets.request]: 3,
    [pointFacets.requests]: 5,
    [pointFacets.error]: "order",
    [pointFacets.settings]: "fedcba9876543210",
    [pointFacets.attempt]: "0123456789abcdef",
    [pointFacets.spoilt]: 1,
  });
  expect(readableFacets(facets)).toEqual([
    ["level", "easy"],
    ["fork.request", 3],
    ["fork.requests", 5],
    ["fork.error", "order"],
    ["fork.spoilt", 1],
  ]);
  expect(readableFacets(undefined)).toEqual([]);
});
