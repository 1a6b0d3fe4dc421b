/** The counters and rates of upstream's two programs on plans of one or two calls, worked out by hand. */
import { describe, expect, it } from "vitest";
import type { Gold } from "../../../suites/appbench/data/gold.ts";
import { commonCount, f1, ratio, sameMultiset, sumOf, zeros } from "../../../suites/appbench/score/count.ts";
import { evaluateAnalysis, scoreAnalysis } from "../../../suites/appbench/score/score-analysis.ts";
import {
  appF1,
  argumentF1,
  countOfficial,
  dependentF1,
  evaluateOfficial,
  nonDependentF1,
} from "../../../suites/appbench/score/score-official.ts";
import { planOf } from "../../../suites/appbench/score/scored-plan.ts";

const gold: Gold = {
  used_app: ["Trains", "Hotels"],
  used_api: [],
  result_arguments: [["a"], ["b"]],
  api_results: ["a = find(#to='York', #date='monday')", "b = book(#place=a, #stars='4')"],
  user_aware_arguments: { stars: "five" },
} as unknown as Gold;
const plan = (...lines: readonly string[]) => planOf({ output: lines.join("\n") }, []);
const find = "Trains: [a = find(#to='York', #date='monday')]";
const book = "Hotels: [b = book(#place=a, #stars='4')]";
const counted = (...lines: readonly string[]) => countOfficial(plan(...lines), gold);
const analysed = (...lines: readonly string[]) => scoreAnalysis(plan(...lines), gold);

describe("counts and ratios", () => {
  it("treat 0 as upstream does", () => {
    expect([ratio(1, 2), ratio(1, 0), ratio(1, 0, 1), ratio(0, 5)]).toEqual([0.5, 0, 1, 0]);
    expect([f1(0, 0), f1(1, 0), f1(1, 1), f1(0.5, 1)]).toEqual([0, 0, 1, 2 / 3]);
  });

  it("compare names with their multiplicity", () => {
    expect(commonCount(["a", "a", "b"], ["a", "b", "b"])).toBe(2);
    expect(commonCount(["a", "b"], ["a", "a"])).toBe(1);
    expect([sameMultiset(["a", "b"], ["b", "a"]), sameMultiset(["a", "a"], ["a", "b"])]).toEqual([true, false]);
    expect([sameMultiset(["a"], ["a", "a"]), sameMultiset([], [])]).toEqual([false, true]);
    expect(
      sumOf(
        ["x", "y"],
        [
          { x: 1, y: 2 },
          { x: 3, y: 4 },
        ],
      ),
    ).toEqual({ x: 4, y: 6 });
    expect(sumOf(["x"], [])).toEqual(zeros(["x"]));
  });
});

describe("the counters of evaluation.py", () => {
  it("of the reference itself are its numbers of apps, APIs and arguments", () => {
    expect(counted(find, book)).toEqual({
      app_em_count: 1,
      app_hit_count: 1,
      total_pred_apps: 2,
      total_ground_apps: 2,
      api_em_count: 1,
      api_hit_count: 1,
      total_pred_apis: 2,
      total_ground_apis: 2,
      api_argu_em: 2,
      api_argu_hit_count: 4,
      total_pred_api_argu: 4,
      total_ground_api_argu: 4,
      depend_argu_em: 1,
      depend_argu_hit: 1,
      total_depend_argus: 1,
      non_total_depend_argus: 3,
      total_pred_depend_args: 1,
      pred_api_depending: 1,
      total_k_missing: 0,
      total_value_missing: 0,
      total_depend_k_missing: 0,
      total_depend_value_missing: 0,
      total_match: 1,
      total_pred_non_depend_args: 3,
      total_ground_non_depend_args: 3,
      non_depend_argu_hit: 3,
    });
  });

  it("count one hit of apps and of APIs, compare apps without case, and leave missing calls uncounted", () => {
    expect(counted("trains: [a = find(#to='York', #date='monday')]")).toMatchObject({
      app_em_count: 0,
      app_hit_count: 1,
      total_pred_apps: 1,
      api_em_count: 0,
      api_hit_count: 1,
      total_pred_apis: 1,
      api_argu_em: 1,
      api_argu_hit_count: 2,
      pred_api_depending: 0,
      non_total_depend_argus: 2,
      total_depend_argus: 0,
      total_match: 0,
    });
    expect(counted("Banks: [c = pay(#sum='1')]")).toMatchObject({ app_hit_count: 0, api_hit_count: 0, api_argu_em: 0 });
  });

  it("count missing keys and rejected values twice, and those of dependent arguments once", () => {
    expect(counted(find, "Hotels: [b = book()]")).toMatchObject({
      total_k_missing: 4,
      total_depend_k_missing: 1,
      api_argu_em: 1,
      depend_argu_em: 0,
      pred_api_depending: 1,
      total_match: 0,
    });
    expect(counted(find, "Hotels: [b = book(#place=x, #stars='3')]")).toMatchObject({
      total_value_missing: 4,
      total_depend_value_missing: 1,
      api_argu_hit_count: 2,
      depend_argu_hit: 0,
      non_depend_argu_hit: 2,
    });
  });

  it("accept the user's value", () => {
    expect(counted(find, "Hotels: [b = book(#place=a, #stars='five')]")).toMatchObject({
      total_match: 1,
      api_argu_hit_count: 4,
    });
  });
});

