/** Scores one answer in all three modes and aggregates many, in upstream's report format. */
import { ratio, sumOf } from "./count.ts";
import type { Gold } from "../data/gold.ts";
import {
  type AnalysisEvaluation,
  type AnalysisScore,
  analysisCounters,
  evaluateAnalysis,
  scoreAnalysis,
} from "./score-analysis.ts";
import {
  type OfficialCounters,
  type OfficialEvaluation,
  apiF1,
  appF1,
  countOfficial,
  evaluateOfficial,
  officialCounters,
} from "./score-official.ts";
import { type CallCounters, type PaperScore, countCalls, paperCounters, paperF1, scorePaper } from "./score-paper.ts";
import type { ScoredPlan } from "./scored-plan.ts";

/** Counters of one answer in each mode. */
export type Scores = {
  readonly official: OfficialCounters;
  readonly analysis: AnalysisScore;
  readonly paper: PaperScore;
  /** Whole calls, by the paper's definitions. */
  readonly calls: CallCounters;
};

/** The name of upstream's exception; it divides by zero on degenerate input. */
type Failed = "ZeroDivisionError" | null;

/** The two modes with equal fields in the reports of one answer and of many. */
type Blocks = {
  readonly official_analysis: AnalysisScore & {
    readonly evaluation: AnalysisEvaluation | null;
    readonly error: Failed;
  };
  readonly paper: PaperScore & { readonly f1_app: number; readonly f1_api: number };
};

type Official = {
  readonly evaluation: OfficialEvaluation | null;
  readonly error: Failed;
  readonly counters: OfficialCounters;
};

export type AnswerRecord = Blocks & {
  readonly official: Official &
    Readonly<Record<"app_em" | "api_em" | "succ" | "f1_app" | "f1_api" | "argu_em", number>>;
};

type Rates =
  | "app_hit_f1"
  | "api_hit_f1"
  | "complete_match"
  | "app_exact_match"
  | "api_exact_match"
  | "argu_exact_match";

export type Aggregate = Blocks & {
  readonly records: number;
  readonly official: Official & { readonly derived: Readonly<Record<Rates, number>> };
};

/** Scores the plan of one answer in all three modes. */
export const scorePlan = (plan: ScoredPlan, gold: Gold): Scores => ({
  official: countOfficial(plan, gold),
  analysis: scoreAnalysis(plan, gold),
  paper: scorePaper(plan, gold),
  calls: countCalls(plan, gold),
});

/** Builds the report of one answer. Ratios without a denominator are 0; `evaluation` is null if upstream fails. */
export function recordOf({ official, analysis, paper }: Scores): AnswerRecord {
  const evaluation = evaluateOfficial(official, 1) ?? null;
  return {
    official: {
      app_em: official.app_em_count,
      api_em: official.api_em_count,
      succ: official.total_match,
      f1_app: appF1(official),
      f1_api: apiF1(official),
      argu_em: ratio(official.api_argu_em, official.total_pred_apis),
      error: failed(evaluation),
      evaluation,
      counters: official,
    },
    ...blocks(analysis, paper, 1),
  };
}

/** Builds the report of many answers, in the given order. */
export function aggregateOf(scores: readonly Scores[]): Aggregate {
  const samples = scores.length;
  const official = sumOf(
    officialCounters,
    scores.map((score) => score.official),
  );
  const evaluation = evaluateOfficial(official, samples) ?? null;
  const derived = {
    app_hit_f1: appF1(official),
    api_hit_f1: apiF1(official),
    complete_match: ratio(official.total_match, samples),
    app_exact_match: ratio(official.app_em_count, samples),
    api_exact_match: ratio(official.api_em_count, samples),
    argu_exact_match: ratio(official.api_argu_em, official.total_pred_apis),
  };
  return {
    records: samples,
    official: { evaluation, error: failed(evaluation), derived, counters: official },
    ...blocks(meanAnalysis(scores), meanPaper(scores), samples),
  };
}

function blocks(analysis: AnalysisScore, paper: PaperScore, samples: number): Blocks {
  const evaluation = evaluateAnalysis(analysis.counters, analysis, samples) ?? null;
  return {
    official_analysis: { ...analysis, evaluation, error: failed(evaluation) },
    paper: {
      ...paper,
      f1_app: paperF1(paper.app_hit, paper.app_pred, paper.app_gold),
      f1_api: paperF1(paper.api_hit, paper.api_pred, paper.api_gold),
    },
  };
}

const failed = (evaluation: unknown): Failed => (evaluation === null ? "ZeroDivisionError" : null);

function meanAnalysis(scores: readonly Scores[]): AnalysisScore {
  const own = scores.map(({ analysis }) => analysis);
  const mean = meansOf(own, ["app_em", "app_f1", "api_em", "api_f1", "succ"]);
  const counters = sumOf(
    analysisCounters,
    own.map((score) => score.counters),
  );
  return { counters, ...mean };
}

function meanPaper(scores: readonly Scores[]): PaperScore {
  const own = scores.map(({ paper }) => paper);
  return { ...sumOf(paperCounters, own), ...meansOf(own, ["em_app", "em_api", "succ"]) };
}

function meansOf<Name extends string>(
  items: readonly Readonly<Record<Name, number>>[],
  names: readonly Name[],
): Record<Name, number> {
  const sums = sumOf(names, items);
  for (const name of names) sums[name] = ratio(sums[name], items.length);
  return sums;
}
