import { evaluate } from "../../../source/engine/measures/measure.ts";
import { describe, expect, test } from "vitest";
import { appbench } from "../../../suites/appbench/index.ts";
import { argumentsOf, namesOf } from "../../../suites/appbench/score/call-text.ts";
import { readPlan } from "../../../suites/appbench/score/plan-text.ts";
import type { Scores } from "../../../suites/appbench/score/record.ts";
import { aggregateOf, recordOf, scorePlan } from "../../../suites/appbench/score/record.ts";
import { countCalls } from "../../../suites/appbench/score/score-paper.ts";
import { planOf, referenceOf } from "../../../suites/appbench/score/scored-plan.ts";
import { bareRow } from "../../bare-row.ts";
import { describePublished } from "../../shared.ts";
import { expectClose } from "./close.ts";
import { categoryNames, publishedCatalogue, publishedGold, scoringFile } from "./published.ts";

describePublished("scoring that equals upstream's", () => {
  const gold = publishedGold();
  const apps = publishedCatalogue().apps.map((app) => app.name);

  for (const category of categoryNames) {
    const { records, aggregate } = scoringFile(category);
    const scored = (): Scores[] =>
      records.map(({ sample_id, output }) => scorePlan(planOf({ output }, apps), gold.get(sample_id)!));

    test(`${category}: parses the text of all ${records.length} plans equally`, () => {
      for (const { id, output, expected } of records) {
        const plan = readPlan(output);
        const read = {
          decided_app: plan.apps,
          decided_api: plan.calls,
          api_names: namesOf(plan.calls),
          api_arguments: Array.from(argumentsOf(plan.calls), ([api, args]) => ({ api, args: [...args] })),
        };
        expect(read, id).toEqual(expected.parse);
      }
    });

    test(`${category}: has equal counters and ratios in all three modes for every record`, () => {
      for (const [index, scores] of scored().entries()) {
        const { id, expected } = records[index]!;
        const { parse: _, ...blocks } = expected;
        expectClose(recordOf(scores), blocks, id);
      }
    });

    test(`${category}: has equal totals over all records`, () => {
      expectClose(aggregateOf(scored()), aggregate, category);
    });
  }
});

describe("argument EM over calls", () => {
  const gold = {
    used_app: ["Trains", "Trains", "Hotels"],
    used_api: [],
    result_arguments: [],
    api_results: ["a = find(#to='York')", "b = find(#to='Bath')", "c = book(#place=a)"],
    user_aware_arguments: {},
  };
  const count = (plan: string) => countCalls(planOf({ output: plan }, []), gold);

  test.each([
    [
      "calls in any order, with repeated APIs counted separately",
      "Hotels: [c = book(#place=a)]\nTrains: [b = find(#to='bath')]\nTrains: [a = find(#to='York')]",
      3,
      3,
    ],
    ["a call made twice", "Trains: [a = find(#to='York')]\nTrains: [a = find(#to='York')]", 1, 2],
    [
      "a literal for a reference, an extra key, another app",
      "Hotels: [c = book(#place='a')]\nTrains: [a = find(#to='York', #on='now')]\nHotels: [b = find(#to='Bath')]",
      0,
      3,
    ],
    ["an unreadable call next to a readable one", "Trains: [find York]\nTrains: [b = find(#to='Bath')]", 1, 2],
    ["no call", "I would rather not.", 0, 0],
  ])("counts %s", (_, plan, hits, made) => {
    expect(count(plan)).toEqual({ call_hit: hits, call_pred: made });
  });

  test("is 0 for a run without calls, and undefined for rows scored by an older version", () => {
    const measure = appbench.measures.find(({ name }) => name === "paper.argument-em")!;
    const row = (metrics: Record<string, number>) =>
      bareRow("r", "t", { score: { value: 0, metrics, checks: [], errors: [] } });
    const none = row({ "official.total_match": 0, "paper.call_hit": 0, "paper.call_pred": 0 });
    expect(evaluate(measure, [none])).toEqual({ value: 0, n: 0 });
    expect(evaluate(measure, [row({ "official.total_match": 0 })])).toEqual({ value: undefined, n: 0 });
  });
});

describe("the calls of a plan", () => {
  const gold = {
    used_app: ["A"],
    used_api: [],
    result_arguments: [],
    api_results: ["a = f(#k='v')"],
    user_aware_arguments: {},
  };

  test("are parsed once for all measures that compare them, and a reference is parsed once for all answers", () => {
    const plan = planOf({ output: "A: [a = f(#k='v')]\nA: [b = f(#k='v')]\nA: [b = A_g(#k=a)]" }, []);
    expect(plan.arguments.get("g")).toBe(plan.call(2).official!.arguments);
    expect(plan.arguments).toBe(plan.arguments);
    expect(plan.names).toBe(plan.names);
    expect(plan.canonical).toBe(plan.canonical);
    expect(plan.forAnalysis.byName).toBe(plan.forAnalysis.byName);
    expect(plan.call(1)).toBe(plan.call(1));
    expect(referenceOf(gold)).toBe(referenceOf(gold));
  });
});
