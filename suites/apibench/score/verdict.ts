/** APIBench's verdict on one reply (right, wrong domain or hallucination) and two stricter verdicts. */
import { extractCall, isStrictly, matchCall, type FindNodes } from "./extraction.ts";
import type { Score } from "../../../source/engine/types.ts";
import type { HubData, Question } from "../data/catalogue.ts";

export type Verdict = {
  /** The text parsed as the call; null for a TorchHub reply without a call. */
  readonly extracted: string | null;
  /** Index of the matched catalogue row: -1 for no match, null if no text was parsed. */
  readonly matched_index: number | null;
  readonly outcome: "correct" | "wrong_domain" | "hallucination" | "no_api_call_field";
  /** True if the matched row's call equals the requested call exactly. */
  readonly same_api_as_gold: boolean;
  /** True if the call is the requested function with all its selected arguments, without the original's fallback. */
  readonly same_function_and_arguments: boolean;
};

/**
 * Returns the official verdict: correct if the matched row has the domain of the requested row. It need not be the same
 * API (77 of TorchHub's 94 rows share one domain).
 */
export async function judgeReply(
  reply: string,
  question: Question,
  data: HubData,
  findNodes: FindNodes,
): Promise<Verdict> {
  const call = extractCall(reply, data.hub);
  if (call === undefined) {
    const strict = { same_api_as_gold: false, same_function_and_arguments: false };
    return { extracted: null, matched_index: null, outcome: "no_api_call_field", ...strict };
  }
  const nodes = await findNodes(call);
  const index = matchCall(nodes, data.keys);
  const matched = data.keys[index];
  const outcome =
    matched === undefined ? "hallucination" : matched.domain === question.gold_domain ? "correct" : "wrong_domain";
  const gold = question.gold_catalogue_index === null ? undefined : data.keys[question.gold_catalogue_index];
  return {
    extracted: call,
    matched_index: index,
    outcome,
    same_api_as_gold: matched?.api_call === question.gold_api_call,
    same_function_and_arguments: isStrictly(nodes, gold),
  };
}

/** Scores one reply; `value` is its official functionality accuracy. */
export function scoreOf(verdict: Verdict): Score {
  const { outcome } = verdict;
  const flag = (yes: boolean) => (yes ? 1 : 0);
  const errors = [
    ...(outcome === "hallucination" ? [{ kind: "api-hallucinated" }] : []),
    ...(outcome === "wrong_domain" ? [{ kind: "wrong-domain" }] : []),
    ...(outcome === "no_api_call_field" ? [{ kind: "no-api-call" }] : []),
    ...(outcome === "correct" && !verdict.same_api_as_gold ? [{ kind: "other-api" }] : []),
  ].map((error) => ({ ...error, got: (verdict.extracted ?? "").slice(0, 500) }));
  return {
    value: flag(outcome === "correct"),
    metrics: {
      pass: flag(outcome === "correct"),
      hallucination: flag(outcome === "hallucination"),
      same_api: flag(verdict.same_api_as_gold),
      same_function_and_arguments: flag(verdict.same_function_and_arguments),
    },
    checks: [],
    errors,
    labels: { outcome },
  };
}

export type Aggregate = ReturnType<typeof aggregate>;

/** Counts outcomes and computes the two official rates; the divisor is the number of replies, not of questions. */
export function aggregate(verdicts: readonly Pick<Verdict, "outcome">[]) {
  const count = (wanted: Verdict["outcome"]) => verdicts.filter(({ outcome }) => outcome === wanted).length;
  const n = verdicts.length;
  const [correct, hallucination] = [count("correct"), count("hallucination")];
  return {
    n,
    correct,
    wrong_domain: count("wrong_domain"),
    hallucination,
    no_api_call_field: count("no_api_call_field"),
    functionality_accuracy: n === 0 ? 0 : correct / n,
    hallucination_rate: n === 0 ? 0 : hallucination / n,
  };
}
