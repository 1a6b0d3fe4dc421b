import { describe, expect, test } from "vitest";
import { aggregateCreation, judgeRequest } from "../../../suites/ultratool/score/creation.ts";
import { planDimensions, scoresOf, toolDimensions } from "../../../suites/ultratool/score/dimensions.ts";
import { scorePlan } from "../../../suites/ultratool/score/score-judged.ts";
import {
  cleanPlan,
  judgedIn,
  judgeMessages,
  judgePrompts,
  parseJudgeReply,
} from "../../../suites/ultratool/score/judge.ts";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { pythonRepr } from "../../../source/engine/python/text.ts";
import type { Json, Message } from "../../../source/engine/types.ts";
import { describePublished, sharedJson, sharedLines } from "../../shared.ts";

type Fixture = {
  planning_answer_cleaning: { output: string; answer_sent_to_judge: string }[];
  judge_response_parsing: { response: string; parsed: Json; crash: string | null }[];
  tool_creation_judge_request: {
    gold_step: string;
    predicted_tool: Json;
    judge_called: boolean;
    question_sent?: string;
    reference_sent?: string;
  }[];
};

describePublished("the official judge's input and output", () => {
  const fixture = () => sharedJson<Fixture>("conformance", "ultratool", "synthetic_judge.json");

  test("contain plans that are cleaned equally", () => {
    for (const { output, answer_sent_to_judge } of fixture().planning_answer_cleaning)
      expect(cleanPlan(output)).toBe(answer_sent_to_judge);
  });

  test("contain published plans, which are unchanged by the cleaning", () => {
    for (const model of ["gpt-4", "gpt-3.5"])
      for (const { output } of sharedLines<{ output: string }>(
        "data",
        "ultratool",
        "predictions",
        "en",
        model,
        "planning.jsonl.gz",
      ))
        expect(cleanPlan(output)).toBe(output);
  });

  test("contain replies that are parsed with the same strictness", () => {
    for (const { response, parsed, crash } of fixture().judge_response_parsing) {
      if (crash === null) expect(parseJudgeReply(response)).toEqual(parsed);
      else expect(parseJudgeReply(response)).toBeUndefined();
    }
  });

  test("contain only complete objects, identified by the second word of their step", () => {
    for (const request of fixture().tool_creation_judge_request) {
      const tool = parseJsonAsPython(JSON.stringify(request.predicted_tool));
      const asked = judgeRequest(request.gold_step, tool);
      expect(asked !== undefined).toBe(request.judge_called);
      if (asked === undefined) continue;
      expect(asked.question).toBe(request.question_sent);
      expect(pythonRepr(tool)).toBe(request.reference_sent);
    }
  });

  test.each(["gpt-4", "gpt-3.5"])(
    "contain published judgements of plans by %s, with the same scores and sums",
    (model) => {
      const lines = sharedLines<{ eval: Json }>(
        "data",
        "ultratool",
        "predictions",
        "en",
        model,
        "planning_judge.jsonl.gz",
      );
      const samples = sharedLines<{ scores: number[] }>(
        "conformance",
        "ultratool",
        "per_sample",
        `${model}.planning.jsonl.gz`,
      );
      const sums = [0, 0, 0, 0, 0, 0, 0];
      for (const [index, line] of lines.entries()) {
        const scores = scoresOf(line.eval, planDimensions, "en")!;
        expect(scores).toEqual(samples[index]!.scores);
        for (const [dimension, score] of scores.entries()) sums[dimension]! += score;
      }
      type Official = { models: Record<string, { planning: { sum_of_scores: Record<string, number> } }> };
      const official = sharedJson<Official>("conformance", "ultratool", "official_scores.json");
      const expected = official.models[model]!.planning.sum_of_scores;
      expect(planDimensions.dimensions.map(({ name }) => name)).toEqual(Object.keys(expected));
      expect(sums).toEqual(Object.values(expected));
    },
  );

  test("contain judgements of created tools, which are summed with gaps and duplicates", () => {
    type Sample = { golden: { step: string }[] };
    type Case = {
      kind: string;
      samples: Sample[];
      judgements: { data: Sample; step: string; eval: Json }[];
      official: Record<string, number>;
    };
    const cases = sharedJson<Case[]>("conformance", "ultratool", "synthetic_tool_creation_aggregate.json");
    expect(cases).toHaveLength(7);
    for (const { kind, samples, judgements, official } of cases) {
      const means = aggregateCreation(
        samples.map((sample) => ({ key: JSON.stringify(sample), steps: sample.golden.map(({ step }) => step) })),
        judgements.map((judgement) => ({
          key: JSON.stringify(judgement.data),
          step: judgement.step,
          scores: scoresOf(judgement.eval, toolDimensions, "en")!,
        })),
        toolDimensions.dimensions.length,
      )!;
      const named = toolDimensions.dimensions.map(({ name }, index) => [name, Number(means[index]!.toFixed(4))]);
      expect(Object.fromEntries(named), kind).toEqual(official);
    }
  });
});

