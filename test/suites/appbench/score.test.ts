/** The score of an answer: its checks, its verdict and what the first stage named. */
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../source/engine/measures/measure.ts";
import type { Row } from "../../../source/engine/types.ts";
import type { Gold } from "../../../suites/appbench/data/gold.ts";
import { appbench } from "../../../suites/appbench/index.ts";
import { addPerfect } from "../../../suites/appbench/score/perfect.ts";
import { readPlan } from "../../../suites/appbench/score/plan-text.ts";
import { countOfficial } from "../../../suites/appbench/score/score-official.ts";
import { scoreAnalysis } from "../../../suites/appbench/score/score-analysis.ts";
import { scorePlan } from "../../../suites/appbench/score/record.ts";
import { answerOf, findings, scoreOf, stoppedAtApps, withoutApps } from "../../../suites/appbench/score/score.ts";
import { bareRow } from "../../bare-row.ts";
import { planCalls, planOf, referenceOf } from "../../../suites/appbench/score/scored-plan.ts";

const gold = {
  used_app: ["Trains", "Hotels"],
  used_api: [],
  result_arguments: [["a"], ["b"]],
  api_results: ["a = find(#to='York')", "b = book(#place=a, #stars='4')"],
  user_aware_arguments: {},
} as unknown as Gold;
const find = "Trains: [a = find(#to='York')]";
const book = "Hotels: [b = book(#place=a, #stars='4')]";
const scored = (...lines: readonly string[]) => {
  const { value, labels, checks } = scoreOf({ output: lines.join("\n") }, gold, ["Trains", "Hotels"]);
  return { value, verdict: labels!["verdict"], checks: checks.map(({ name, kept, message }) => [name, kept, message]) };
};

describe("the score of an answer", () => {
  it("is right in both modes for the reference", () => {
    expect(scored(find, book)).toEqual({
      value: 1,
      verdict: "right in both modes",
      checks: [
        ["apps", true, undefined],
        ["APIs", true, undefined],
        ["arguments", true, undefined],
        ["structure (paper)", true, undefined],
      ],
    });
  });

  it("says what is missing, in numbers", () => {
    expect(scored(find)).toEqual({
      value: 0,
      verdict: "wrong in both modes",
      checks: [
        ["apps", false, "1 of 2 right, 1 named"],
        ["APIs", false, "1 of 2 right, 1 called"],
        ["arguments", false, "every argument is right for 1 of 2 APIs"],
        ["structure (paper)", false, "the calls differ from the reference"],
      ],
    });
  });

  it("can be right in one of both modes alone", () => {
    // The official program accepts a part of a value.
    expect(scored(find.replace("York", "Yor"), book)).toMatchObject({ value: 1, verdict: "right only officially" });
    // It finds no API in a name with a dot.
    expect(scored(find.replace("find", "trains.find"), book)).toMatchObject({
      value: 0,
      verdict: "right only strictly",
    });
  });

  it("is not right without a plan, even if the reference is empty", () => {
    const empty = { ...gold, used_app: [], api_results: [] } as Gold;
    expect(countOfficial(planOf({ output: "" }, []), empty)).toMatchObject({ app_em_count: 0, api_em_count: 0 });
    expect(scoreAnalysis(planOf({ output: "" }, []), empty)).toMatchObject({ app_em: 0, api_em: 0 });
    expect(scorePlan(planOf({ output: "" }, []), empty).paper).toMatchObject({ em_app: 0, em_api: 0 });
  });
});

