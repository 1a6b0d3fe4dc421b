/** The measures over one scored sample of each ability, and the score of an answer that they add up. */
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../source/engine/measures/measure.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { ScoreContext } from "../../../source/engine/loaded-suite.ts";
import type { Json, Row, Score } from "../../../source/engine/types.ts";
import { bareRow } from "../../bare-row.ts";
import { bareSpec } from "../../bare-spec.ts";
import { ultratool } from "../../../suites/ultratool/index.ts";
import type { UltraTask } from "../../../suites/ultratool/data/task.ts";
import { ceilings, measures, withValue } from "../../../suites/ultratool/score/measures.ts";
import { scorePredictions } from "../../../suites/ultratool/score/predictions.ts";
import { scoreAnswer } from "../../../suites/ultratool/score/score-answer.ts";
import { creationMetrics, scorePlan } from "../../../suites/ultratool/score/score-judged.ts";
import { judgings, scoreTask } from "../../../suites/ultratool/score/score-task.ts";

const row = (aspect: string, metrics: Score["metrics"], value?: number) =>
  bareRow("r", aspect, { facets: { aspect }, score: { value, metrics, checks: [], errors: [] } });
/** The counters of an ability with this share of right steps of four. */
const steps = (aspect: string, right: number, strict: number) => ({
  [`${aspect}.correct`]: right,
  [`${aspect}.steps`]: 4,
  [`${aspect}.global`]: right === 4 ? 1 : 0,
  [`strict.${aspect}.correct`]: strict,
  [`strict.${aspect}.steps`]: 4,
  [`strict.${aspect}.global`]: strict === 4 ? 1 : 0,
});
const planDimensions = [
  "accuracy",
  "completeness",
  "executability",
  "syntactic_soundness",
  "structural_rationality",
  "efficiency",
];
const toolDimensions = ["format_compliance", "accuracy", "content_reasonableness", "executability", "richness"];
const rows = [
  row(
    "planning",
    { planning: 0.7, ...Object.fromEntries(planDimensions.map((name, at) => [`planning.${name}`, at / 10])) },
    0.7,
  ),
  row("tool_creation_awareness", steps("tool_creation_awareness", 3, 1), 0.75),
  row("tool_usage_awareness", steps("tool_usage_awareness", 4, 0), 1),
  row("tool_selection", steps("tool_selection", 2, 4), 0.5),
  row(
    "tool_creation",
    {
      "tool_creation.sum": 1.2,
      "tool_creation.count": 2,
      ...Object.fromEntries(toolDimensions.map((name, at) => [`tool_creation.${name}.sum`, at])),
    },
    0.6,
  ),
  row(
    "tool_usage",
    {
      "tool_usage.sum": 3,
      "tool_usage.steps": 4,
      "strict.tool_usage.sum": 1,
      "strict.tool_usage.steps": 4,
      parsed: 1,
      "strict.readable": 0,
    },
    0.75,
  ),
];

it("each measure counts the samples of its ability alone", () => {
  const values = measures.map((measure) => [measure.name, evaluate(measure, rows).value]);
  expect(values).toEqual([
    ["official.overall", expect.closeTo((0.7 + 0 + 0.75 + 0.6 + 1 + 1 + 0 + 0.5 + 0.75) / 9, 12)],
    ["official.planning", 0.7],
    ["official.tool_creation_awareness.global", 0],
    ["official.tool_creation_awareness.local", 0.75],
    ["official.tool_creation", 0.6],
    ["official.tool_usage_awareness.global", 1],
    ["official.tool_usage_awareness.local", 1],
    ["official.tool_selection.global", 0],
    ["official.tool_selection.local", 0.5],
    ["official.tool_usage", 0.75],
    ["strict.tool_creation_awareness.global", 0],
    ["strict.tool_creation_awareness.local", 0.25],
    ["strict.tool_usage_awareness.global", 0],
    ["strict.tool_usage_awareness.local", 0],
    ["strict.tool_selection.global", 1],
    ["strict.tool_selection.local", 1],
    ["strict.tool_usage", 0.25],
    ["reading.official", 1],
    ["reading.strict", 0],
    ...planDimensions.map((name, at) => [`judge.planning.${name}`, at / 10]),
    ...toolDimensions.map((name, at) => [`judge.tool_creation.${name}`, at / 2]),
    ["sample.score", expect.closeTo((0.7 + 0.75 + 1 + 0.5 + 0.6 + 0.75) / 6, 12)],
  ]);
  const overall = measures[0]!;
  expect(evaluate(overall, rows.slice(1)).value).toBeUndefined();
  const { has } = overall as unknown as { has(of: Row): boolean };
  expect([has(rows[0]!), has(row("planning", {}))]).toEqual([true, false]);
  expect(measures.find(({ name }) => name === "strict.tool_usage")!.title).toBe("Tool usage (strict)");
  expect(measures.find(({ name }) => name === "judge.planning.syntactic_soundness")!.title).toBe(
    "Planning: Syntactic soundness",
  );
});

