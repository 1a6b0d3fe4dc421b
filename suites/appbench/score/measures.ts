/** The measures of this benchmark: two official modes and the paper's own definitions, never mixed. */
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import type { Row } from "../../../source/engine/types.ts";
import { ratio } from "./count.ts";
import { isScored, ofSums } from "./metrics.ts";
import type { AnalysisCounters } from "./score-analysis.ts";
import { type OfficialCounters, apiF1, appF1, argumentF1, dependentF1, nonDependentF1 } from "./score-official.ts";
import { withCeiling } from "./perfect.ts";
import { callCounters, paperF1 } from "./score-paper.ts";
import type { Ceiling } from "../../../source/engine/benchmark.ts";

const capped =
  "At most one hit per task is counted, as in the official program: a perfect plan reaches only 27 to 45 % if tasks have several calls.";
const lenient = "Extra keys do not lower the score, partly equal values match, and references are compared as text.";
const paperStrict =
  "Our interpretation of success at the structure level: the same calls with the same arguments, in any order.";

/** Computes a number from summed counters of `evaluation.py`; `n` is the number of tasks unless another counter is given. */
const official = <Counter extends keyof OfficialCounters>(
  name: string,
  title: string,
  counters: readonly Counter[],
  value: (sums: Pick<OfficialCounters, Counter>) => number | undefined,
  more: { note?: string; n?: NoInfer<Counter> } = {},
): Measure => ({
  name: `official.${name}`,
  title,
  mode: "official",
  unit: "percent",
  better: "higher",
  ...(more.note === undefined ? {} : { note: more.note }),
  of: ofSums("official", counters, (sums, n) =>
    n === 0 ? { value: undefined, n } : { value: value(sums), n: more.n === undefined ? n : sums[more.n] },
  ),
});

/** A counter of `analysis.py`, without the cases of a second counter. */
type Mistakes = readonly [all: keyof AnalysisCounters, without?: keyof AnalysisCounters];

/** A rate of mistakes; `below` counts the denominator, tasks if absent. */
function rate(
  name: string,
  title: string,
  [all, without]: Mistakes,
  below: keyof AnalysisCounters | undefined,
  note: string,
): Measure {
  const counters = [all, without, below].filter((counter) => counter !== undefined);
  return {
    name: `analysis.${name}`,
    title,
    mode: "official-analysis",
    note,
    unit: "percent",
    better: "lower",
    ...(printedColumns[name] !== undefined && { column: printedColumns[name] }),
    of: ofSums("analysis", counters, (sums, scored) => {
      const made = sums[all] - (without === undefined ? 0 : sums[without]);
      const n = below === undefined ? scored : sums[below];
      return { value: n === 0 ? undefined : made / n, n };
    }),
  };
}

/** The columns of the paper's Table 4: of keys and values, independent and dependent, and times and places in one cell. */
const printedColumns: Readonly<Record<string, Measure["column"]>> = {
  "key-independent": { under: ["Keys"], title: "I" },
  "key-dependent": { under: ["Keys"], title: "D" },
  "value-independent": { under: ["Values"], title: "I" },
  "value-dependent": { under: ["Values"], title: "D" },
  time: { under: ["Values"], title: "T/S", part: "T" },
  space: { under: ["Values"], title: "T/S", part: "S" },
};

const ofTasks = "Share of tasks with at least one mistake of this kind, as in the paper's Table 4.";
const ofTasksAlone =
  "Share of tasks with an independent mistake of this kind and no dependent one, as in the paper's Table 4.";
const ofArguments = "Share of the reference arguments of the called APIs.";
const ofMistakes = "Share of this kind among all wrong values.";
const tasks = undefined;
const allArguments = "total_argument_count";
const mismatches = "key_value_mismatch";

const paper = (name: "app" | "api", title: string): Measure => ({
  name: `paper.f1-${name}`,
  title,
  mode: "paper",
  unit: "percent",
  better: "higher",
  note: "Every hit counts, unlike in the official program.",
  of: ofSums("paper", [`${name}_hit`, `${name}_pred`, `${name}_gold`] as const, (sums, n) => {
    const value = paperF1(sums[`${name}_hit`], sums[`${name}_pred`], sums[`${name}_gold`]);
    return { value: n === 0 ? undefined : value, n };
  }),
});

const analysisMean = (metric: string, name: string, title: string, note?: string) =>
  meanMeasure(`analysis.${metric}`, {
    name: `analysis.${name}`,
    title,
    mode: "official-analysis",
    ...(note === undefined ? {} : { note }),
  });

/** The share of calls made that match in full; 0 if no call was made. */
const paperArgumentEm: Measure = {
  name: "paper.argument-em",
  title: "Argument EM, all calls",
  mode: "paper",
  unit: "percent",
  better: "higher",
  note: "Share of all calls, including repeated calls, that match a reference call exactly; 0 without calls.",
  has: hasCalls,
  of: ofSums(
    "paper",
    callCounters,
    ({ call_hit: hits, call_pred: made }, n) => ({ value: n === 0 ? undefined : ratio(hits, made), n: made }),
    (row) => isScored(row) && hasCalls(row),
  ),
};

