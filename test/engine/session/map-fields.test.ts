import { describe, expect, it } from "vitest";
import { Problem } from "../../../source/engine/problem.ts";
import { readForks, readMap } from "../../../source/engine/session/fields/map-fields.ts";
import type { Json } from "../../../source/engine/types.ts";
import { appbench } from "../../../suites/appbench/index.ts";

const text = (file: string) => {
  if (file === "a.txt") return "no such dish";
  throw new Problem("parse", `Expected a file \`${file}\`, found none`);
};

/** Reads a map; the problems are identified by their fields. */
function read(kind: Parameters<typeof readMap>[0], item: Json) {
  const problems: string[] = [];
  const report = (field: string, message: string) => void problems.push(`${field}: ${message}`);
  return { value: readMap(kind, item, { suite: appbench, report, text }), problems };
}

describe("a filter", () => {
  it("is read as lists of texts and numbers", () => {
    expect(read("facets", { category: "SS", apps: [1, 2, true] })).toEqual({
      value: { category: ["SS"], apps: [1, 2] },
      problems: [],
    });
    expect(read("facets", null)).toEqual({ value: {}, problems: [] });
  });

  it("lists the known facets if one is unknown, and rejects anything but a map", () => {
    expect(read("facets", { colour: "red", category: "SS" })).toEqual({
      value: { category: ["SS"] },
      problems: [expect.stringMatching(/^filter: Expected `filter` to name facets \(category, .*\), got `colour`$/)],
    });
    for (const other of [["SS"], "SS", 3])
      expect(read("facets", other).problems).toEqual([
        `filter: Expected \`filter\` to name facets and their values, got \`${JSON.stringify(other)}\``,
      ]);
  });
});

describe("a budget", () => {
  it("contains limits for each task and for the run, all above 0", () => {
    const budget = { task: { steps: 1, tokens: 2, seconds: 0.5, cost: 3 }, run: { cost: 0.01 } };
    expect(read("limits", budget)).toEqual({ value: budget, problems: [] });
    expect(read("limits", null)).toEqual({ value: {}, problems: [] });
    const message = (name: string) =>
      `budget: Expected \`budget.task\` to hold steps, tokens, seconds, cost as numbers above 0, got \`${name}\``;
    expect(read("limits", { task: { steps: 0 } }).problems).toEqual([message("steps: 0")]);
    expect(read("limits", { task: { steps: "3" } }).problems).toEqual([message('steps: "3"')]);
    expect(read("limits", { task: { hours: 3 } }).problems).toEqual([message("hours: 3")]);
    expect(read("limits", { tasks: { steps: 3 } }).problems).toEqual([
      "budget: Expected `budget` to hold `task` or `run`, got `tasks`",
    ]);
    expect(read("limits", [1]).problems).toEqual([
      "budget: Expected `budget` to hold `task` and `run` limits, got `[1]`",
    ]);
  });
});

describe("a fork", () => {
  const place = { run: "0123456789abcdef", task: "t", request: 0 };

  it("contains a place, and at most one text or file that replaces a text at that place", () => {
    expect(read("fork", { ...place, attempt: "a", result: "a.txt", index: 1 })).toEqual({
      value: { ...place, attempt: "a", result: "no such dish", index: 1 },
      problems: [],
    });
    expect(read("fork", null)).toEqual({ value: undefined, problems: [] });
    expect(read("fork", { ...place, result: "b.txt" }).problems).toEqual([
      "fork.result: Expected a file `b.txt`, found none",
    ]);
    expect(read("fork", { ...place, result: "a", reply: "b" }).problems).toEqual([
      "fork: Expected `fork` to replace one of message, result, reply, got result and reply",
    ]);
    expect(read("fork", { ...place, index: -1 }).problems).toEqual([
      "fork.index: Expected `fork.index` to be a whole number from 0, got `-1`",
    ]);
    expect(read("fork", { ...place, when: 1 }).problems).toEqual([
      "fork.when: Expected `fork` to hold run, task, request, attempt, index, message, result, reply, got `when`",
    ]);
  });

  it.each([
    { ...place, run: "0123456789abcde" },
    { ...place, run: "0123456789abcdef0" },
    { ...place, task: 3 },
    { ...place, request: -1 },
    { ...place, request: 0.5 },
    { run: place.run, task: "t" },
    "somewhere",
  ])("is rejected without a complete place: %j", (item) => {
    expect(read("fork", item as Json)).toEqual({
      value: undefined,
      problems: [expect.stringContaining("Expected `fork` to hold `run`, `task` and `request` of a saved trajectory")],
    });
  });

  it("continues another cell's run if it contains `of`", () => {
    expect(readForks({ of: "0123456789abcdef", at: "errors" })).toEqual({ of: "0123456789abcdef", at: "errors" });
    for (const other of [place, null, undefined, "of"]) expect(readForks(other)).toBeUndefined();
  });
});