it("a perfect answer of the sample reaches 8 of 10 from a judge, and nothing strictly, because lists are Python's", () => {
  const judged = measures.filter(
    ({ mode, name }) => mode === "judge" || /^official\.(?:planning|tool_creation)$/.test(name),
  );
  expect(ceilings.map(({ measure, sample }) => [measure, sample])).toEqual([
    ...judged.map(({ name }) => [name, 0.8]),
    ["official.overall", 0.9556],
    ["sample.score", 0.9333],
    ...measures.flatMap(({ name, mode }) => (mode === "strict" ? [[name, 0]] : [])),
    ["reading.strict", 0],
  ]);
});

it("a corrected share of right steps becomes a number of right steps", () => {
  const changed = (aspect: string, value: number, metrics: Score["metrics"] = {}) =>
    withValue(value, metrics, { aspect });
  expect(changed("planning", 0.5)).toEqual({ planning: 0.5 });
  expect(changed("tool_creation", 0.5, { "tool_creation.count": 3 })).toEqual({
    "tool_creation.count": 3,
    "tool_creation.sum": 1.5,
  });
  expect(changed("tool_creation", 0.5)).toEqual({ "tool_creation.count": 1, "tool_creation.sum": 0.5 });
  expect(changed("tool_usage", 0.5, { "tool_usage.steps": 4 })).toEqual({ "tool_usage.steps": 4, "tool_usage.sum": 2 });
  const selected = (value: number) => changed("tool_selection", value, { "tool_selection.steps": 2 });
  expect(selected(0.5)).toEqual({ "tool_selection.global": 0, "tool_selection.steps": 2, "tool_selection.correct": 1 });
  expect(selected(1)).toEqual({ "tool_selection.global": 1, "tool_selection.steps": 2, "tool_selection.correct": 2 });
});

describe("the score of a list", () => {
  const reference = {
    aspect: "tool_usage_awareness",
    steps: [
      { step: "1.1 Find", tool: "1" },
      { step: "1.2 Book", tool: "0" },
    ],
  } as const;
  const scored = (output: string) => {
    const { value, metrics, checks, errors, labels } = scoreAnswer(
      output,
      reference,
      { steps: [], toolset: [] },
      "gpt",
    ).score;
    return {
      value,
      metrics,
      kept: checks.map(({ kept }) => kept),
      message: checks[0]!.message,
      kinds: errors.map(({ kind }) => kind),
      labels,
    };
  };
  const counters = (correct: number) => ({ global: correct === 2 ? 1 : 0, correct, steps: 2 });
  const all = (official: number, strict: number, attempts: number, parsed: number, readable: number) => ({
    ...Object.fromEntries(
      Object.entries(counters(official)).map(([name, value]) => [`tool_usage_awareness.${name}`, value]),
    ),
    ...Object.fromEntries(
      Object.entries(counters(strict)).map(([name, value]) => [`strict.tool_usage_awareness.${name}`, value]),
    ),
    attempts,
    parsed,
    "strict.readable": readable,
  });

  it("has an official and a strict reading, and checks of both", () => {
    expect(scored('[{"step": "1.1", "tool": "1"}, {"step": "1.2", "tool": "0"}]')).toEqual({
      value: 1,
      metrics: all(2, 2, 1, 1, 1),
      kept: [true, true, true, true],
      message: "Read: as is",
      kinds: [],
      labels: { form: "json", repair: "as is" },
    });
    expect(scored("[{'step': '1.1', 'tool': '1'}, {'step': '7', 'tool': '1'}]")).toEqual({
      value: 0.5,
      metrics: all(1, 0, 1, 1, 0),
      kept: [true, false, false, false],
      message: "Read: as is",
      kinds: ["extra-step", "missing-step"],
      labels: { form: "python", repair: "as is" },
    });
    expect(scored("nothing")).toEqual({
      value: 0,
      metrics: all(0, 0, 4, 0, 0),
      kept: [false, false, false, undefined],
      message: "No repair helped",
      kinds: ["unreadable", "missing-step", "missing-step"],
      labels: { form: "unreadable", repair: "failed" },
    });
    expect(scored("{'a': 1}").kept).toEqual([true, false, false, true]);
  });
});

