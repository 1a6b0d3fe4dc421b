import { executedCalls } from "../../../suites/toolbench/score/execution.ts";
import { describe, expect, it } from "vitest";
import {
  finishCalled,
  stepTexts,
  type AnswerNode,
  type ConvertedAnswer,
} from "../../../suites/toolbench/score/answer-conversion.ts";
import {
  finalAnswerCorrectness,
  isPassed,
  passRate,
  solvablePassRate,
  winRate,
  type AnswerPass,
  type AnswerStatus,
  type TaskStatus,
} from "../../../suites/toolbench/score/tooleval.ts";
import { randomFrom } from "../../../source/engine/statistics/random.ts";
import type { Json } from "../../../source/engine/types.ts";
import { describePublished, sharedJson, sharedLines } from "../../shared.ts";
import { convertRun } from "./convert-run.ts";

type Case = {
  id: string;
  kind: string;
  evaluate_times: number;
  labels?: Record<string, Record<string, string>>;
  counts?: Record<string, { passed: number; failed: number }>;
  preferences?: Record<string, Record<string, number | string>>;
  reference?: string;
  candidate?: string;
  expected: Record<string, number | number[]>;
};
type Aggregation = {
  cases: Case[];
  is_passed_truth_table: { answer_status: AnswerStatus; task_status: TaskStatus; result: AnswerPass }[];
  fac_label_parse: { text: string; score: number }[];
};
type Conversion = {
  file: string;
  method: string;
  deterministic: boolean;
  raw: Json;
  expected: ConvertedAnswer & { answer_steps: string; final_step: string; finish_called: boolean };
};

function close(got: number | readonly number[], wanted: number | readonly number[], name: string): void {
  const [gots, wanteds] = [[got].flat(), [wanted].flat()];
  expect(gots, name).toHaveLength(wanteds.length);
  for (const [index, value] of wanteds.entries())
    expect(Math.abs(gots[index]! - value), `${name} ${gots[index]} ${value}`).toBeLessThan(1e-12);
}

describePublished("ToolEval's aggregation, compared with the official code", () => {
  const { cases, is_passed_truth_table, fac_label_parse } = sharedJson<Aggregation>(
    "conformance",
    "toolplanner",
    "tooleval_aggregation.json",
  );

  it("equals the official conversion in all 63 recorded cases", () => {
    expect(cases).toHaveLength(63);
    for (const one of cases) {
      const { expected } = one;
      if (one.kind === "solvable_pass_rate") {
        const labels = Object.values(one.labels!).map(
          (runs) =>
            new Map(Object.entries(runs).map(([run, label]) => [Number(run), label.split(".")[1] as AnswerStatus])),
        );
        const rate = solvablePassRate(labels, one.evaluate_times);
        close(rate.per_run_scores, expected["per_run_scores"]!, one.id);
        close(rate.solve_rate_percent, expected["solve_rate_percent"]!, one.id);
        close(rate.std_percent, expected["std_percent"]!, one.id);
      } else if (one.kind === "toolbench_pass_rate") {
        close(passRate(Object.values(one.counts!)), expected["pass_rate"]!, one.id);
      } else {
        const votes = Object.values(one.preferences!).map((row) => ({
          reference: row[one.reference!] as number,
          candidate: row[one.candidate!] as number,
        }));
        const { win_rate, tie_rate, lose_rate } = winRate(votes);
        close(
          [win_rate, tie_rate, lose_rate],
          ["win_rate", "tie_rate", "lose_rate"].map((name) => expected[name] as number),
          one.id,
        );
      }
    }
  });

  it("equals the official truth table, and reads the replies of the correctness judge equally", () => {
    expect(is_passed_truth_table).toHaveLength(9);
    for (const row of is_passed_truth_table) expect(isPassed(row.answer_status, row.task_status)).toBe(row.result);
    for (const { text, score } of fac_label_parse) expect(finalAnswerCorrectness(text), text).toBe(score);
  });
});

