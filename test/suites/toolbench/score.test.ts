/** The score of a query without a judge: what its answer mentions, its calls, and the reason for a failure. */
import { describe, expect, it } from "vitest";
import type { Json, Outcome, Step, ToolSpec } from "../../../source/engine/types.ts";
import type { QueryTask } from "../../../suites/toolbench/data/records.ts";
import type { World } from "../../../suites/toolbench/data/world.ts";
import { judgings, scoreQuery } from "../../../suites/toolbench/score/score.ts";
import { bareSpec } from "../../bare-spec.ts";

const tool = (name: string): ToolSpec => ({
  name,
  description: "",
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
});
const offered = ["rates_for_bank", "news_for_press"].map(tool);
const task = (more: Partial<QueryTask["answer"]> = {}): QueryTask =>
  ({
    id: "1",
    question: "What is the rate?",
    input: { set: "G1_instruction", id: 1 },
    answer: { expect: ["12.5", "euro"], relevant: [["bank", "rates"]], ...more },
    facets: {},
  }) as unknown as QueryTask;

type Made = {
  readonly name: string;
  readonly ok?: boolean;
  readonly text?: string;
  readonly observation?: string;
  readonly value?: Json;
};
const called = (...made: readonly Made[]): Step[] => [
  { type: "prompt", request: 0, role: "model", model: "m", stage: "step", messages: [], tools: offered } as Step,
  ...made.map(
    ({ name, text = '{"city":"x"}' }, at) => ({ type: "call", request: 0, call: { id: `${at}`, name, text } }) as Step,
  ),
  ...made.map(
    ({ name, ok = true, observation = "seen", value = {} }, at) =>
      ({ type: "result", callId: `${at}`, name, result: { ok, observation, status: 0, value } }) as unknown as Step,
  ),
];
const note = (kind: string, text = "", data: Json = {}) => ({ type: "note", kind, text, data }) as Step;

const world = (more: object = {}): World =>
  ({
    clusteredFor: async () => undefined,
    retrieved: async () => undefined,
    references: async () => new Map(),
    ...more,
  }) as unknown as World;

const scored = (
  answer: string | undefined,
  steps: readonly Step[] = [],
  of = task(),
  in_: World = world(),
  more: Partial<Outcome> = {},
) =>
  scoreQuery(in_, of, { answer, steps, failure: undefined, ...more } as Outcome, {
    spec: bareSpec("toolbench"),
    signal: new AbortController().signal,
  });

describe("the score of a query", () => {
  it("is right if the answer mentions every expected text", async () => {
    const checks = async (answer: string | undefined) => {
      const { value, metrics, checks: made } = await scored(answer);
      return [value, metrics["success"], metrics["answered"], made.map(({ kept }) => kept)];
    };
    expect(await checks("It is 12.5 euro.")).toEqual([1, 1, 1, [true, true]]);
    expect(await checks("It is 12.5 dollars.")).toEqual([0, 0, 1, [true, false]]);
    expect(await checks(undefined)).toEqual([0, 0, 0, [false, false]]);
    const { value, metrics, checks: none, labels } = await scored("x", [], task({ expect: [] }));
    expect([value, "success" in metrics, none]).toEqual([undefined, false, []]);
    expect(labels).toMatchObject({ ended: "no answer", toolkits: "off" });
  });

  it("counts calls except Finish, and repeated calls", async () => {
    const { metrics, labels } = await scored("12.5 euro", [
      note("switch"),
      note("replan", "", { again: 2 }),
      note("replan", "", { again: 3 }),
      note("replan"),
      note("other", "", { again: 7 }),
      note("backtrack"),
      ...called(
        { name: "rates_for_bank", value: { from: "cache" } },
        { name: "rates_for_bank", ok: false, value: { from: "simulated" } },
        { name: "rates_for_bank" },
        { name: "Finish" },
      ),
      note("end", "tried"),
      note("end", "answered"),
      note("other", "later"),
    ]);
    expect(metrics).toMatchObject({
      tool_calls: 3,
      tool_failures: 1,
      cached: 1,
      simulated: 1,
      switches: 1,
      replans: 3,
      backtracks: 1,
      steps_again: 5,
    });
    expect(labels!["ended"]).toBe("answered");
  });

  it("is undefined if a simulated server's reply was unreadable", async () => {
    const unread = {
      name: "rates_for_bank",
      ok: false,
      observation: '{"error": "Failed to generate fake response", "response": ""}',
      value: { from: "simulated" },
    };
    const { value, labels } = await scored("12.5 euro", called(unread), task(), world(), {
      failure: { kind: "budget", message: "" },
    });
    expect([value, labels]).toEqual([undefined, { ended: "budget" }]);
  });

  it("contains the retriever's recall of relevant functions", async () => {
    const retrieved = async () => [{ spec: { name: "rates_for_bank" } }, { spec: { name: "other" } }];
    const recall = async (relevant: QueryTask["answer"]["relevant"]) =>
      (await scored("x", [], task({ relevant }), world({ retrieved }))).metrics;
    expect(
      await recall([
        ["bank", "rates"],
        ["press", "news"],
      ]),
    ).toMatchObject({ "retriever.recall": 0.5, "retriever.offered": 2 });
    expect(await recall([])).not.toHaveProperty("retriever.recall");
    expect((await scored("x")).metrics).not.toHaveProperty("retriever.offered");
  });
});