describe("the rates of evaluation.py", () => {
  it("are those of the summed counters", () => {
    const half = counted(find, "Hotels: [b = book(#place=x, #stars='3')]");
    expect(evaluateOfficial(half, 2)).toEqual({
      app_hit_f1: 0.5,
      api_hit_f1: 0.5,
      argu_hit_f1: 0.5,
      complete_match: 0,
      depend_argu_hit_f1: 0,
      non_depend_argu_hit_f1: f1(2 / 3, 2 / 3),
    });
    expect(evaluateOfficial(counted(find, book), 4)!.complete_match).toBe(0.25);
  });

  it("do not exist if upstream divides by zero", () => {
    expect(evaluateOfficial(counted("Nothing"), 1)).toBeUndefined();
    const whole = counted(find, book);
    for (const name of ["total_pred_apps", "total_pred_apis", "total_ground_api_argu"] as const)
      expect(evaluateOfficial({ ...whole, [name]: 0 }, 1)).toBeUndefined();
    expect(evaluateOfficial({ ...whole, total_ground_non_depend_args: 0 }, 1)).toBeUndefined();
  });

  it("have upstream's values without dependent arguments", () => {
    expect(appF1({ app_hit_count: 1, total_pred_apps: 1, total_ground_apps: 3 })).toBe(0.5);
    expect(argumentF1({ api_argu_hit_count: 1, total_pred_api_argu: 3, total_ground_api_argu: 1 })).toBe(0.5);
    expect(dependentF1({ depend_argu_hit: 0, total_pred_depend_args: 0, total_depend_argus: 0 })).toBe(1);
    expect(dependentF1({ depend_argu_hit: 0, total_pred_depend_args: 1, total_depend_argus: 0 })).toBe(0);
    const none = { non_depend_argu_hit: 0, total_pred_non_depend_args: 0, total_ground_non_depend_args: 0 };
    expect(nonDependentF1({ ...none, total_depend_argus: 0 })).toBe(1);
    expect(nonDependentF1({ ...none, total_depend_argus: 1 })).toBeUndefined();
    const three = { non_depend_argu_hit: 1, total_pred_non_depend_args: 1, total_ground_non_depend_args: 3 };
    expect(nonDependentF1({ ...three, total_depend_argus: 1 })).toBe(0.5);
    expect(nonDependentF1({ ...three, total_depend_argus: 0 })).toBe(1);
  });
});

describe("the scores of analysis.py", () => {
  it("of the reference itself are 1", () => {
    const { counters, ...scores } = analysed(find, book);
    expect(scores).toEqual({ app_em: 1, app_f1: 1, api_em: 1, api_f1: 1, succ: 1 });
    expect(counters).toMatchObject({
      succ_count: 1,
      depend_argument_correct_count: 1,
      total_argument_count: 4,
      key_missing: 0,
    });
  });

  it("count each missing key and mismatch once, and the plans with any", () => {
    const { counters, succ } = analysed(
      "Trains: [a = find(#to='Bath', #date='friday')]",
      "Hotels: [b = book(#place=x)]",
    );
    expect([counters, succ]).toMatchObject([
      {
        key_missing: 1,
        depend_key_missing: 0,
        key_value_mismatch: 3,
        depend_key_value_mismatch: 1,
        date_related_value_error: 1,
        location_related_value_error: 1,
        key_missing_error: 1,
        depend_key_missing_error: 0,
        key_value_mismatch_error: 1,
        depend_key_value_mismatch_error: 1,
      },
      0,
    ]);
    expect(analysed(find, "Hotels: [b = book(#stars='4')]").counters).toMatchObject({
      depend_key_missing: 1,
      depend_key_missing_error: 1,
    });
  });

  it("count a name that is repeated once among the hits, never accept the user's value, and leave out missing calls", () => {
    expect(analysed(find, find)).toMatchObject({ app_em: 0, app_f1: 0.5, api_em: 0, api_f1: 0.5, succ: 0 });
    expect(analysed(find, "Hotels: [b = book(#place=a, #stars='five')]").counters.key_value_mismatch).toBe(1);
    expect(analysed(find).counters).toMatchObject({ total_argument_count: 2, key_missing: 0 });
    expect(analysed("Nothing")).toMatchObject({ app_em: 0, app_f1: 0, api_em: 0, api_f1: 0, succ: 0 });
  });

  it("are shares of arguments, mismatches and samples", () => {
    const { counters, ...means } = analysed(
      "Trains: [a = find(#to='Bath', #date='friday')]",
      "Hotels: [b = book(#place=x)]",
    );
    expect(evaluateAnalysis(counters, means, 2)!.analysis).toEqual({
      all_key_missing: 0.25,
      depend_key_missing: 0,
      indendpent_key_missing: 0.25,
      all_key_value_mismatch: 0.75,
      depend_key_value_mismatch: 0.25,
      independent_key_value_mismatch: 0.5,
      date_value_error: 1 / 3,
      location_value_error: 1 / 3,
      percent_key_missing: 0.5,
      percent_depend_key_missing: 0,
      percent_key_value_mismatch: 0.5,
      percent_depend_key_value_mismatch: 0.5,
    });
    for (const none of [{ total_argument_count: 0 }, { key_value_mismatch: 0 }])
      expect(evaluateAnalysis({ ...counters, ...none }, means, 2)).toBeUndefined();
    expect(evaluateAnalysis(counters, means, 0)).toBeUndefined();
  });
});