describePublished("converted answers, compared with the official converter", () => {
  const runs = sharedLines<Conversion>("conformance", "toolplanner", "answer_conversion.jsonl.gz");

  it("have the same steps and texts for every run with an answer", () => {
    expect(runs.map(({ deterministic }) => deterministic).toSorted()).toEqual([
      ...Array.from({ length: 2 }, () => false),
      ...Array.from({ length: 9 }, () => true),
    ]);
    for (const { method, raw, expected, deterministic, file } of runs) {
      if (!deterministic) continue;
      const converted = convertRun(raw, method, randomFrom(1));
      expect(converted.total_steps, file).toBe(expected.total_steps);
      expect(converted.final_answer).toBe(expected.final_answer);
      expect(converted.answer_details).toEqual(expected.answer_details);
      expect(stepTexts(converted)).toEqual({ steps: expected.answer_steps, final: expected.final_step });
      expect(finishCalled(converted)).toBe(expected.finish_called);
    }
  });

  it("follow a path from the root to a leaf if a run has no answer", () => {
    for (const { method, raw, expected, deterministic } of runs) {
      if (deterministic) continue;
      const converted = convertRun(raw, method, randomFrom(7));
      expect(Object.keys(converted).toSorted()).toEqual(["answer_details", "final_answer", "method", "total_steps"]);
      expect(converted.final_answer).toBe(expected.final_answer);
      const [system] = converted.answer_details;
      expect([system!.role, system!.next[0]!.role]).toEqual(["system", "user"]);
      expect(depthOf(system!)).toBe(converted.total_steps);
      expect(convertRun(raw, method, randomFrom(7))).toEqual(converted);
    }
  });
});

function depthOf(node: AnswerNode): number {
  return 1 + (node.next[0] === undefined ? 0 : depthOf(node.next[0]));
}

describe("edge cases of ToolEval", () => {
  it("connect several calls of a message with the answer to each, up to the call that ends the run", () => {
    const called = (id: string, name: string) => ({ id, function: { name, arguments: `{"of": "${id}"}` } });
    const told = (id: string) => ({ role: "tool", tool_call_id: id, content: `told ${id}` });
    const calls = [called("a", "one"), called("b", "two"), called("c", "nobody answers"), called("d", "Finish")];
    const conversation = [
      { role: "system", content: "" },
      { role: "user", content: "" },
      { role: "assistant", content: "", tool_calls: [...calls, called("e", "too late")] },
      told("b"),
      told("a"),
      told("e"),
    ];
    const raw = { answer_generation: { valid_data: true, final_answer: "", train_messages: [conversation] } };
    const steps: [string, string][] = [];
    let [node] = convertRun(raw, "DFS_woFilter_w2", randomFrom(1)).answer_details[0]!.next[0]!.next;
    for (; node !== undefined; [node] = node.next) {
      const { name, response } = node.message as { name: string; response: string };
      steps.push([name, response]);
    }
    expect(steps).toEqual([
      ["one", "told a"],
      ["two", "told b"],
      ["Finish", ""],
    ]);
  });

  it("include empty input, which is an error", () => {
    expect(() => passRate([])).toThrow("Expected at least one judged query");
    expect(() => winRate([])).toThrow("Expected at least one judged query");
  });

  it("distinguish calls of one message that have the same id, which some servers send", () => {
    const call = (text: string) =>
      ({ type: "call", request: 0, call: { id: "same", name: "f", text, arguments: {} } }) as const;
    const result = (observation: string) =>
      ({ type: "result", callId: "same", name: "f", result: { ok: true, observation, status: 0 } }) as const;
    const asked = { type: "prompt", request: 0, role: "model", model: "m", stage: "step", messages: [] } as const;
    const executed = executedCalls([asked, call("first"), call("second"), result("1"), result("2")]);
    expect(executed.map((one) => [one.call.text, one.result.observation])).toEqual([
      ["first", "1"],
      ["second", "2"],
    ]);
  });

  it("include hostile run files, which are converted to runs without steps", () => {
    for (const raw of [null, [], {}, { answer_generation: { valid_data: true, train_messages: "x" } }] as Json[])
      expect(convertRun(raw, "DFS_woFilter_w2", randomFrom(1)).total_steps).toBe(2);
  });
});
