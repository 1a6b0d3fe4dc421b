/** APIBench questions as tasks, and verdicts as scores. */
import type { Score, Task } from "../../../source/engine/types.ts";
import type { Question } from "./catalogue.ts";
import type { Hub } from "../score/extraction.ts";
import type { Verdict } from "../score/verdict.ts";

/** What a built-in model or a strict reading knows of a question's answer. */
export type GoldApi = { readonly api_call: string; readonly domain: string; readonly index: number | null };
export type HubTask = Task<{ readonly hub: Hub; readonly id: number }, GoldApi>;

export function taskOf(hub: Hub, question: Question): HubTask {
  const { question_id: id, gold_api_call: api_call, gold_domain: domain, gold_catalogue_index: index } = question;
  return {
    id: `${hub}-${id}`,
    question: question.question,
    input: { hub, id },
    answer: { api_call, domain, index },
    facets: { hub, domain },
  };
}

/** `value` is the official functionality accuracy of this one reply. */
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