describe("the mistakes of a query", () => {
  const mistakes = async (
    answer: string,
    steps: readonly Step[],
    more: Partial<QueryTask["answer"]> = {},
    in_ = world(),
  ) =>
    (await scored(answer, steps, task(more), in_)).errors.map(({ kind, step, key, got }) =>
      [kind, step, key, got].filter((part) => part !== undefined).join(" | "),
    );

  it("are calls of unknown functions, and calls that failed because of wrong arguments", async () => {
    expect(
      await mistakes("12.5 euro", [
        note("hallucination", "magic"),
        ...called(
          { name: "rates_for_bank", ok: false, text: "{}", observation: "no" },
          { name: "for_bank", ok: false, text: '{"city":"x","more":1}', observation: "no" },
          { name: "rates_for_bank", ok: false, observation: "no" },
          { name: "unknown", ok: false, observation: "no" },
          { name: "unknown", ok: true },
        ),
      ]),
    ).toEqual([
      "api-hallucinated | magic",
      "missing-parameter | 0 | rates_for_bank | rates_for_bank {}: no",
      'invalid-parameter | 1 | for_bank | for_bank {"city":"x","more":1}: no',
      'api-hallucinated | 3 | unknown | unknown {"city":"x"}: no',
    ]);
  });

  it("are truncated at 500 characters", async () => {
    const [long] = (await scored("12.5 euro", called({ name: "unknown", ok: false, observation: "x".repeat(600) })))
      .errors;
    expect(long!.got).toHaveLength(500);
  });

  it("end with the reason why the task failed", async () => {
    const bounds = [note("bound", "too long"), note("bound", "too deep"), note("other", "later")];
    expect(await mistakes("", [...bounds, note("end", "gave up")])).toEqual([
      "decision-failure | gave up; the answer is empty; too deep",
    ]);
    expect(await mistakes("wrong", [])).toEqual(["decision-failure | no answer"]);
    expect(await mistakes("12.5 euro", [])).toEqual([]);
  });

  it("include an incomplete cluster if no planned toolkit contains a relevant API", async () => {
    const kits = {
      toolkits: [
        { id: 1, tools: [{ name: "news_for_press" }] },
        { id: 2, tools: [{ name: "rates_for_bank" }] },
      ],
      metrics: {},
    };
    const clustered = world({ clusteredFor: async () => kits });
    const planned = (...ids: readonly number[]) =>
      ids.map(
        (toolkit) =>
          ({
            type: "node",
            id: `${toolkit}`,
            kind: "toolkit",
            label: "",
            detail: { toolkit, plan: 1 },
          }) as unknown as Step,
      );
    expect(await mistakes("wrong", planned(1), {}, clustered)).toEqual([
      "cluster-incomplete | no answer; no planned toolkit contains rates_for_bank",
    ]);
    expect(await mistakes("wrong", planned(2), {}, clustered)).toEqual(["decision-failure | no answer"]);
    // Without a plan, and for a missing toolkit.
    expect(await mistakes("wrong", [], {}, clustered)).toEqual(["decision-failure | no answer"]);
    expect(await mistakes("wrong", planned(9), {}, clustered)).toEqual([
      "cluster-incomplete | no answer; no planned toolkit contains rates_for_bank",
    ]);
  });
});