describe("the calls of a plan", () => {
  it("have the apps of their own lines if a line has no app", () => {
    const plan = planOf({ output: `${find}\n: [b = book(#place=a)]` }, []);
    expect([plan.apps, plan.calls.length, plan.call(0).app, plan.call(1).app]).toEqual([["Trains"], 2, "Trains", ""]);
    expect(plan.canonical).toEqual([]);
    expect(planOf({ output: `${find}\n${book}` }, []).canonical).toHaveLength(2);
  });

  it("have the apps that the first stage named in the place of numbers", () => {
    const plan = planOf({ output: "app2: [a = f(#k='v')]", apps: "Trains, Hotels" }, ["Trains", "Hotels"]);
    expect([plan.apps, plan.call(0).app]).toEqual([["Hotels"], "Hotels"]);
  });

  it("are examined up to the two hundredth", () => {
    const calls = (count: number) => planCalls(planOf({ output: Array(count).fill(find).join("\n") }, []));
    expect([calls(200).length, calls(201).length]).toEqual([200, 200]);
  });

  it("of a reference are read once, for the last thousand references", () => {
    const other = () => ({ ...gold });
    const own = other();
    const kept = referenceOf(own);
    for (let count = 0; count < 999; count++) referenceOf(other());
    expect(referenceOf(own)).toBe(kept);
    referenceOf(other());
    expect(referenceOf(own)).not.toBe(kept);
  });
});

it("a line that does not begin with a name has an app that ends at its first colon", () => {
  expect(readPlan("* Hotels: [b: c]\nx: []\nnone: here\n[a: b]")).toEqual({
    apps: ["* Hotels", "x", "[a"],
    calls: ["b: c", "", "b"],
    appOf: ["* Hotels", "x", "[a"],
  });
});

describe("the score of a perfect plan", () => {
  it("is added to an answer's numbers if it differs from them", () => {
    const own: Record<string, number> = { "official.app_hit_count": 0, "official.total_ground_apps": 2 };
    addPerfect(own, gold, []);
    expect(own).toMatchObject({ "official.app_hit_count": 0, "perfect.official.app_hit_count": 1 });
    expect(own).not.toHaveProperty("perfect.official.total_ground_apps");
  });

  it("is the ceiling of a percentage that should be high", () => {
    const withCeiling = appbench.measures.filter(({ ceiling }) => ceiling !== undefined).map(({ name }) => name);
    expect(withCeiling).toEqual(
      appbench.measures.flatMap(({ name, unit, better }) => (unit === "percent" && better === "higher" ? [name] : [])),
    );
    expect(withCeiling.length).toBeLessThan(appbench.measures.length);
    const success = appbench.measures.find(({ name }) => name === "official.success")!;
    const wrong = bareRow("r", "t", { score: scoreOf({ output: find }, gold, []) });
    const unscored = bareRow("r", "u", {});
    expect(evaluate(success, [wrong, unscored])).toEqual({ value: 0, n: 1 });
    expect(success.ceiling!([wrong, unscored])).toBe(1);
    expect(success.ceiling!([unscored])).toBeUndefined();
  });
});

describe("a run's answer", () => {
  it("is a text, or the text of the last stage with that of the first", () => {
    expect(answerOf("x")).toEqual({ output: "x" });
    expect(answerOf({ output: "x", stages: { apps: "A" } })).toEqual({ output: "x", apps: "A" });
    expect(answerOf({ output: "x", stages: { apps: 7 } })).toEqual({ output: "x" });
    expect(answerOf(undefined)).toEqual({ output: "" });
  });

  it("stopped at the first stage if that has a text and there is no second", () => {
    const stages = [{ apps: "A" }, { apps: "A", plan: "p" }, { plan: "p" }, {}];
    expect(stages.map((each) => stoppedAtApps({ stages: each }))).toEqual([true, false, false, false]);
  });

  it("without an app has no score, and a finding counts such answers", () => {
    const none = { value: undefined, metrics: {}, checks: [] };
    expect(withoutApps("x".repeat(201))).toEqual({ ...none, errors: [{ kind: "no-apps", got: "x".repeat(200) }] });
    expect(withoutApps(undefined)).toEqual({ ...none, errors: [{ kind: "no-apps" }] });
    const row = (...kinds: readonly string[]) =>
      ({ score: { errors: kinds.map((kind) => ({ kind })) } }) as unknown as Row;
    expect(findings([row(), row("other"), { score: undefined } as unknown as Row])).toEqual([]);
    expect(findings([row("other", "no-apps"), row()])).toEqual([
      "In 1 of 2 tasks the first stage named no app: these tasks have no score, because the official program drops them",
    ]);
  });
});
