/** Right, wrong domain, hallucination: APIBench's verdict on one reply, and two stricter ones beside it. */
import { extractCall } from "./extraction.ts";
import type { HubData, Question } from "../data/catalogue.ts";
import { isStrictly, matchCall, type FindNodes } from "./matching.ts";

export type Verdict = {
  /** The text that was parsed as the call; null where a TorchHub reply has none. */
  readonly extracted: string | null;
  /** Row of the catalogue that matched; -1 none; null where nothing was parsed. */
  readonly matched_index: number | null;
  readonly outcome: "correct" | "wrong_domain" | "hallucination" | "no_api_call_field";
  /** Whether the matched row's call is the one asked for, to the letter. */
  readonly same_api_as_gold: boolean;
  /** Whether the call is the function asked for with all its selected arguments, without the original's fallback. */
  readonly same_function_and_arguments: boolean;
};

/**
 * The official verdict: correct where the matched row has the domain of the row asked for, which need not be the same
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

export type Aggregate = {
  readonly n: number;
  readonly correct: number;
  readonly wrong_domain: number;
  readonly hallucination: number;
  readonly no_api_call_field: number;
  readonly functionality_accuracy: number;
  readonly hallucination_rate: number;
};

/** Counts and the two official rates; the divisor is the number of replies, not of questions. */
export function aggregate(verdicts: readonly Pick<Verdict, "outcome">[]): Aggregate {
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
