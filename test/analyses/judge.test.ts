import { expect, test } from "vitest";
import { judge } from "../../analyses/judge.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { made } from "./ultratool-rows.ts";

const plan = (accuracy: number, overall: number, domain: string) => ({
  value: overall,
  facets: { domain },
  labels: { judge: "read" },
  metrics: { planning: overall, "planning.accuracy": accuracy },
});
const unread = { value: undefined, facets: { domain: "Train" }, labels: { judge: "unreadable" } };
const plans = made("en/planning", "a/one", [plan(0.9, 0.8, "Train"), plan(0.7, 0.6, "Alarm"), unread]);

test("the judge analysis shows dimensions, the judge's overall score, and the number of unreadable verdicts", () => {
  const [figure] = judge.compute([plans], {}) as [TableFigure];
  const dimensions = "Accuracy, Completeness, Executability, Syntactic soundness, Structural rationality, Efficiency";
  expect(figure.columns.map(({ title }) => title).join(", ")).toBe(
    `Model, Tasks, ${dimensions}, Overall, Judged, Unread`,
  );
  expect(figure.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["a/one", "all", "80.00", "-", "-", "-", "-", "-", "70.00", "2", "1"],
  ]);
  expect(figure.rows[0]![2]!.n).toBe(2);
});

test("the judge analysis groups scores by domain, and shows created tools in their own table", () => {
  const tools = made("en/tool_creation", "a/one", [
    {
      value: 0.7,
      facets: { domain: "Train" },
      labels: { judge: "read" },
      metrics: { "tool_creation.sum": 1.4, "tool_creation.count": 2, "tool_creation.richness.sum": 1 },
    },
  ]);
  const [first, second] = judge.compute([plans, tools], { by: "domain" }) as [TableFigure, TableFigure];
  expect(first.rows.map((row) => row[1]!.text)).toEqual(["Alarm", "Train"]);
  expect(second.columns.map(({ title }) => title)).toContain("Richness");
  expect(second.rows[0]!.find(({ value }) => value === 0.7)?.n).toBe(2);
});

test("the judge analysis reports that no answer was judged", () => {
  expect(judge.missing!([made("en/tool_usage", "m", [{ value: 1 }])])).toContain("name a `judge` model");
});
