import { mistakeText } from "../../../source/engine/log/rows/mistake-text.ts";
import { expect, test } from "vitest";
import { mistakesOf } from "../../../suites/planningarena/score/error-kinds.ts";
import { measures } from "../../../suites/planningarena/score/measures.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import { bareRow } from "../../bare-row.ts";
import type { Facets } from "../../../source/engine/types.ts";
import { statisticsOf } from "../../../suites/planningarena/data/statistics.ts";
import type { ArenaTask } from "../../../suites/planningarena/data/task.ts";

test("each measure has a note on what it counts", () => {
  const notes = new Map(measures.map((measure) => [measure.name, measure.note]));
  expect([...notes].filter(([, note]) => note === undefined)).toEqual([]);
  expect(notes.get("lpr")).toBe("SER times DA");
  expect(notes.get("SC")).toBe("no step is missing");
  expect(notes.get("FD-API")).toBe("only offered tools are used; API tasks only");
  expect(notes.get("ser")).toBe("share of subtasks done, each counted by its share of right arguments");
});

test("a mistake names its argument, otherwise its subtask, otherwise no place", () => {
  expect(
    mistakesOf([
      { check: "PC", step: 0, subtask: "s1", key: "city", expected: "Rome", got: "Paris", text: "value" },
      { check: "PC", step: 1, key: "colour", text: "unknown parameter" },
      { check: "SC", subtask: "s2", text: "nobody does it" },
      { check: "SR", step: 2, text: "no subtask needs this step" },
    ]),
  ).toEqual([
    { kind: "fictitious parameter", step: 0, key: "city", expected: "Rome", got: "Paris (value)" },
    { kind: "fictitious parameter", step: 1, key: "colour", note: "unknown parameter" },
    { kind: "missing step", key: "s2", note: "nobody does it" },
    { kind: "redundant step", step: 2, note: "no subtask needs this step" },
  ]);
  // Without an answer, the scorer's words must not appear as the model's.
  const silent = mistakesOf([{ check: "PC", expected: "Rome", text: "missing from the plan" }])[0]!;
  expect(mistakeText(silent, { errorKinds: [] })).toBe("fictitious parameter: expected Rome, missing from the plan");
});

const task = (question: string, facets: Facets) => ({ question, facets }) as ArenaTask;

test("the features of PlanningArena's tasks are counted by level, with the paper's Table 6 below the counts", async () => {
  const [, table] = await statisticsOf([
    task("x".repeat(40), { level: "hard", tools: 5, subtasks: 7 }),
    task("x".repeat(80), { level: "hard", tools: 6, subtasks: 9 }),
    task("x".repeat(120), { level: "hard", tools: 6, subtasks: 10 }),
    task("x".repeat(8), { level: "easy", tools: 1, subtasks: 4 }),
    task("x".repeat(16), { level: "easy", tools: 2, subtasks: 4 }),
  ]);
  expect(table!.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["easy", "3.0", "3", "2-4", "1.5", "1.5", "1-2", "4.0", "4", "4-4", "2"],
    ["  easy, paper", "96.8", "84", "33-203", "3.6", "3", "1-5", "5.5", "5", "4-7", ""],
    ["hard", "20.0", "20", "10-30", "5.7", "6", "5-6", "8.7", "9", "7-10", "3"],
    ["  hard, paper", "191.8", "186", "93-310", "5.8", "6", "5-9", "9.0", "9", "7-13", ""],
  ]);
  expect(table!.rows[1]!.every(({ reported }) => reported === true)).toBe(true);
});

test("saved scores of dialogues with an unreadable Responder have a finding", () => {
  const score = { value: 0, metrics: { garbled: 1 }, checks: [], errors: [], labels: { end: "responder-unparsable" } };
  const rows = [bareRow("r", "a", { score }), bareRow("r", "b", { score: { ...score, labels: { end: "complete" } } })];
  expect(planningarena.findings!(rows)).toEqual([
    "1 score was made when unreadable replies of the Responder still counted against the Planner: `--rescore` computes all scores again",
  ]);
  expect(planningarena.findings!([bareRow("r", "a", { score: { ...score, value: undefined } })])).toEqual([]);
});
