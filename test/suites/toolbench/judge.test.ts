import { beforeAll, describe, expect, it } from "vitest";
import { preference } from "../../../source/engine/toolkits/preference.ts";
import { sampleFolder } from "../../../source/engine/settings/package-folder.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Json, Outcome, RunSpec, Step, Task } from "../../../source/engine/types.ts";
import { answerOf } from "../../../suites/toolbench/score/answer-conversion.ts";
import { mentions } from "../../../suites/toolbench/score/answer-rule.ts";
import { judgeErrors } from "../../../suites/toolbench/score/judge.ts";
import { toolbench } from "../../../suites/toolbench/index.ts";
import { readStatus, solvedStatus } from "../../../suites/toolbench/score/judge.ts";
import { scorePredictions } from "../../../suites/toolbench/score/predictions.ts";
import { describePublished, shared, sharedJson } from "../../shared.ts";

const signal = new AbortController().signal;
const finished = answerOf("x", [{ role: "tool", message: { name: "Finish", arguments: "{}", response: "" } }], "42");
const unfinished = answerOf("x", [{ role: "tool", message: { name: "f", arguments: "{}", response: "" } }], "");

describe("a judge of answers in ToolBench", () => {
  it("is not asked about missing answers", async () => {
    const never = () => Promise.reject(new Error("asked"));
    expect(await solvedStatus("q", finished, "  ", never)).toBe("Unsolved");
    expect(await solvedStatus("q", unfinished, "42", never)).toBe("Unsolved");
  });

  it("receives the steps only if the answer alone does not decide the verdict", async () => {
    const stages: string[] = [];
    const ask = async (stage: string) => {
      stages.push(stage);
      return stage === "judge-answer" ? '{"answer_status": "Unsure"}' : '{"answer_status": "Solved"}';
    };
    expect(await solvedStatus("q", finished, "42", ask)).toBe("Solved");
    expect(stages).toEqual(["judge-answer", "judge-steps"]);
  });

  it("gives no judgement if its reply is unreadable", async () => {
    expect(readStatus("I like trains")).toBeUndefined();
    expect(readStatus('{"reason": "not solved at first", "answer_status": "unsure"}')).toBe("Unsure");
    expect(await solvedStatus("q", finished, "42", async () => "%$!")).toBeUndefined();
  });

  it("compares two answers in both orders and stores both votes", async () => {
    const first = async () => '{"better": 1}';
    expect(await preference("q", "a", "b", first)).toEqual(["candidate", "reference"]);
    const likesA = async (_stage: string, messages: readonly { content: string }[]) =>
      messages[1]!.content.includes("Answer 1:\nA") ? '{"better": 1}' : '{"better": "2"}';
    expect(await preference("q", "A", "B", likesA)).toEqual(["candidate", "candidate"]);
    expect(await preference("q", "A", "B", async () => "both are fine")).toEqual(["none", "none"]);
  });
});

describe("a judge of errors", () => {
  const errors = [
    { kind: "environment", got: "f {}: timed out" },
    { kind: "invalid-parameter", got: "g {}: no" },
    { kind: "decision-failure", got: "gave up" },
  ];

  it("overrides the rules if it reports a kind, and the number of agreements with the rules is counted", async () => {
    const replies = [
      '{"kind": "environment"}',
      '{"kind": "false-format"}',
      "environment or decision-failure, who knows",
    ];
    const { errors: judged, metrics } = await judgeErrors("q", errors, async () => replies.shift()!);
    expect(judged.map(({ kind }) => kind)).toEqual(["environment", "false-format", "decision-failure"]);
    expect(metrics).toEqual({ "errors.judged": 2, "errors.agreed": 1 });
  });
});

describe("an answer in the sample of ToolBench", () => {
  it("is right if it mentions the expected answer as whole words", () => {
    expect(mentions("It is 17 degrees, Light rain.", ["17", "light rain"])).toEqual([true, true]);
    expect(mentions("117 people, 1,215.22 feet at 09:42", ["17", "1215.22", "09:42"])).toEqual([false, true, true]);
    expect(mentions("x".repeat(500_000), ["17"])).toEqual([false]);
  });
});

