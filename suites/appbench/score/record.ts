/** One answer scored in all three modes, and what they come to over many, in the form upstream reports them. */
import { ratio, sumOf } from "./count.ts";
import type { Gold } from "../data/gold.ts";
import type { AnalysisEvaluation, AnalysisScore } from "./score-analysis.ts";
import { analysisCounters, evaluateAnalysis, scoreAnalysis } from "./score-analysis.ts";
import type { OfficialCounters, OfficialEvaluation } from "./score-official.ts";
import { apiF1, appF1, countOfficial, evaluateOfficial, officialCounters } from "./score-official.ts";
import type { CallCounters, PaperScore } from "./score-paper.ts";
import { countCalls, paperCounters, paperF1, scorePaper } from "./score-paper.ts";
import type { ScoredPlan } from "./scored-plan.ts";

/** Counters of one answer in each mode. */
export type Scores = {
  readonly official: OfficialCounters;
  readonly analysis: AnalysisScore;
  readonly paper: PaperScore;
  /** Whole calls, by the paper's definitions. */
  readonly calls: CallCounters;
};

/** The name upstream's failure carries; it divides by zero on degenerate input. */
type Failed = "ZeroDivisionError" | null;

export type AnswerRecord = {
  readonly official: {
    readonly app_em: number;
    readonly api_em: number;
    readonly succ: number;
    readonly f1_app: number;
    readonly f1_api: number;
    readonly argu_em: number;
    readonly error: Failed;
    readonly evaluation: OfficialEvaluation | null;
    readonly counters: OfficialCounters;
  };
  readonly official_analysis: AnalysisScore & {
    readonly evaluation: AnalysisEvaluation | null;
    readonly error: Failed;
  };
  readonly paper: PaperScore & { readonly f1_app: number; readonly f1_api: number };
};

export type Aggregate = {
  readonly records: number;
  readonly official: {
    readonly evaluation: OfficialEvaluation | null;
    readonly error: Failed;
    readonly derived: {
      readonly app_hit_f1: number;
      readonly api_hit_f1: number;
      readonly complete_match: number;
      readonly app_exact_match: number;
      readonly api_exact_match: number;
      readonly argu_exact_match: number;
    };
    readonly counters: OfficialCounters;
  };
  readonly official_analysis: AnalysisScore & {
    readonly evaluation: AnalysisEvaluation | null;
    readonly error: Failed;
  };
  readonly paper: PaperScore & { readonly f1_app: number; readonly f1_api: number };
};

/** Scores the plan of one answer in all three modes. */
export function scorePlan(plan: ScoredPlan, gold: Gold): Scores {
  return {
    official: countOfficial(plan, gold),
    analysis: scoreAnalysis(plan, gold),
    paper: scorePaper(plan, gold),
    calls: countCalls(plan, gold),
  };
}

/** The blocks for one answer. Ratios without a denominator are 0; `evaluation` is null where upstream fails. */
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

/** The blocks over many answers, in the order given. */
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

function blocks(analysis: AnalysisScore, paper: PaperScore, samples: number) {
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

function failed(evaluation: unknown): Failed {
  return evaluation === null ? "ZeroDivisionError" : null;
}

function meanAnalysis(scores: readonly Scores[]): AnalysisScore {
  const mean = meanOver(scores);
  return {
    counters: sumOf(
      analysisCounters,
      scores.map((score) => score.analysis.counters),
    ),
    app_em: mean((score) => score.analysis.app_em),
    app_f1: mean((score) => score.analysis.app_f1),
    api_em: mean((score) => score.analysis.api_em),
    api_f1: mean((score) => score.analysis.api_f1),
    succ: mean((score) => score.analysis.succ),
  };
}

function meanPaper(scores: readonly Scores[]): PaperScore {
  const mean = meanOver(scores);
  return {
    ...sumOf(
      paperCounters,
      scores.map((score) => score.paper),
    ),
    em_app: mean((score) => score.paper.em_app),
    em_api: mean((score) => score.paper.em_api),
    succ: mean((score) => score.paper.succ),
  };
}

function meanOver(scores: readonly Scores[]): (of: (score: Scores) => number) => number {
  return (of) =>
    ratio(
      scores.reduce((sum, score) => sum + of(score), 0),
      scores.length,
    );
}