describe("the score of a query by a judge", () => {
  const judged = async (replies: Readonly<Record<string, readonly string[]>>, options = {}, answer = "12 euro") => {
    const asked: string[] = [];
    const steps = called(
      { name: "rates_for_bank", ok: false, text: "{}", observation: "no" },
      { name: "Finish", text: '{"return_type":"give_answer"}' },
    );
    const context = {
      spec: bareSpec("toolbench", { judge: "m", options }),
      signal: new AbortController().signal,
      ask: async (stage: string) => {
        const all = replies[stage] ?? [""];
        const reply = all[asked.filter((one) => one === stage).length % all.length]!;
        asked.push(stage);
        return reply;
      },
    };
    const outcome = { answer, steps, failure: undefined } as unknown as Outcome;
    const { value, metrics, labels, errors } = await scoreQuery(world(), task({ expect: [] }), outcome, context);
    return { value, metrics, labels, errors: errors.map(({ kind }) => kind), asked };
  };

  it("is the mean of three judgements, of which an unsure one counts one half", async () => {
    const unsure = await judged({ "judge-answer": ["Unsure"], "judge-steps": ["Unsure"], "judge-fac": ["solved"] });
    expect(unsure.value).toBe(0.5);
    expect(unsure.metrics).toMatchObject({ sopr: 0.5, pass: 1, fac: 1, "judge.unread": 0, "judge.disagreement": 0 });
    expect(unsure.labels).toMatchObject({ judge: "m", judgements: "Unsure, Unsure, Unsure" });
    // Half is not a failure, which would have a mistake of its own.
    expect(unsure.errors).toEqual(["missing-parameter"]);
    expect(unsure.asked).toEqual([...Array(3).fill(["judge-answer", "judge-steps"]).flat(), "judge-fac"]);
  });

  it("counts unreadable judgements as unsolved, but not for the pass", async () => {
    const { value, metrics, labels, errors } = await judged({
      "judge-answer": ["Solved", "what?", "Unsolved"],
      "judge-fac": ["unsolved"],
    });
    expect(value).toBeCloseTo(1 / 3, 12);
    expect(metrics).toMatchObject({ pass: 1, fac: 0, "judge.unread": 1, "judge.disagreement": 1 });
    expect(labels!["judgements"]).toBe("Solved, unread, Unsolved");
    expect(errors).toEqual(["missing-parameter", "decision-failure"]);
    const failed = await judged({ "judge-answer": ["Unsolved", "Unsolved", "Solved"] });
    expect(failed.metrics).toMatchObject({ pass: 0 });
    expect(failed.metrics).not.toHaveProperty("fac");
    const none = await judged({});
    expect([none.value, none.metrics["judge.unread"], "sopr" in none.metrics]).toEqual([undefined, 3, false]);
  });

  it("asks for the kinds of errors only if the run wants this", async () => {
    const replies = { "judge-answer": ["Solved"], "judge-error": ["invalid-parameter"] };
    const asked = await judged(replies, { errors: "judge" });
    expect([asked.errors, asked.metrics["errors.judged"], asked.asked.at(-1)]).toEqual([
      ["invalid-parameter"],
      1,
      "judge-error",
    ]);
    const rules = await judged(replies);
    expect([rules.errors, "errors.judged" in rules.metrics]).toEqual([["missing-parameter"], false]);
  });
});

it("a judge is asked at most 7 times about an answer, 8 more times for a reference, and 8 more times about errors", () => {
  const of = (data: "sample" | "published", options: Record<string, string> = {}) => judgings({ data, options });
  expect([
    of("published"),
    of("sample"),
    of("sample", { errors: "judge" }),
    of("published", { errors: "judge" }),
  ]).toEqual([7, 15, 23, 15]);
});
