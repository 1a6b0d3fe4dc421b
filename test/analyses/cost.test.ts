import { expect, test } from "vitest";
import { cost } from "../../analyses/cost.ts";
import type { PointsFigure, TableFigure } from "../../source/engine/figure.ts";
import { tripRow, tripRun } from "./trip-rows.ts";

const priced = (task: string, level: string, spent: number | undefined, budget: number, isWhole = true) =>
  tripRow(
    task,
    { level },
    {
      metrics: { budget, ...(spent === undefined ? {} : { cost: spent }) },
      checks: [{ name: "Budget", kept: isWhole && spent !== undefined ? spent <= budget : undefined }],
    },
  );
const rows = [
  priced("a", "easy", 500, 1000),
  priced("b", "easy", 1200, 1000),
  priced("c", "hard", 900, 900),
  priced("d", "hard", undefined, 900),
];

test("the cost analysis shows medians, shares and overruns by level, and each overrun links to its plans", () => {
  const [table] = cost.compute([tripRun("mine", rows)], { by: "level" }) as [TableFigure];
  expect(table.rows.map((line) => line.map(({ text }) => text))).toEqual([
    ["mine", "easy", "0.85", "50.00", "200", "2", "0"],
    ["mine", "hard", "1.00", "0.00", "-", "1", "1"],
    ["mine", "all", "1.00", "33.33", "200", "3", "1"],
  ]);
  expect(table.rows[0]![3]!.tasks).toEqual([{ run: "r1", task: "b" }]);
});

test("the cost analysis excludes and reports incomplete plans, because these fail the budget check", () => {
  const greedy = [priced("a", "easy", 10, 1000, false), priced("b", "easy", 20, 1000, false)];
  const [table, points] = cost.compute([tripRun("greedy", greedy)], { by: "level" }) as [TableFigure, PointsFigure];
  expect(table.rows.map((line) => line.map(({ text }) => text))).toEqual([["greedy", "all", "-", "-", "-", "0", "2"]]);
  expect(points.points).toEqual([]);
  const why =
    "greedy: 2 plans not counted (incomplete or not within the sandbox); a plan that is not counted fails the Budget check regardless of cost";
  expect([table.notes[0], points.notes]).toEqual([why, expect.arrayContaining([why])]);
});

test("the cost analysis shows one point per plan, and counts a plan that costs exactly its budget as within budget", () => {
  const points = cost.compute([tripRun("mine", rows)], { by: "level" })[1] as PointsFigure;
  expect(points.points.map(({ x, y, group, label }) => [x, y, group, label])).toEqual([
    [1000, 500, "within budget", "a"],
    [1000, 1200, "over budget", "b"],
    [900, 900, "within budget", "c"],
  ]);
});

test("the cost analysis has no figure for runs without costs", () => {
  expect(cost.missing!([tripRun("mine", [tripRow("a", {}, {})])])).toBe(
    "No plan of these runs has a cost and a budget",
  );
});
