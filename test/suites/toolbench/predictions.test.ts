/** Labels from another program, worked out by hand. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../source/engine/types.ts";
import {
  comparable,
  correctness,
  judgeErrors,
  readStatus,
  solvedStatus,
} from "../../../suites/toolbench/score/judge.ts";
import { answerOf } from "../../../suites/toolbench/score/answer-conversion.ts";
import { scorePredictions } from "../../../suites/toolbench/score/predictions.ts";
import { passRate, solvablePassRate, winRate } from "../../../suites/toolbench/score/tooleval.ts";
import type { Mistake } from "../../../source/engine/types.ts";

const scored = (split: string, ...values: readonly Json[]) =>
  scorePredictions({
    lines: values.map((value, index) => ({ number: index + 1, value })),
    folder: "",
    data: "sample",
    split,
    flags: {},
    signal: new AbortController().signal,
  });
const table = async (split: string, ...values: readonly Json[]) => {
  const { figures } = await scored(split, ...values);
  const [figure] = figures;
  if (figure?.kind !== "table") throw new Error("Expected a table");
  const { title, notes, columns, rows } = figure;
  return [title, ...notes, columns.map((each) => each.title), ...rows.map((row) => row.map(({ text }) => text))];
};

describe("labels for the pass rate", () => {
  const labels = { a: { "0": "Solved", "1": "AnswerStatus.Unsure" }, b: { "0": "Unsolved", "2": "Solved" } };
  const sums = {
    per_run_scores: [0.5, 0.25, 0.5],
    solve_rate_percent: 41.66666666666667,
    std_percent: expect.closeTo(11.785, 3) as number,
    printed: "Solve rate: 41.7% Std: 11.8%",
  };

  it("are averaged over as many runs as there are, or as the line says", async () => {
    const { records, aggregate } = await scored("passrate", { labels });
    expect([records, aggregate]).toEqual([[sums], sums]);
    const { aggregate: two } = await scored("passrate", { labels, evaluate_times: 2 });
    expect(two).toMatchObject({ per_run_scores: [0.5, 0.25], printed: "Solve rate: 37.5% Std: 12.5%" });
    const judged = Object.fromEntries(Object.entries(labels).map(([id, runs]) => [id, { is_solved: runs }]));
    expect((await scored("passrate", judged)).aggregate).toEqual(sums);
    expect((await scored("passrate", { labels: { a: { "0": "Solved" } } })).aggregate).toMatchObject({
      per_run_scores: [1],
      printed: "Solve rate: 100.0% Std: 0.0%",
    });
    expect((await scored("passrate", { labels: { a: {} } })).aggregate).toMatchObject({ per_run_scores: [0] });
  });

  it.each([
    [["Unsure", "Solved", "Unsolved", "Unsolved"], "37.5%"],
    [["Unsure", "Unsolved", "Unsolved", "Unsolved", "Unsolved", "Unsolved", "Unsolved", "Unsolved"], "6.2%"],
    [["Solved", "Unsure", "Unsolved", "Unsolved", "Unsolved", "Unsolved", "Unsolved", "Unsolved"], "18.8%"],
    [["Solved", "Unsolved", "Unsolved"], "33.3%"],
    [["Solved", "Solved", "Unsolved"], "66.7%"],
  ])("are printed with one decimal, whose tie goes to the even digit: %j as %s", async (of, printed) => {
    const each = Object.fromEntries(of.map((label, at) => [`q${at}`, { "0": label }]));
    const { aggregate } = await scored("passrate", { labels: each });
    expect((aggregate as { printed: string }).printed).toBe(`Solve rate: ${printed} Std: 0.0%`);
  });

  it("may be counts of passed and failed judgements, of which a tie passes", async () => {
    const counts = { a: { passed: 1, failed: 1 }, b: { passed: 0, failed: 1 }, c: { passed: 2, failed: 0 } };
    expect((await scored("passrate", { counts })).records).toEqual([{ pass_rate: 2 / 3 }]);
  });

  it("have a row for each line, under its name", async () => {
    const counts = { a: { passed: 1, failed: 0 } };
    expect(await table("passrate", { id: "first", counts }, { id: 7, labels: { a: { "0": "Unsure" } } })).toEqual([
      "ToolEval: pass rate",
      "Ties pass; an unsure label counts one half in the solve rate.",
      ["labels", "pass_rate", "solve_rate_percent", "std_percent"],
      ["first", "1.0000", "-", "-"],
      ["line 2", "-", "50.0000", "0.0000"],
    ]);
    const { aggregate } = await scored("passrate", { counts }, { counts });
    expect(aggregate).toEqual([{ pass_rate: 1 }, { pass_rate: 1 }]);
  });

  it.each<[Json, string]>([
    [{ labels: 7 }, "Expected `labels` (per query and run) or `counts` (passed, failed)"],
    [{ a: { is_solved: {} }, b: {} }, "Expected `labels` (per query and run)"],
    [{}, "Expected `labels` (per query and run)"],
    [{ labels: { a: 7 } }, "Expected `labels.a` to contain a label for each run"],
    [{ labels: { a: { "0": "x".repeat(50) } } }, `Unsolved or Unsure, got \`${"x".repeat(40)}\``],
    [{ labels: {} }, "Expected at least one judged query, got none"],
    [{ counts: {} }, "Expected at least one judged query, got none"],
    [{ counts: { a: { passed: 1 } } }, "Expected `counts.a.failed` to be a count, got `nothing`"],
    [{ counts: { a: { passed: 1.5, failed: 0 } } }, "Expected `counts.a.passed` to be a count, got `1.5`"],
    [{ counts: { a: { passed: -1, failed: 0 } } }, "got `-1`"],
    [{ counts: { a: { passed: "x".repeat(50), failed: 0 } } }, `got \`"${"x".repeat(39)}\``],
    [{ counts: { ["a".repeat(90)]: { passed: "1", failed: 0 } } }, `Expected \`counts.${"a".repeat(73)}\` to be`],
  ])("are refused: %j", async (value, message) => {
    await expect(scored("passrate", { counts: { a: { passed: 0, failed: 0 } } }, value)).rejects.toThrow(message);
    await expect(scored("passrate", value)).rejects.toThrow(/^Line 1: /);
  });
});

it("no labels, counts or votes have no rate", () => {
  for (const rate of [() => solvablePassRate([], 1), () => passRate([]), () => winRate([])])
    expect(rate).toThrow("Expected at least one judged query, got none");
});

describe("preferences", () => {
  const line = (...votes: readonly (readonly [number, number])[]) => ({
    reference: "old",
    candidate: "new",
    preferences: Object.fromEntries(votes.map(([old, own], at) => [`q${at}`, { old, new: own }])),
  });

  it("are the shares of queries won, tied and lost by votes", async () => {
    const { records } = await scored("preference", line([1, 2], [1, 1], [2, 0], [0, 1]));
    const printed =
      "Test set: G1_instruction. Reference model: old, Candidate model: new. Win rate: 0.5, Tie rate: 0.25";
    expect(records).toEqual([{ win_rate: 0.5, tie_rate: 0.25, lose_rate: 0.25, printed }]);
    const all = await scored("preference", { ...line([0, 1]), test_set: "G2" });
    expect((all.records[0] as { printed: string }).printed).toBe(
      "Test set: G2. Reference model: old, Candidate model: new. Win rate: 1.0, Tie rate: 0.0",
    );
    expect(await table("preference", line([0, 1]))).toEqual([
      "ToolEval: win rate",
      "A tie is not a win.",
      ["labels", "win_rate", "tie_rate", "lose_rate"],
      ["line 1", "1.0000", "0.0000", "0.0000"],
    ]);
  });

  it("name both methods", async () => {
    const whole = line([0, 1]);
    for (const other of [
      { ...whole, preferences: [] },
      { ...whole, reference: 7 },
      { ...whole, candidate: null },
    ])
      await expect(scored("preference", other as Json)).rejects.toThrow("Line 1: Expected `preferences` per query");
    await expect(scored("preference", line())).rejects.toThrow("Expected at least one judged query");
  });
});

describe("the requests to a judge of answers", () => {
  type Reading = { isReadable(reply: string): boolean };
  const judge = (...replies: readonly string[]) => {
    const asked: { stage: string; text: string; reading: Reading }[] = [];
    const ask = async (stage: string, messages: readonly { content: string }[], reading: Reading) => {
      asked.push({ stage, text: messages.map(({ content }) => content).join("\n"), reading });
      return replies[asked.length - 1] ?? "";
    };
    return { ask: ask as never, asked };
  };
  const finish = { role: "tool", message: { name: "Finish", arguments: "{}", response: "" } } as const;
  const answer = answerOf(
    "react",
    [{ role: "tool", message: { name: "look", arguments: "{}", response: "7" } }, finish],
    "7",
  );

  it("are made for an answer by Finish that is not empty", async () => {
    const { ask, asked } = judge("Unsure", '{"answer_status": "Solved"}');
    expect(await solvedStatus("What?", answer, "7", ask)).toBe("Solved");
    expect(asked.map(({ stage }) => stage)).toEqual(["judge-answer", "judge-steps"]);
    expect(asked[1]!.text).toContain("Step 1: {'name': 'look'");
    expect(["Unsolved", "?"].map((reply) => asked[0]!.reading.isReadable(reply))).toEqual([true, false]);
    for (const given of [undefined, " "]) {
      expect(await solvedStatus("What?", answer, given, ask)).toBe("Unsolved");
      expect(await correctness("What?", given, ask)).toBe(0);
    }
    expect(await solvedStatus("What?", answerOf("react", [], "7"), "7", ask)).toBe("Unsolved");
    expect(asked).toHaveLength(2);
    expect(await correctness("What?", "7", judge("It is solved").ask)).toBe(1);
    expect(await correctness("What?", "7", judge("Unsolved").ask)).toBe(0);
    expect(await correctness("What?", "7", judge("Yes").ask)).toBeUndefined();
  });

  it("are answered in a field, or else by the first word that is a status", () => {
    expect(readStatus('unsolved? no: "answer_status" : "Solved"')).toBe("Solved");
    expect(["not unsolved", "UNSURE", "solved", "?"].map(readStatus)).toEqual([
      "Unsolved",
      "Unsure",
      "Solved",
      undefined,
    ]);
  });

  it("show an answer beside its steps", () => {
    const steps = "Step 1: {'name': 'look', 'arguments': '{}', 'response': '7'}";
    const last = "Step 2: {'name': 'Finish', 'arguments': '{}', 'response': ''}";
    expect(comparable(answer, "7")).toBe(`Final answer: 7\nSteps:\n${steps}\n${last}`);
    expect(comparable(answer, undefined)).toMatch(/^Final answer: \(none\)\n/);
    expect(comparable(answer, "x".repeat(1001)).indexOf("\n")).toBe("Final answer: ".length + 1000);
  });

  it("ask for the kinds of at most eight errors", async () => {
    const errors: Mistake[] = Array.from({ length: 9 }, () => ({ kind: "missing-parameter", got: "f {}: no" }));
    const replies = [
      "missing-parameter",
      '"kind": "invalid-parameter", not missing-parameter',
      ...Array(8).fill("decision-failure"),
    ];
    const { ask, asked } = judge(...replies);
    const { errors: judged, metrics } = await judgeErrors("What?", errors, ask);
    expect(asked).toHaveLength(8);
    expect(metrics).toEqual({ "errors.judged": 8, "errors.agreed": 1 });
    expect(judged.map(({ kind }) => kind)).toEqual([
      "missing-parameter",
      "invalid-parameter",
      ...Array(6).fill("decision-failure"),
      "missing-parameter",
    ]);
    const { isReadable } = asked[0]!.reading;
    expect(
      ["missing-parameter", "missing-parameter or decision-failure", '"kind": "other"', "no"].map(isReadable),
    ).toEqual([true, false, false, false]);
  });
});
