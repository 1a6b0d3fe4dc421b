import { describe, expect, test } from "vitest";
import { planRunCell } from "../../../source/engine/session/run-cell.ts";
import { chosenTasks, proportionalShares } from "../../../source/engine/run/sampling.ts";
import type { Task } from "../../../source/engine/types.ts";
import { appbench } from "../../../suites/appbench/index.ts";

const tasks: Task[] = ["SS", "SM", "MS", "MM"].flatMap((category, group) =>
  Array.from({ length: 100 * (group + 1) }, (_, index) => ({
    id: `${category}-${index}`,
    question: "?",
    input: 0,
    answer: 0,
    facets: { category, calls: index % 3 },
  })),
);
const spec = (more: string) =>
  planRunCell(`suite: appbench\nmodel: builtin/oracle\n${more}`, { suites: [appbench], defaultData: () => "sample" })
    .runs[0]!.spec;
const chosen = (more: string) => chosenTasks(tasks, spec(more), appbench);

describe("the tasks that a run executes", () => {
  test("keep the proportions of the suite's first facet", () => {
    const counts = Map.groupBy(chosen("limit: 50"), ({ facets }) => facets["category"]);
    expect([...counts].map(([category, group]) => [category, group.length])).toEqual([
      ["SS", 5],
      ["SM", 10],
      ["MS", 15],
      ["MM", 20],
    ]);
  });

  test("are the same for the same seed, differ for another seed, and are executed in the order of the file", () => {
    expect(chosen("limit: 20")).toEqual(chosen("limit: 20"));
    expect(chosen("limit: 20")).not.toEqual(chosen("limit: 20\nseed: 1"));
    const places = chosen("limit: 20").map((task) => tasks.indexOf(task));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test("are all tasks if the limit is 0 or exceeds the number of tasks, and always match the filter", () => {
    expect(chosen("limit: 0")).toHaveLength(1000);
    expect(chosen("limit: 5000")).toHaveLength(1000);
    expect(
      chosen("filter: {category: [SS, MM], calls: 1}").every(
        ({ facets }) => facets["calls"] === 1 && facets["category"] !== "SM",
      ),
    ).toBe(true);
    expect(chosen("filter: {category: none}")).toEqual([]);
  });

  test("are divided among groups by the largest remainder", () => {
    expect(proportionalShares([1, 1, 1], 2)).toEqual([1, 1, 0]);
    expect(proportionalShares([7, 2, 1], 5)).toEqual([3, 1, 1].map((share, index) => [4, 1, 0][index] ?? share));
    expect(proportionalShares([], 3)).toEqual([]);
    expect(proportionalShares([2, 2], 9)).toEqual([2, 2]);
  });
});
