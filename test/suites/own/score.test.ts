/** Scores of the user's own questions: the deciding check, and all other checks as measures. */
import { describe, expect, it } from "vitest";
import { findings, metricOf, rubricOf, ruleChecks, scoreReply } from "../../../suites/own/score/score.ts";
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

describe("the score of a reply to one of the user's questions", () => {
  it("is computed by every rule that the reference allows, and `check` selects the score", async () => {
    expect(await scored("The answer is 7.", "7")).toEqual({
      value: 0,
      metrics: { "check.exact": 0, "check.contains": 1, "check.number": 1 },
      kinds: ["wrong-answer"],
    });
    expect((await scored("The answer is 7.", "7", "number")).value).toBe(1);
    expect((await scored("It is Paris.", "Paris")).metrics).toEqual({ "check.exact": 0, "check.contains": 1 });
    expect((await scored("nyc", "New York | NYC", "one-of")).metrics).toEqual({ "check.one-of": 1 });
  });

  it("is given only by a judge or not at all, and rule checks are measures, if the question requires this", async () => {
    for (const check of ["none", "judge"])
      expect(await scored("Paris", "Paris", check)).toMatchObject({
        value: undefined,
        metrics: { "check.exact": 1, "check.contains": 1 },
      });
  });

  it("has no rule checks if the file has no answer", async () => {
    expect((await scored("Paris", "", "none")).metrics).toEqual({});
    expect((await scored("Paris", "none is recorded", "none")).metrics).toEqual({});
    expect((await scored("Paris", "none is recorded")).metrics).toEqual({ "check.exact": 0, "check.contains": 0 });
  });

  it("is wrong if it was truncated before its answer", async () => {
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

  it("has findings: how many wrong answers contain the right answer, and which scores come from an older parser", async () => {
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
    expect(findings(rows)).toEqual(["2 of the 3 answers that `exact` rejects contain the expected answer"]);
    const [first] = rows;
    const older = { score: { ...first!.score, metrics: { accuracy: 0 } } } as unknown as Row;
    expect(findings([older])).toEqual([
      "1 score was computed by an older parser of replies: `--rescore` computes all scores again",
    ]);
    expect(findings([older, older])[0]).toMatch(/^2 scores were computed by an older parser/);
  });

  it("has findings about wrong answers by another check than `contains` alone", () => {
    const row = (name: string, value: number | undefined, containing: number) => {
      const score = {
        value,
        checks: [{ name, passed: value === 1 }],
        metrics: { [`check.${name}`]: 0, "check.contains": containing },
      };
      return { score } as unknown as Row;
    };
    expect(findings([row("exact", 0, 1), row("exact", 1, 1), row("exact", undefined, 1)])).toEqual([
      "1 of the 1 answers that `exact` rejects contains the expected answer",
    ]);
    expect(findings([row("contains", 0, 1), row("exact", 1, 1), row("exact", 0, 0)])).toEqual([]);
    const alone = {
      score: { value: 0, checks: [{ name: "one-of" }], metrics: { "check.one-of": 0 } },
    } as unknown as Row;
    expect(findings([alone])).toEqual([]);
    const unchecked = { score: { value: 0, checks: [], metrics: {} } } as unknown as Row;
    expect(findings([unchecked, { score: undefined } as unknown as Row])).toEqual([]);
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

describe("the check that decides the score", () => {
  const decided = async (
    reply: string,
    question: Partial<Question>,
    options: Readonly<Record<string, string>> = {},
    ask?: (
      stage: string,
      messages: readonly { readonly content: string }[],
      reading: { isReadable(reply: string): boolean },
    ) => Promise<string>,
  ) => {
    const {
      value,
      labels,
      errors = [],
    } = await scoreReply({ ...about("Paris"), ...question }, reply, {
      spec: { ...bareSpec("own"), options },
      signal: new AbortController().signal,
      ...(ask && { ask: ask as never }),
    });
    return { value, labels, errors: errors.map(({ kind, expected, got }) => [kind, expected, got]) };
  };

  it("is that of the question with its rubric, otherwise that of the run, otherwise an exact comparison", async () => {
    expect((await decided("It is Paris", {})).value).toBe(0);
    expect((await decided("It is Paris", {}, { check: "contains" })).value).toBe(1);
    expect((await decided("It is Paris", { check: "exact" }, { check: "contains" })).value).toBe(0);
    expect([rubricOf({}, { options: {} }), rubricOf({}, { options: { rubric: "r" } })]).toEqual(["", "r"]);
    expect(rubricOf({ rubric: "own" }, { options: { rubric: "r" } })).toBe("own");
  });

  it("can be a judge, whose last verdict counts", async () => {
    const judged = (said: string | undefined, reply = "Reasons\nAnswer: Rome") => {
      const ask = said === undefined ? undefined : async () => said;
      return decided(reply, { check: "judge" }, {}, ask);
    };
    expect(await judged("Verdict: wrong\nVerdict: right")).toMatchObject({ value: 1, errors: [] });
    expect(await judged("Verdict: wrong")).toMatchObject({ value: 0, errors: [["wrong-answer", "Paris", "Rome"]] });
    expect(await judged("Hm.")).toMatchObject({ value: undefined, labels: { judge: "unreadable verdict" } });
    expect(await judged(undefined)).toMatchObject({ value: undefined, labels: { judge: "no judge" } });
    expect(await judged("Verdict: right", " \n")).toMatchObject({
      value: 0,
      errors: [["no-answer", "Paris", undefined]],
    });
    const asked: string[] = [];
    await decided("x\nAnswer: Rome", { check: "judge", rubric: "Be kind." }, {}, async (stage, messages, reading) => {
      expect(["Verdict: wrong", "Hm."].map((reply) => reading.isReadable(reply))).toEqual([true, false]);
      asked.push(stage, messages.map(({ content }) => content).join("\n"));
      return "Verdict: right";
    });
    expect(asked[0]).toBe("judge");
    expect(asked[1]).toContain("Be kind.");
    expect(asked[1]).not.toContain("Answer: Rome");
  });

  it("gives no score if it cannot compare the reference answer", async () => {
    const label = async (answer: string, check: "number" | "json") => (await decided("7", { answer, check })).labels;
    expect(await label("none", "number")).toEqual({
      answer: "Expected the answer of question `1` to contain a number for `check: number`, got `none`",
    });
    expect((await label("none", "json"))!["answer"]).toContain("to contain JSON for `check: json`");
    expect(await label("7", "number")).toBeUndefined();
    expect(await decided("x", { check: "none" })).toEqual({ value: undefined, labels: undefined, errors: [] });
  });

  it("reports the answer that was compared, or that there was no text to compare", async () => {
    expect((await decided("Rome", {})).errors).toEqual([["wrong-answer", "Paris", "Rome"]]);
    expect((await decided("no number", { answer: "7", check: "number" })).errors).toEqual([
      ["unreadable", "7", undefined],
    ]);
    expect((await decided("", {})).errors).toEqual([["no-answer", "Paris", undefined]]);
  });

  it("is the only check of replies with more than a million characters", async () => {
    const metrics = async (length: number) =>
      (
        await scoreReply(about("Paris"), "x".repeat(length), {
          spec: { ...bareSpec("own"), options: {} },
          signal: new AbortController().signal,
        })
      ).metrics;
    expect(Object.keys((await metrics(1_000_000))!)).toEqual(["check.exact", "check.contains"]);
    expect(Object.keys((await metrics(1_000_001))!)).toEqual(["check.exact"]);
  });

  it("is accompanied by other checks: one-of for several alternatives, number but not JSON for a bare number", async () => {
    const rules = async (answer: string) => Object.keys((await scored("x", answer)).metrics!);
    expect(await rules("a | b")).toEqual(["check.exact", "check.one-of"]);
    expect(await rules("7")).toEqual(["check.exact", "check.contains", "check.number"]);
    expect(await rules('{"a": 1}')).toEqual(["check.exact", "check.contains", "check.number", "check.json"]);
    expect(await rules("[]")).toEqual(["check.exact", "check.contains", "check.json"]);
  });
});
