/** Converts an answer to the score stored in its row. */
import { field } from "../../../source/engine/text/json-record.ts";
import { counted } from "../../../source/engine/text/counted.ts";
import type { Json, Row, Score } from "../../../source/engine/types.ts";
import { filtered } from "../../../source/engine/work/growing-list.ts";
import type { Answer, Gold } from "../data/gold.ts";
import { metricsOf } from "./metrics.ts";
import { mistakesOf } from "./mistakes.ts";
import { addPerfect } from "./perfect.ts";
import { type Scores, scorePlan } from "./record.ts";
import { planOf, referenceOf } from "./scored-plan.ts";

/** Reads a run's answer: text, or the text of the last stage with all stages by name. */
export function answerOf(answer: Json | undefined): Answer {
  if (typeof answer === "string") return { output: answer };
  const output = textAt(answer, "output") ?? "";
  const apps = textAt(field(answer, "stages"), "apps");
  return apps === undefined ? { output } : { output, apps };
}

/** Reports whether the run stopped because its first stage named no app. */
export function stoppedAtApps(answer: Json | undefined): boolean {
  const stages = field(answer, "stages");
  return textAt(stages, "apps") !== undefined && field(stages, "plan") === undefined;
}

function textAt(value: Json | undefined, name: string): string | undefined {
  const text = field(value, name);
  return typeof text === "string" ? text : undefined;
}

/** Returns an undefined score, because the official program omits a task whose first stage names no app. */
export function withoutApps(first: string | undefined): Score {
  const got = first === undefined ? {} : { got: first.slice(0, 200) };
  return { value: undefined, metrics: {}, checks: [], errors: [{ kind: "no-apps", ...got }] };
}

const lacksApps = ({ score }: Row): boolean => score?.errors.some(({ kind }) => kind === "no-apps") === true;

/** States in how many tasks the first stage of hierarchical prompting named no app. */
export function findings(rows: readonly Row[]): readonly string[] {
  const without = filtered(lacksApps, rows).length;
  if (without === 0) return [];
  return [
    `In ${without} of ${counted(rows.length, "task")} the first stage named no app: these tasks have no score, because the official program drops them`,
  ];
}

/** Scores one answer in all modes; `value` is official success. */
export const scoreOf = (answer: Answer, gold: Gold, catalogue: readonly string[]): Score =>
  scoredOf(answer, gold, catalogue).score;

/** Scores one answer; also returns the counters of each mode. */
export function scoredOf(
  answer: Answer,
  gold: Gold,
  catalogue: readonly string[],
): { readonly scores: Scores; readonly score: Score } {
  const plan = planOf(answer, catalogue);
  const scores = scorePlan(plan, gold);
  const metrics = metricsOf(scores);
  addPerfect(metrics, gold, catalogue);
  const score = {
    value: scores.official.total_match,
    metrics,
    checks: checksOf(scores, gold),
    errors: mistakesOf(answer, plan, gold),
    labels: { verdict: verdictOf(scores) },
  };
  return { scores, score };
}

function checksOf({ official, paper }: Scores, gold: Gold): Score["checks"] {
  const apis = referenceOf(gold).arguments.size;
  const check = (name: string, kept: boolean, message: string) => (kept ? { name, kept } : { name, kept, message });
  return [
    check(
      "apps",
      official.app_em_count === 1,
      `${paper.app_hit} of ${official.total_ground_apps} right, ${official.total_pred_apps} named`,
    ),
    check(
      "APIs",
      official.api_em_count === 1,
      `${paper.api_hit} of ${official.total_ground_apis} right, ${official.total_pred_apis} called`,
    ),
    check(
      "arguments",
      official.api_argu_em === apis,
      `every argument is right for ${official.api_argu_em} of ${apis} APIs`,
    ),
    check("structure (paper)", paper.succ === 1, "the calls differ from the reference"),
  ];
}

function verdictOf({ official, paper }: Scores): string {
  if (official.total_match === 1) return paper.succ === 1 ? "right in both modes" : "right only officially";
  return paper.succ === 1 ? "right only strictly" : "wrong in both modes";
}