describe("the score by a judge", () => {
  const judged = { name: "judged", kept: true, message: "The judge's reply was read" };

  it("of a plan has a check of its tree, and of the judge if there is one", () => {
    const checks = (plan: string, judge: "none" | "read" | "unreadable") => scorePlan(plan, undefined, judge).checks;
    expect(checks("1. go", "none")).toEqual([{ name: "numbered tree", kept: true }]);
    expect(checks("go", "read")).toEqual([{ name: "numbered tree", kept: false }, judged]);
    expect(checks(" ", "unreadable").map(({ kept }) => kept)).toEqual([false, false]);
    expect(scorePlan("1. go", undefined, "none")).toMatchObject({
      rightFrom: 0.8,
      labels: { form: "text", judge: "none" },
    });
  });

  it("of created tools has the sums of all judgements, or zeros for each step of the reference", () => {
    expect(creationMetrics([[8, 6, 4, 2, 10, 8]], 3)).toMatchObject({
      "tool_creation.count": 1,
      "tool_creation.sum": 0.8,
      "tool_creation.richness.sum": 1,
    });
    expect(creationMetrics([], 3)).toMatchObject({ "tool_creation.count": 3, "tool_creation.sum": 0 });
  });

  it("is requested for a plan once, and for each created tool", async () => {
    const loaded = await ultratool.open({ folder: sampleFolder("ultratool"), data: "sample" });
    const first = async (aspect: string) => (await loaded.tasks(`en/${aspect}`))[0] as UltraTask;
    const creation = await first("tool_creation");
    const answer = creation.answer as { steps: readonly { step: string; tool: Json }[] };
    expect([judgings(await first("planning")), judgings(creation), judgings(await first("tool_usage"))]).toEqual([
      1,
      answer.steps.length,
      0,
    ]);
    const output = JSON.stringify(answer.steps);
    const dimensions = [
      "Format Compliance",
      "Accuracy",
      "Content Reasonableness",
      "Executability",
      "Richness",
      "Total",
    ];
    const verdict = JSON.stringify(dimensions.map((name) => ({ [`${name} Score`]: 6 })));
    const scored = async (reply: string | undefined, given = output) => {
      const context = {
        spec: bareSpec("ultratool"),
        signal: new AbortController().signal,
        ...(reply !== undefined && {
          ask: async (_stage: string, _messages: unknown, reading: { isReadable(text: string): boolean }) => {
            expect(reading.isReadable(reply)).toBe(reply === verdict);
            return reply;
          },
        }),
      } as unknown as ScoreContext;
      const { value, rightFrom, metrics, checks, labels } = await scoreTask(
        creation,
        { answer: { output: given }, steps: [] } as never,
        context,
      );
      return {
        value,
        rightFrom,
        unread: metrics["tool_creation.unread"],
        judged: checks.find(({ name }) => name === "judged")?.kept,
        judge: labels!["judge"],
      };
    };
    expect(await scored(verdict)).toEqual({ value: 0.6, rightFrom: 0.8, unread: 0, judged: true, judge: "read" });
    expect(await scored("no")).toEqual({
      value: undefined,
      rightFrom: undefined,
      unread: answer.steps.length,
      judged: false,
      judge: "unreadable",
    });
    expect(await scored(undefined)).toEqual({
      value: undefined,
      rightFrom: undefined,
      unread: answer.steps.length,
      judged: undefined,
      judge: "none",
    });
    expect(await scored(verdict, "[]")).toEqual({
      value: 0,
      rightFrom: undefined,
      unread: 0,
      judged: undefined,
      judge: "read",
    });
  });
});

it("prediction lines are counted over all answers, and the repairs from the most frequent on", async () => {
  const reference = [
    { step: "1.1 Find", tool: "1" },
    { step: "1.2 Book", tool: "0" },
  ];
  const line = (...tools: readonly string[]) => ({
    reference,
    output: `[${tools.map((tool, at) => `{'step': '1.${at + 1}', 'tool': '${tool}'}`).join(", ")}]`,
  });
  const values = [{ reference, output: "no" }, line("1", "0"), line("1", "1"), line("0")];
  const { aggregate, records, figures } = await scorePredictions({
    lines: values.map((value, index) => ({ number: index + 1, value })),
    folder: sampleFolder("ultratool"),
    data: "sample",
    split: "en/tool_usage_awareness",
    flags: {},
    signal: new AbortController().signal,
  });
  expect(aggregate).toEqual({
    global: 0.25,
    local: 3 / 8,
    global_correct: 1,
    local_correct: 3,
    local_total: 8,
    bad_parse: 1,
  });
  expect(records[2]).toEqual({ id: 2, global: 0, local_correct: 1, local_total: 2, parse_ok: true });
  const [numbers, repairs] = figures;
  if (numbers?.kind !== "table" || repairs?.kind !== "table") throw new Error("Expected two tables");
  expect(numbers.rows.map((cells) => cells.map(({ text }) => text))).toEqual([
    ["global", "25.00 %"],
    ["local", "37.50 %"],
    ["global correct", "1"],
    ["local correct", "3"],
    ["local total", "8"],
    ["bad parse", "1"],
  ]);
  expect(repairs.rows.map((cells) => cells.map(({ text, n }) => [text, n]))).toEqual([
    [
      ["as is", undefined],
      ["3", 4],
    ],
    [
      ["failed", undefined],
      ["1", 4],
    ],
  ]);
});
