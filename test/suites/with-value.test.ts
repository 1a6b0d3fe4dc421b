/** A score that a person corrected counts in the suite's measure of the same name. */
import { evaluate } from "../../source/engine/measures/measure.ts";
import { expect, test } from "vitest";
import { overridden } from "../../source/engine/log/corrections/overridden.ts";
import type { Facets, Score } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { bareRow } from "../bare-row.ts";

const sources = { source: "ada", reason: "the scorer is mistaken" };
const cases: readonly (readonly [string, string, Score["metrics"], Facets])[] = [
  ["appbench", "official.success", { "official.total_match": 0 }, {}],
  ["planningarena", "result", { result: 0 }, {}],
  ["travelplanner", "final", { finalPass: 0 }, {}],
  ["toolbench", "rule.success", { success: 0 }, {}],
  ["toolbench", "stable.sopr", { sopr: 0, pass: 0 }, {}],
  ["own", "accuracy", { accuracy: 0 }, {}],
  ["planbench", "chosen.right", { right: 0 }, {}],
  ["apibench", "official.pass", { pass: 0 }, {}],
  ["ultratool", "official.planning", {}, { aspect: "planning" }],
  [
    "ultratool",
    "official.tool_creation",
    { "tool_creation.sum": 0, "tool_creation.count": 3 },
    { aspect: "tool_creation" },
  ],
  ["ultratool", "official.tool_usage", { "tool_usage.sum": 1, "tool_usage.steps": 4 }, { aspect: "tool_usage" }],
  ["ultratool", "official.tool_selection.global", { "tool_selection.steps": 2 }, { aspect: "tool_selection" }],
  ["ultratool", "official.tool_selection.local", { "tool_selection.steps": 2 }, { aspect: "tool_selection" }],
];

test.each(cases)("a person's score changes the corpus measure %s in %s", (name, measure, metrics, facets) => {
  const suite = suites.find((each) => each.name === name)!;
  const score: Score = { value: 0, metrics, checks: [], errors: [] };
  const corrected = overridden(score, [{ task: "t", value: 1, ...sources }], suite, facets);
  const corpus = suite.measures.find((each) => each.name === measure)!;
  expect(evaluate(corpus, [bareRow("r", "t", { facets, score: corrected })]).value).toBe(1);
  expect(corrected.override).toEqual({ was: 0, metrics, ...sources });
});
