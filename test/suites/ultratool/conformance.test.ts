/** Official scorers and ours on equal inputs: published predictions, and inputs made to break parsers. */
import { expect, test } from "vitest";
import { type GoldFlag, scoreAwareness } from "../../../suites/ultratool/score/awareness.ts";
import { createdTools, type GoldTool } from "../../../suites/ultratool/score/creation.ts";
import { readOfficial } from "../../../suites/ultratool/score/reading.ts";
import type { Ladder } from "../../../suites/ultratool/score/rewriting.ts";
import { type GoldName, scoreSelection } from "../../../suites/ultratool/score/awareness.ts";
import { argumentScore, type GoldCall, scoreUsage } from "../../../suites/ultratool/score/usage.ts";
import { pythonStr } from "../../../source/engine/python/text.ts";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { describePublished, sharedJson, sharedLines } from "../../shared.ts";
import { modes, synthetic, type Expected, tagged } from "./fixtures.ts";

type Line = { readonly id: number; readonly output: string };
const models = ["gpt-4", "gpt-3.5"] as const;
const predictions = (model: string, task: string) =>
  sharedLines<Line>("data", "ultratool", "predictions", "en", model, `${task}.jsonl.gz`);
const rows = <Row>(task: string) => sharedLines<Row>("data", "ultratool", "en", `${task}.jsonl.gz`);

/** Reads an output and compares the result with the official parser's. `format` names a Python builtin. */
function read(output: string, ladder: Ladder, mode: "gpt" | "other", expected: Expected) {
  const reading = readOfficial(output, ladder, mode);
  const builtin = output.trim() === "format";
  expect(reading.ok).toBe(builtin ? false : expected.parse_ok);
  if (!builtin) expect(tagged(reading.value)).toEqual(expected.parsed);
  if (!builtin && output !== "") expect(reading.attempts).toBe(expected.evals);
  return reading.value;
}

describePublished("published predictions, sample by sample", () => {
  test.each(models)("have the expected scores for tool usage awareness of %s", (model) => {
    type Sample = Expected & { local_correct: number; local_total: number; gold_values: number[] };
    const samples = sharedLines<Sample>(
      "conformance",
      "ultratool",
      "per_sample",
      `${model}.tool_usage_awareness.jsonl.gz`,
    );
    const references = rows<{ reference: GoldFlag[] }>("tool_usage_awareness");
    const lines = predictions(model, "tool_usage_awareness");
    expect(lines).toHaveLength(1000);
    for (const [index, { output }] of lines.entries()) {
      const sample = samples[index]!;
      const score = scoreAwareness(read(output, "A", "gpt", sample), references[index]!.reference);
      expect(score).toMatchObject({ predicted: sample.pred_values, gold: sample.gold_values, global: sample.global });
      expect([score.correct, score.total]).toEqual([sample.local_correct, sample.local_total]);
    }
  });

  test.each(models)("have the expected scores for tool usage of %s", (model) => {
    type Sample = Expected & { step_scores: number[] };
    const samples = sharedLines<Sample>("conformance", "ultratool", "per_sample", `${model}.tool_usage.jsonl.gz`);
    const references = rows<{ reference: GoldCall[] }>("tool_usage");
    for (const [index, { output }] of predictions(model, "tool_usage").entries()) {
      const sample = samples[index]!;
      const scores = scoreUsage(read(output, "P", "gpt", sample), references[index]!.reference);
      expect(scores.map((step) => step.score)).toEqual(sample.step_scores);
    }
  });

  test.each(models)("have Python's text for values of %s that are not strings", (model) => {
    type Case = { python_type: string; value_json: string; python_str: string; gold: string; score: number };
    for (const { value_json, python_str, gold, score } of sharedJson<Case[]>(
      "conformance",
      "ultratool",
      `python_str_${model}.json`,
    )) {
      const value = parseJsonAsPython(value_json);
      expect(pythonStr(value)).toBe(python_str);
      expect(argumentScore(gold, value)).toBe(score);
    }
  });

  test.each(models)("have the expected scores by the selection parser and scorer on usage outputs of %s", (model) => {
    const file = `${model}.selection_scorer_on_tool_usage_outputs.jsonl.gz`;
    const samples = sharedLines<Expected>("conformance", "ultratool", "crossuse", file);
    const references = rows<{ reference: GoldName[] }>("tool_usage");
    let correct = 0;
    let total = 0;
    let global = 0;
    let bad = 0;
    for (const [index, { output }] of predictions(model, "tool_usage").entries()) {
      const sample = samples[index]!;
      const reading = readOfficial(output, "A", "gpt");
      expect(reading.ok).toBe(sample.parse_ok);
      expect(reading.attempts).toBe(sample.evals);
      const score = scoreSelection(reading.value, references[index]!.reference);
      expect(score.predicted).toEqual(sample.pred_values);
      expect(score.global).toBe(sample.global);
      correct += score.correct;
      total += score.total;
      global += score.global;
      bad += reading.ok ? 0 : 1;
    }
    const aggregate = sharedJson<object>("conformance", "ultratool", "crossuse", `${model}.aggregate.json`);
    expect(aggregate).toMatchObject({
      global: global / 1000,
      local: Number((correct / total).toFixed(4)),
      bad_parse: bad,
    });
  });
});

describePublished("inputs made to break parsers", () => {
  test.each(modes)("have the expected results for awareness, %s parser", (mode) => {
    for (const { output, reference, [mode]: expected } of synthetic<GoldFlag>("synthetic_awareness")) {
      const score = scoreAwareness(read(output, "A", mode, expected), reference);
      expect(score.predicted).toEqual(expected.pred_values);
      expect(score.global).toBe(expected.global);
      expect(Number((score.correct / score.total).toFixed(4))).toBe(expected.local);
    }
  });

  test.each(modes)("have the expected results for selection, %s parser", (mode) => {
    let crashes = 0;
    for (const { kind, output, reference, [mode]: expected } of synthetic<GoldName>("synthetic_selection")) {
      const score = scoreSelection(read(output, "A", mode, expected), reference);
      if (expected.crash_in_score !== undefined) {
        crashes += 1;
        expect(score.global, kind).toBe(0);
        continue;
      }
      expect(score.predicted, kind).toEqual(expected.pred_values);
      expect(score.global).toBe(expected.global);
      expect(Number((score.correct / score.total).toFixed(4))).toBe(expected.local);
    }
    expect(crashes).toBeGreaterThan(0);
  });

  test.each(modes)("have the expected results for usage, %s parser", (mode) => {
    for (const { kind, output, reference, [mode]: expected } of synthetic<GoldCall>("synthetic_usage")) {
      const scores = scoreUsage(read(output, "P", mode, expected), reference).map((step) => step.score);
      if (expected.crash_in_score === undefined) expect(scores, kind).toEqual(expected.step_scores);
      else expect(Math.min(...scores), kind).toBe(0);
    }
  });

  test.each(modes)("have the expected results for creation, %s parser", (mode) => {
    for (const { kind, output, reference, [mode]: expected } of synthetic<GoldTool>(
      "synthetic_tool_creation_postprocess",
    )) {
      const tools = createdTools(read(output, "C", mode, expected), reference);
      const shown = tools.map(({ step, tool }) => ({ step, tool: tagged(tool) }));
      const unusable = expected.crash_in_match !== undefined || kind === "ellipsis";
      if (unusable) expect(shown, kind).toEqual(reference.map(({ step }) => ({ step, tool: "" })));
      else expect(shown, kind).toEqual(expected.pred_need_eval);
    }
  });
});
