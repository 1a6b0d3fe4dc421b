/** Scores of own questions: the check that decides, and all others as measures. */
import { describe, expect, it } from "vitest";
import { findings, metricOf, ruleChecks, scoreReply } from "../../../suites/own/score/score.ts";
import type { Row } from "../../../source/engine/types.ts";
import type { Question } from "../../../suites/own/data/question.ts";
import { bareSpec } from "../../bare-spec.ts";

const about = (answer: string): Question => ({ id: "1", question: "?", answer, facets: {} });

async function scored(
  reply: string,
  answer: string,
  check = "exact",
  more: { isCut?: boolean; strategy?: string } = {},
) {
  const { isCut = false, strategy = "direct" } = more;
  const spec = { ...bareSpec("own"), strategy, options: { check } };
  const signal = new AbortController().signal;
  const { value, metrics, errors = [] } = await scoreReply(about(answer), reply, { spec, signal, isCut });
  return { value, metrics, kinds: errors.map(({ kind }) => kind) };
}

describe("a reply to one of the user's questions", () => {
  it("is compared by every rule that its answer allows, and `check` chooses the score", async () => {
    expect(await scored("The answer is 7.", "7")).toEqual({
      value: 0,
      metrics: { "check.exact": 0, "check.contains": 1, "check.number": 1 },
      kinds: ["wrong-answer"],
    });
    expect((await scored("The answer is 7.", "7", "number")).value).toBe(1);
    expect((await scored("It is Paris.", "Paris")).metrics).toEqual({ "check.exact": 0, "check.contains": 1 });
    expect((await scored("nyc", "New York | NYC", "one-of")).metrics).toEqual({ "check.one-of": 1 });
  });

  it("keeps the rule checks beside a score that only a judge, or nobody, gives", async () => {
    for (const check of ["none", "judge"])
      expect(await scored("Paris", "Paris", check)).toMatchObject({
        value: undefined,
        metrics: { "check.exact": 1, "check.contains": 1 },
      });
  });

  it("has no measure if the file has no answer", async () => {
    expect((await scored("Paris", "", "none")).metrics).toEqual({});
  });

  it("is wrong if it was cut before its answer", async () => {
    expect(await scored("3 + 4 = 7", "7", "number", { isCut: true })).toMatchObject({
      value: 0,
      kinds: ["unreadable"],
    });
    const steps = "First, Paris is large. Then";
    expect(await scored(steps, "Paris", "contains", { isCut: true })).toMatchObject({ value: 1 });
    expect(await scored(steps, "Paris", "contains", { isCut: true, strategy: "cot" })).toMatchObject({
      value: 0,
      kinds: ["unreadable"],
    });
    const answered = "First, think.\nAnswer: Paris\n\nNow";
    expect(await scored(answered, "Paris", "contains", { isCut: true, strategy: "cot" })).toMatchObject({ value: 1 });
  });

  it("reports how many wrong answers contain the right one, and which scores use an older reading", async () => {
    const rows = await Promise.all(
      ["It is 7.", "It is 7 and 8", "8"].map(async (reply) => {
        const spec = { ...bareSpec("own"), options: {} };
        const { metrics = {}, ...score } = await scoreReply(about("7"), reply, {
          spec,
          signal: new AbortController().signal,
        });
        return { score: { ...score, metrics } } as unknown as Row;
      }),
    );
    expect(findings(rows)).toEqual(["2 of the 3 wrong by `exact` contain the answer"]);
    const [first] = rows;
    const older = { score: { ...first!.score, metrics: { accuracy: 0 } } } as unknown as Row;
    expect(findings([older])).toEqual([
      "1 score was made by an older reading of replies: `--rescore` reads them again",
    ]);
  });

  it("has a metric for each rule", () => {
    expect(ruleChecks.map(metricOf)).toEqual([
      "check.exact",
      "check.contains",
      "check.number",
      "check.json",
      "check.one-of",
    ]);
  });
});
