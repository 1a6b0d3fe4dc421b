/** Dependencies, step numbers, formulas and judgements of small dialogues, worked out by hand. */
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Json, Message, Task } from "../../../source/engine/types.ts";
import { planningarena } from "../../../suites/planningarena/index.ts";
import type { Edge, Gold, PlanStepRecord } from "../../../suites/planningarena/data/records.ts";
import { dependenciesOf } from "../../../suites/planningarena/score/dependencies.ts";
import { evaluate, type EvaluationInput } from "../../../suites/planningarena/score/evaluate.ts";
import { aggregate, dependencyAccuracy, mistakeAvoidance } from "../../../suites/planningarena/score/formulas.ts";
import { fingerprintOf, judge, readJudgeQuestion } from "../../../suites/planningarena/score/judge.ts";
import { matchSubtasks } from "../../../suites/planningarena/score/matching.ts";
import { readObject, readPlannerReply, transcriptOfRecords } from "../../../suites/planningarena/score/transcript.ts";
import { runDialogue, scoreDialogue, spec } from "./execution.ts";

const calling = (args: Record<string, Json>, results: Json): PlanStepRecord => ({
  thought: "",
  totalSteps: 3,
  stepNumber: 1,
  description: "",
  action: "f()",
  call: { tool: "f", args },
  results,
});
const edge = (from: string, to: string, kind: "value" | "order" = "value"): Edge => ({ from, to, kind });

describe("the dependencies of a dialogue", () => {
  const given = () => false;
  const subtasks = [{ id: "a" }, { id: "b" }, { id: "c" }];

  it("are right, missing, invented or reversed, and steps without a subtask are named by their number", () => {
    const steps = [
      calling({}, { seat: "ticket" }),
      calling({ for: "ticket" }, "gate B"),
      calling({ for: "ticket" }, "f(x)"),
      calling({ at: "gate B", of: "f(x)" }, "f({'door': 'north'})"),
      calling({ by: "north" }, {}),
    ];
    const gold = {
      subtasks,
      edges: [edge("a", "b"), edge("b", "a", "order"), edge("a", "a", "order"), edge("a", "c")],
    };
    const own = { from: "a", to: "a", fromStep: 0, toStep: 0, inOrder: false };
    const back = { from: "b", to: "a", fromStep: 1, toStep: 0, inOrder: false };
    const right = { from: "a", to: "b", fromStep: 0, toStep: 1, inOrder: true };
    const extra = [
      { from: "a", to: "x3", fromStep: 0, toStep: 2, inOrder: true },
      { from: "b", to: "x4", fromStep: 1, toStep: 3, inOrder: true },
      { from: "x4", to: "x5", fromStep: 3, toStep: 4, inOrder: true },
    ];
    expect(dependenciesOf(steps, gold as Gold, [0, 1, undefined], given)).toEqual({
      value: 1 / 6,
      recall: 1 / 4,
      literal: 6 / 4,
      n: 4,
      m: 6,
      correct: 1,
      found: [right, ...extra, back, own],
      missed: [edge("a", "c")],
      extra,
      reversed: [back, own],
    });
  });

  it("are weighted by their checkpoints, and divided by the larger of both numbers", () => {
    expect(dependencyAccuracy(2, [[{ b: 0, w: 0.5 }]])).toEqual({ value: 0.5, recall: 0.5, literal: 0.25 });
    expect(dependencyAccuracy(1, [[{ b: 1, w: 0.25 }], [{ b: 0, w: 1 }]])).toEqual({
      value: 1.75 / 2,
      recall: 1.75,
      literal: 2,
    });
    expect(dependencyAccuracy(0, [])).toEqual({ value: 1, recall: null, literal: null });
    expect(dependencyAccuracy(0, [[{ b: 0, w: 1 }]])).toEqual({ value: 0, recall: null, literal: null });
  });
});

it("mistakes are avoided by the share of weight without a mistake, and by a garbled plan not at all", () => {
  const checks = [
    { name: "one", b: 1, w: 1 },
    { name: "two", b: 0, w: 3 },
  ];
  expect([mistakeAvoidance(false, checks), mistakeAvoidance(true, checks), mistakeAvoidance(false, [])]).toEqual([
    0.75, 0, 0,
  ]);
});

it("means by relation are weighted by tasks; a relation without a number of tasks has no weight", () => {
  expect(aggregate({ SAPP: 50 }, { SAPP: 1 })).toEqual({ APP: 50, API: null, Overall: 50 });
  expect(aggregate({ SAPP: 50, CAPP: 100, DAPI: 20 }, { SAPP: 3, DAPI: 1 })).toEqual({
    APP: 50,
    API: 20,
    Overall: 42.5,
  });
  expect(aggregate({}, { SAPP: 3 })).toEqual({ APP: null, API: null, Overall: null });
});