describePublished("the score of a published task", () => {
  let loaded: LoadedSuite;
  let task: Task;
  beforeAll(async () => {
    loaded = await toolbench.open({ folder: shared("data", "toolbench"), data: "published" });
    const references = sharedJson<Record<string, Json>>(
      "data",
      "toolbench",
      "examples",
      "reference_gpt35_cot",
      "G1_tool.json.gz",
    );
    const tasks = await loaded.tasks("G1_tool");
    task = tasks.find(({ id }) => Object.hasOwn(references, id.slice("G1_tool-".length)))!;
  });
  const spec = { strategy: "react", options: {}, judge: "x/judge" } as unknown as RunSpec;
  const call = {
    id: "c",
    name: "Finish",
    text: '{"return_type": "give_answer", "final_answer": "Done"}',
    arguments: undefined,
  };
  const steps: Step[] = [
    { type: "prompt", request: 0, role: "model", model: "m", stage: "step", messages: [] },
    { type: "call", request: 0, call },
    { type: "result", callId: "c", name: "Finish", result: { ok: true, observation: "", status: 3 } },
    { type: "answer", answer: "Done" },
  ];
  const outcome: Outcome = { answer: "Done", steps, failure: undefined };

  it("is undefined without a judge", async () => {
    expect((await loaded.score(task, outcome, { spec, signal })).value).toBeUndefined();
  });

  it("has SoPR, pass, FAC and a win with a judge", async () => {
    const ask = async (stage: string) =>
      stage === "judge-preference" ? '{"better": 1}' : '{"answer_status": "Solved"}';
    const score = await loaded.score(task, outcome, { spec, signal, ask });
    expect(score.metrics).toMatchObject({
      sopr: 1,
      pass: 1,
      fac: 1,
      win: 0,
      "votes.candidate": 1,
      "votes.reference": 1,
      "judge.unread": 0,
    });
    expect(score.labels).toMatchObject({
      judgements: "Solved, Solved, Solved",
      votes: "candidate, reference",
      judge: "x/judge",
    });
  });

  it.each([
    ["Unsolved Unsolved Unsolved", 0, 0],
    ["Solved Unsolved Unsolved", 0, 1 / 3],
    ["Solved Solved Unsolved", 1, 2 / 3],
    ["Unsure Unsure Unsolved", 0, 1 / 3],
    ["Solved Unsure Unsolved", 1, 1 / 2],
  ])("passes if at least as many judgements pass as fail: %s", async (said, pass, sopr) => {
    const replies = said.split(" ");
    const again: string[] = [];
    const ask = async (stage: string) => {
      if (stage === "judge-preference") return '{"better": 1}';
      // An unsure judge is asked again with the steps, and remains unsure.
      if (stage === "judge-answer") again.push(replies.shift() ?? "Solved");
      return `{"answer_status": "${again.at(-1)}"}`;
    };
    const { metrics, value } = await loaded.score(task, outcome, { spec, signal, ask });
    expect(metrics["pass"]).toBe(pass);
    expect([value, metrics["sopr"]]).toEqual([expect.closeTo(sopr, 12), expect.closeTo(sopr, 12)]);
    expect(metrics["judge.disagreement"]).toBe(new Set(said.split(" ")).size > 1 ? 1 : 0);
  });

  // `per_run_scores` of StableToolBench: a run without a label adds 0, and the number of judged queries stays the same.
  it.each([
    ["Solved Unread Unsolved", 1, 1 / 3],
    ["Unread Solved Solved", 1, 2 / 3],
    ["Unread Unsolved Unread", 0, 0],
    ["Unsure Unread Unread", 1, 1 / 6],
  ])("counts as 0 in SoPR if its judgement is unreadable: %s", async (said, pass, sopr) => {
    const replies = said.split(" ");
    let last = "";
    const ask = async (stage: string) => {
      if (stage === "judge-preference") return '{"better": 1}';
      if (stage === "judge-answer") last = replies.shift() ?? "Solved";
      return last === "Unread" ? "lorem ipsum" : `{"answer_status": "${last}"}`;
    };
    const { metrics } = await loaded.score(task, outcome, { spec, signal, ask });
    expect(metrics["sopr"]).toBeCloseTo(sopr, 12);
    expect(metrics["pass"]).toBe(pass);
    expect(metrics["judge.unread"]).toBe(said.split("Unread").length - 1);
  });

  // This reference made no final call, so it is unsolved without judgement.
  it.each([
    ["Unsolved Unsolved Unsolved", [1, 2], 1],
    ["Unsolved Unsolved Unsolved", [1, 1], 0],
    ["Unsolved Unsolved Unsolved", [2, 2], 0],
    ["Unsolved Unsolved Unsolved", [2, 1], 0],
    ["Unsolved Unsolved Unsolved", [1, 0], 1],
    ["Unsolved Unsolved Unsolved", [0, 0], 0],
    ["Solved Unsolved Unread", [2, 1], 0],
    ["Solved Solved Unread", [2, 1], 1],
    ["Solved Unread Unread", [2, 1], 1],
  ])("wins by SoWR with more solved judgements or more votes, but not on a tie: %s %j", async (said, choices, sowr) => {
    const replies = said.split(" ");
    const left = [...choices];
    let last = "";
    const ask = async (stage: string) => {
      if (stage === "judge-preference") return `{"better": ${left.shift()}}`;
      if (stage === "judge-answer") last = replies.shift()!;
      return last === "Unread" ? "lorem ipsum" : `{"answer_status": "${last}"}`;
    };
    const { metrics, labels } = await loaded.score(task, outcome, { spec, signal, ask });
    expect(labels!["reference.judgements"]).toBe("Unsolved, Unsolved, Unsolved");
    expect(metrics["sowr"]).toBe(sowr);
  });

  it("is undefined if the judge's replies are unreadable, which are counted", async () => {
    const score = await loaded.score(task, outcome, { spec, signal, ask: async () => "lorem ipsum" });
    expect(score.value).toBeUndefined();
    expect(score.metrics["judge.unread"]).toBe(3);
    expect(score.metrics["pass"]).toBeUndefined();
  });
});