function hasCalls({ score }: Row): boolean {
  return score?.metrics["paper.call_pred"] !== undefined;
}

export const measures: readonly Measure[] = [
  meanMeasure("official.total_match", { name: "official.success", title: "Succ", mode: "official", note: lenient }),
  official("f1-app", "F1 app", ["app_hit_count", "total_pred_apps", "total_ground_apps"], appF1, { note: capped }),
  official("f1-api", "F1 API", ["api_hit_count", "total_pred_apis", "total_ground_apis"], apiF1, { note: capped }),
  meanMeasure("official.app_em_count", { name: "official.em-app", title: "EM app", mode: "official" }),
  meanMeasure("official.api_em_count", { name: "official.em-api", title: "EM API", mode: "official" }),
  official(
    "argument-em",
    "Argument EM",
    ["api_argu_em", "total_pred_apis"],
    (sums) => ratio(sums.api_argu_em, sums.total_pred_apis),
    {
      note: "Share of the called APIs with all arguments right; repeated calls of an API count once.",
      n: "total_pred_apis",
    },
  ),
  official(
    "argument-f1",
    "Argument F1",
    ["api_argu_hit_count", "total_pred_api_argu", "total_ground_api_argu"],
    argumentF1,
  ),
  official(
    "dependent-argument-f1",
    "Argument F1, dependent",
    ["depend_argu_hit", "total_pred_depend_args", "total_depend_argus"],
    dependentF1,
  ),
  official(
    "independent-argument-f1",
    "Argument F1, independent",
    ["non_depend_argu_hit", "total_pred_non_depend_args", "total_depend_argus", "total_ground_non_depend_args"],
    nonDependentF1,
    {
      note: "This measure reproduces an error of the official program: recall is 1 if no reference argument was seen.",
    },
  ),
  meanMeasure("paper.succ", { name: "paper.success", title: "Succ, strict", mode: "paper", note: paperStrict }),
  paper("app", "F1 app, all hits"),
  paper("api", "F1 API, all hits"),
  meanMeasure("paper.em_app", { name: "paper.em-app", title: "EM app", mode: "paper" }),
  meanMeasure("paper.em_api", { name: "paper.em-api", title: "EM API", mode: "paper" }),
  paperArgumentEm,
  analysisMean("succ", "success", "Succ", "Like success in the official program, but stricter on values."),
  analysisMean(
    "app_f1",
    "f1-app",
    "F1 app, macro",
    "Repeated names count as one hit, so plans that repeat an app score lower.",
  ),
  analysisMean(
    "api_f1",
    "f1-api",
    "F1 API, macro",
    "Repeated names count as one hit, so plans that repeat an API score lower.",
  ),
  analysisMean("app_em", "em-app", "EM app"),
  analysisMean("api_em", "em-api", "EM API"),
  rate("key-independent", "Keys, independent", ["key_missing_error", "depend_key_missing_error"], tasks, ofTasksAlone),
  rate("key-dependent", "Keys, dependent", ["depend_key_missing_error"], tasks, ofTasks),
  rate(
    "value-independent",
    "Values, independent",
    ["key_value_mismatch_error", "depend_key_value_mismatch_error"],
    tasks,
    ofTasksAlone,
  ),
  rate("value-dependent", "Values, dependent", ["depend_key_value_mismatch_error"], tasks, ofTasks),
  rate("time", "Time", ["date_related_value_error"], mismatches, ofMistakes),
  rate("space", "Space", ["location_related_value_error"], mismatches, ofMistakes),
  rate("tasks-key-missing", "Tasks with a missing key", ["key_missing_error"], tasks, ofTasks),
  rate("tasks-value-mismatch", "Tasks with a wrong value", ["key_value_mismatch_error"], tasks, ofTasks),
  rate("key-missing", "Missing keys", ["key_missing"], allArguments, ofArguments),
  rate("key-missing-dependent", "Missing keys, dependent", ["depend_key_missing"], allArguments, ofArguments),
  rate(
    "key-missing-independent",
    "Missing keys, independent",
    ["key_missing", "depend_key_missing"],
    allArguments,
    ofArguments,
  ),
  rate("value-mismatch", "Wrong values", ["key_value_mismatch"], allArguments, ofArguments),
  rate("value-mismatch-dependent", "Wrong values, dependent", ["depend_key_value_mismatch"], allArguments, ofArguments),
  rate(
    "value-mismatch-independent",
    "Wrong values, independent",
    ["key_value_mismatch", "depend_key_value_mismatch"],
    allArguments,
    ofArguments,
  ),
].map(withCeiling);

const oneHit = "At most one hit counts in each task, but the divisor is the number of all calls";
const sets = "A repeated name counts as one hit, but the divisor counts each repetition";

export const ceilings: readonly Ceiling[] = [
  { measure: "official.f1-app", sample: 0.2925, why: oneHit },
  { measure: "official.f1-api", sample: 0.2925, why: oneHit },
  {
    measure: "official.argument-em",
    sample: 0.9906,
    why: "Only the last of several calls of one API in a task counts",
  },
  { measure: "analysis.f1-app", sample: 0.6909, why: sets },
  { measure: "analysis.f1-api", sample: 0.9839, why: sets },
];