it("a subtask without words matches no step, even one without words", () => {
  expect(matchSubtasks([{ id: "s" }], [{ ...calling({}, ""), call: undefined, action: { Tap: "!" } }])).toEqual([
    undefined,
  ]);
});

describe("the numbers of a dialogue's steps", () => {
  const head = { id: 1, scenario: "", structure: null, level: "easy", userId: null, query: "Go." } as const;
  const offer = { name: "apps", apps: [], apis: new Map() };
  const record = (stepNumber: Json, totalSteps: Json, more: object = {}): Json => ({
    GlobalThought: "",
    OrderSteps: {
      TotalSteps: totalSteps,
      StepDetail: { StepNumber: stepNumber, Description: "d", Action: { Tap: "x" }, Results: "", ...more },
    },
  });
  const evaluated = (dialogue: readonly Json[], gold: Partial<Gold> = {}, more: Partial<EvaluationInput> = {}) =>
    evaluate({
      task: { ...head, operationalScenario: "APP", relation: "SAPP" },
      gold: { subtasks: [], edges: [], ...gold },
      offer,
      profile: undefined,
      dialogue,
      ...more,
    });
  const wrong = (...numbers: readonly (readonly [number, number])[]) =>
    evaluated(numbers.map(([number, total]) => record(number, total)))
      .findings.filter(({ check }) => check === "generated")
      .map(({ step, expected, got, text }) => [step, expected, got, text]);

  it("are compared with the first announced number, and the first step out of order is named", () => {
    expect(wrong([1, 2], [2, 9])).toEqual([]);
    expect(wrong([1, 3], [3, 3], [2, 3])).toEqual([[1, "step 2", "3", "step number"]]);
    expect(wrong([2, 1])).toEqual([[0, "step 1", "2", "step number"]]);
    expect(wrong([1, 2])).toEqual([[undefined, "2 steps", "1", "steps found"]]);
    expect(wrong([1, 0])).toEqual([[0, "1 to 20 steps", "0", "announced steps"]]);
  });

  it("have no effect on the executed share of the subtasks' weight", () => {
    const subtasks = [
      { id: "a", text: "d x" },
      { id: "b", text: "elsewhere", weight: 3 },
    ];
    const { ser, lpr, da, smar, result } = evaluated([record(1, 1)], { subtasks });
    expect([ser, lpr, da!.value, result]).toEqual([0.25, 0.25, 1, false]);
    expect(smar).toEqual({ eq3: 0.75, table: 1 });
    const missed = evaluated([record(1, 1)], {
      subtasks: [{ id: "s", tool: "f", args: [{ name: "a", value: 1, check: "PC" }] }],
    });
    expect([missed.ser, missed.smar.eq3]).toEqual([0, 0.5]);
    const { ser: none } = evaluated([record(1, 1)]);
    expect(none).toBeNull();
  });

  it("are whole numbers in a readable step with texts", () => {
    const reason = (...read: readonly Json[]) => {
      const transcript = transcriptOfRecords(read, false);
      return transcript.garbled ? transcript.reason : "";
    };
    expect([reason(record(1, 1.5)), reason(record("1", 1)), reason(record(1, 1))]).toEqual(["type", "type", ""]);
    expect(reason(record(1, 1, { Description: 7 }))).toBe("type");
    expect(reason({ ...(record(1, 1) as object), GlobalThought: 7 })).toBe("type");
    expect(transcriptOfRecords([record(1, 1, { Action: "f()" })], false).steps[0]!.call).toBeUndefined();
    expect(transcriptOfRecords([record(1, 1, { Action: "f()" })], true).steps[0]!.call).toEqual({
      tool: "f",
      args: {},
    });
    expect(transcriptOfRecords([record(1, 1)], true)).toMatchObject({ garbled: true, reason: "action" });
  });
});