describePublished("labels of another program", () => {
  type Case = { id: string; kind: string; expected: Record<string, Json> } & Record<string, Json>;
  const { cases } = sharedJson<{ cases: Case[] }>("conformance", "toolplanner", "tooleval_aggregation.json");
  const score = (split: string, values: readonly Json[]) =>
    scorePredictions({
      lines: values.map((value, index) => ({ number: index + 1, value })),
      folder: "",
      data: "published",
      split,
      flags: {},
      signal,
    });

  it("are aggregated exactly to the recorded sums", async () => {
    for (const one of cases) {
      const split = one.kind === "solvable_win_rate" ? "preference" : "passrate";
      const { aggregate } = await score(split, [one]);
      const got = aggregate as Record<string, Json>;
      expect(Object.keys(got).toSorted(), one.id).toEqual(Object.keys(one.expected).toSorted());
      for (const [name, value] of Object.entries(one.expected)) {
        if (name === "printed") expect(got[name], one.id).toBe(value);
        else
          expect([got[name]].flat(), `${one.id} ${name}`).toEqual(
            [value].flat().map((number) => expect.closeTo(number as number, 12)),
          );
      }
    }
  });

  it("are read from StableToolBench's own pass-rate file", async () => {
    const folder = ["data", "toolbench", "examples", "stabletoolbench", "pass_rate_results", "virtual_chatgpt_cot"];
    const file = sharedJson<Json>(...folder, "G1_instruction_virtual_chatgpt_cot.json.gz");
    expect((await score("passrate", [file])).aggregate).toMatchObject({ printed: "Solve rate: 66.7% Std: 0.0%" });
  });

  it("are rejected by line number if malformed", async () => {
    await expect(score("passrate", [{}])).rejects.toThrow("Line 1: Expected `labels`");
    await expect(score("passrate", [{ labels: { "1": { "0": "Perhaps" } } }])).rejects.toThrow(
      "Solved, Unsolved or Unsure",
    );
    await expect(
      score("preference", [{ preferences: { "1": { a: 1 } }, reference: "a", candidate: "b" }]),
    ).rejects.toThrow("preferences.1.b");
    await expect(score("passrate", [{ counts: {} }])).rejects.toThrow("at least one judged query");
  });
});

describe("the suite ToolBench", () => {
  it("gives the paper's tables 3 to 8 with their caveats", async () => {
    const { tables, values } = await toolbench.reported!();
    expect(tables.map(({ title }) => title.slice(0, 7))).toEqual([
      "Table 3",
      "Table 4",
      "Table 5",
      "Table 6",
      "Table 7",
      "Table 8",
    ]);
    const planner = values.find(
      ({ row, where, measure }) =>
        row === "GPT-4, Tool-Planner" && where["set"] === "G3_instruction" && measure === "tooleval.pass",
    );
    expect(planner?.value).toBe(0.83);
    expect(tables[5]!.notes.at(-1)).toContain("although the caption does not say so");
  });

  it("describes a task with its relevant APIs", async () => {
    const loaded = await toolbench.open({ folder: sampleFolder("toolbench"), data: "sample" });
    const [task] = await loaded.tasks("all");
    expect(loaded.describe!(task!, "17").reference[0]!.title).toBe("current_weather_for_skyline_weather");
  });
});