describe("an invalid judgement of a plan", () => {
  const filled = planDimensions.dimensions.map(({ key }) => ({ Reasoning: "", [key.en]: 8 }));

  test("is undefined if it has a wrong order, a number in quotes, a missing entry, or is prose", () => {
    expect(scoresOf(filled, planDimensions, "en")).toEqual([8, 8, 8, 8, 8, 8, 8]);
    expect(scoresOf(filled.toReversed(), planDimensions, "en")).toBeUndefined();
    expect(scoresOf([{ "Accuracy Score": "8" }, ...filled.slice(1)], planDimensions, "en")).toBeUndefined();
    expect(scoresOf(filled.slice(1), planDimensions, "en")).toBeUndefined();
    expect(scoresOf("good", planDimensions, "en")).toBeUndefined();
    expect(scoresOf(filled, planDimensions, "zh")).toBeUndefined();
  });
});

test("a plan is cleaned from its first numbered line up to its last gap, if text follows the gap", () => {
  expect(cleanPlan("Plan: 1. a\n1. b")).toBe("1. a\n1. b");
  expect(cleanPlan("Plan: 1. a\n\n2. b\n\nBye.")).toBe("1. a\n\n2. b");
  expect(cleanPlan("Plan: 1. a\n\n2. b")).toBe("1. a\n\n2. b");
  expect(cleanPlan("Plan: 1. a\n\n")).toBe("1. a\n\n");
  expect(cleanPlan(" 1. a\n\nBye.<|im_end|>")).toBe(" 1. a\n\nBye.");
  expect(cleanPlan("no\n\nplan")).toBe("no");
});

test("reference and answer are found again in a judge's request", () => {
  const judged = {
    query: "Go?",
    reference: "1. go\n\nAnswer to score:\n\n待评答案：\nx",
    answer: "Reference answer:\n\n1. stay",
  };
  for (const language of ["en", "zh"] as const) {
    const [{ content: system }, { content }] = judgeMessages("plan", language, judged, {}) as [Message, Message];
    expect(judgedIn(content, language)).toEqual({ reference: judged.reference, answer: judged.answer });
    expect([judgedIn(system, language), judgedIn(content.slice(0, -60), language)]).toEqual([undefined, undefined]);
    expect(content).toContain(`"${planDimensions.dimensions[0]!.key[language]}":8}`);
    const [, tool] = judgeMessages("tool", language, judged, {});
    expect(tool!.content).toContain(toolDimensions.dimensions[0]!.key[language]);
    expect(tool!.content).not.toContain(planDimensions.dimensions[1]!.key[language]);
  }
  expect(judgePrompts.map(({ name, when }) => [name, when!.split!.join()])).toEqual(
    ["en", "zh"].flatMap((language) => [
      ["judge-plan.system", `${language}/planning`],
      ["judge-plan", `${language}/planning`],
      ["judge-tool.system", `${language}/tool_creation`],
      ["judge-tool", `${language}/tool_creation`],
    ]),
  );
  expect(judgedIn("Query:\nx\n\nAnswer to score:\ny", "en")).toBeUndefined();
});

test("the means of created tools count a sample without judgements as one zero per step", () => {
  const sample = { key: "a", steps: ["1.1 Find", "1.2 Book"] };
  const judged = (step: string) => ({ key: "a", step, scores: [8, 6] });
  expect(aggregateCreation([], [], 2)).toBeUndefined();
  expect(aggregateCreation([sample], [], 2)).toEqual([0, 0]);
  expect(aggregateCreation([sample], [judged("1.2 x")], 2)).toEqual([0.8, 0.6]);
  expect(aggregateCreation([sample, { key: "b", steps: ["1.1"] }], [judged("1.1"), judged("9")], 2)).toEqual([
    8 / 3 / 10,
    6 / 3 / 10,
  ]);
  expect(aggregateCreation([{ key: "b", steps: ["1.1"] }], [{ key: "b", step: "1.1", scores: [10] }], 1)).toEqual([1]);
});

test("a created tool is judged only with a second word in its step and a filled object", () => {
  const tool = parseJsonAsPython('{"name": "find"}');
  expect(judgeRequest("1.1 Find it", tool)).toEqual({ question: "Find", created: "{'name': 'find'}" });
  for (const step of ["1.1", "1.1  Find", ""]) expect(judgeRequest(step, tool)).toBeUndefined();
  for (const other of ["{}", "[1]", '"find"'])
    expect(judgeRequest("1.1 Find", parseJsonAsPython(other))).toBeUndefined();
});

test("a plan's value is the last of the judge's seven numbers, the overall one; the others are dimensions", () => {
  const score = scorePlan("1. Do it.", [1, 2, 3, 4, 5, 6, 9], "read");
  expect(score.value).toBe(0.9);
  expect(score.metrics).toMatchObject({ planning: 0.9, "planning.accuracy": 0.1, "planning.efficiency": 0.6 });
  expect(scorePlan("1. Do it.", undefined, "unreadable")).toMatchObject({ value: undefined, metrics: {} });
});