it("a reply is nested at most 64 levels deep", () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}[]${"}".repeat(depth)}`;
  expect([readObject(nested(64)) === undefined, readObject(nested(65)) === undefined]).toEqual([false, true]);
  expect(readObject('{"a": null, "b": [1, {"c": "x"}]}')).toEqual({ a: null, b: [1, { c: "x" }] });
});

it("a Planner's reply has a thought, a number of steps and a step with its number, description and action", () => {
  const detail = { StepNumber: 1, Description: "d", Action: "a" };
  const whole = { GlobalThought: "t", OrderSteps: { TotalSteps: 2, StepDetail: detail } };
  expect(readPlannerReply(JSON.stringify(whole))).toEqual({ thought: "t", totalSteps: 2, detail });
  for (const other of [
    { OrderSteps: whole.OrderSteps },
    { GlobalThought: "t", OrderSteps: { StepDetail: detail } },
    { GlobalThought: "t", OrderSteps: { TotalSteps: 2 } },
    { GlobalThought: "t", OrderSteps: { TotalSteps: 2, StepDetail: { ...detail, Action: undefined } } },
  ])
    expect(readPlannerReply(JSON.stringify(other))).toBeUndefined();
});

describe("a judge of dialogues", () => {
  let loaded: LoadedSuite;
  let task: Task;
  beforeAll(async () => {
    loaded = await planningarena.open({ folder: sampleFolder("planningarena"), data: "sample" });
    task = (await loaded.tasks("generated"))[0]!;
  });
  const dialogue = [{ MessageNumber: "1" }, { OrderSteps: { TotalSteps: 1 } }];
  const marked = "The plan, with what its steps returned:\n";
  const asking = (content: string): readonly Message[] => [
    { role: "system", content: "x" },
    { role: "user", content },
  ];

  it("answers one question for each of six checks, about the steps of the dialogue alone", async () => {
    const asked: (readonly [string, Json | undefined])[] = [];
    const replies = ['{"problem": true}', '{"problem": false}', '{"problem": 1}', "no", '{"problem": false}', "[]"];
    const opinion = await judge(`Go. ${marked}[2]`.slice(0, 3), dialogue, async (stage, messages, reading) => {
      const reply = replies[asked.length]!;
      asked.push([stage, readJudgeQuestion(stage, messages) as unknown as Json]);
      expect(reading!.isReadable(reply)).toBe(/true|false/.test(reply));
      return reply;
    });
    expect(opinion).toEqual({ SC: false, SR: true, PC: undefined, OSC: undefined, TR: true, TD: undefined });
    expect(asked).toEqual(
      [
        ["judge-missing-steps", "SC"],
        ["judge-redundant-steps", "SR"],
        ["judge-parameters", "PC"],
        ["judge-operations", "OSC"],
        ["judge-time", "TR"],
        ["judge-dependencies", "TD"],
      ].map(([stage, check]) => [stage, { check, dialogue: dialogue.slice(1) }]),
    );
  });

  it("is asked about the first plan of a request, on one line", () => {
    const read = (stage: string, content: string) => readJudgeQuestion(stage, asking(content));
    expect(read("judge-time", `${marked}[1]\n\n${marked}[2]`)).toEqual({ check: "TR", dialogue: [1] });
    expect(read("judge-time", `x ${marked}[1]`)).toEqual({ check: "TR", dialogue: [1] });
    for (const other of ["no plan", `${marked}{}`, `${marked}no`]) expect(read("judge-time", other)).toBeUndefined();
    expect(read("plan", `${marked}[1]`)).toBeUndefined();
  });

  it("has a fingerprint of its prompts", () => {
    expect(fingerprintOf({})).toBe(fingerprintOf({ judgePrompts: {} }));
    expect(fingerprintOf({ judgePrompts: { "judge-time": "?" } } as never)).not.toBe(fingerprintOf({}));
    expect(fingerprintOf({})).toBe("94945926");
    expect(fingerprintOf({ judgePrompts: { "judge-time": "?" } } as never)).toMatch(/^[0-9a-f]{8}$/);
  });

  it("gives opinions beside the verdicts of rules, unless the plan cannot be read", async () => {
    const answer = runDialogue(loaded, task);
    let asked = 0;
    const ask = async (stage: string) => {
      asked += 1;
      return stage === "judge-time" ? "no" : `{"problem": ${stage === "judge-parameters"}}`;
    };
    const scored = await scoreDialogue(loaded, task, answer, { ask, spec: { ...spec, judge: "m" } });
    expect(asked).toBe(6);
    expect(scored.metrics).toMatchObject({ "judge.SC": 1, "judge.PC": 0, "judge.TD": 1 });
    expect(scored.metrics).not.toHaveProperty("judge.TR");
    expect(scored.checks.slice(-6).map(({ name, kept }) => [name, kept])).toEqual([
      ["judge.SC", true],
      ["judge.SR", true],
      ["judge.PC", false],
      ["judge.OSC", true],
      ["judge.TR", undefined],
      ["judge.TD", true],
    ]);
    expect(scored.labels).toEqual({
      end: "complete",
      profile: "on",
      "judge.model": "m",
      "judge.prompts": fingerprintOf({}),
    });
    const garbled = await scoreDialogue(loaded, task, { end: "planner-unparsable", dialogue: [] } as never, { ask });
    expect([asked, garbled.metrics["garbled"], garbled.labels]).toEqual([
      6,
      1,
      { end: "planner-unparsable", profile: "on" },
    ]);
    const off = await scoreDialogue(loaded, task, answer, { spec: { ...spec, options: { profile: "off" } } });
    expect(off.labels).toEqual({ end: "complete", profile: "off" });
    const nothing = await scoreDialogue(loaded, task, "x" as never, { ask });
    expect([nothing.labels!["end"], asked]).toEqual(["nothing", 6]);
  });
});
