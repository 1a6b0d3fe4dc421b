import { expect, test } from "vitest";
import type { Facets } from "../../../source/engine/types.ts";
import { statisticsOf } from "../../../suites/planningarena/data/statistics.ts";
import type { ArenaTask } from "../../../suites/planningarena/data/task.ts";

const task = (question: string, facets: Facets) => ({ question, facets }) as ArenaTask;

test("what PlanningArena's tasks are like is counted by level, with the paper's Table 6 below", async () => {
  const table = await statisticsOf([
    task("x".repeat(40), { level: "hard", tools: 5, subtasks: 7 }),
    task("x".repeat(80), { level: "hard", tools: 6, subtasks: 9 }),
    task("x".repeat(120), { level: "hard", tools: 6, subtasks: 10 }),
    task("x".repeat(8), { level: "easy", tools: 1, subtasks: 4 }),
    task("x".repeat(16), { level: "easy", tools: 2, subtasks: 4 }),
  ]);
  expect(table.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["easy", "3.0", "3", "2-4", "1.5", "1.5", "1-2", "4.0", "4", "4-4", "2"],
    ["  easy, paper", "96.8", "84", "33-203", "3.6", "3", "1-5", "5.5", "5", "4-7", ""],
    ["hard", "20.0", "20", "10-30", "5.7", "6", "5-6", "8.7", "9", "7-10", "3"],
    ["  hard, paper", "191.8", "186", "93-310", "5.8", "6", "5-9", "9.0", "9", "7-13", ""],
  ]);
  expect(table.rows[1]!.every(({ reported }) => reported === true)).toBe(true);
});
