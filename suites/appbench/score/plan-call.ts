/** A call as people compare it: read generously, so that one error of form does not hide what was meant. */
import { strip } from "../../../source/engine/python/blanks.ts";
import type { Call } from "./call-text.ts";
import { readCall, shortName } from "./call-text.ts";
import type { CanonicalCall, CanonicalValue } from "./canonical-call.ts";
import { canonicalCall, canonicalKey, canonicalValue } from "./canonical-call.ts";
import type { Answer, Gold } from "../data/gold.ts";
import { readPlan } from "./plan-text.ts";
import { scoredApps } from "./record.ts";

export type PlanCall = {
  readonly app: string;
  readonly text: string;
  /** As the official scorer reads it; undefined where it cannot. */
  readonly official: Call | undefined;
  /** As paper mode reads it; undefined where it cannot. */
  readonly canonical: CanonicalCall | undefined;
  /** API name, empty when neither can read the call. */
  readonly api: string;
  readonly arguments: ReadonlyMap<string, CanonicalValue>;
  readonly returns: readonly string[];
};

/** More calls than any sensible plan has; what a model writes beyond is counted by the scorers but not looked at here. */
const mostCalls = 200;

/** The calls of an answer with the app names the scorers use. */
export function planCalls(answer: Answer, catalogue: readonly string[]): PlanCall[] {
  const plan = readPlan(answer.output);
  const mapped = scoredApps(plan.apps, answer.apps, catalogue);
  // Placeholders without an app are dropped upstream, and then names no longer stand beside calls.
  const apps = mapped.length === plan.calls.length ? mapped : plan.appOf;
  return plan.calls.slice(0, mostCalls).map((text, index) => planCall(apps[index]!, text));
}

/** The calls of a reference plan; one published task has more of them than apps, whose app is then empty. */
export function goldCalls(gold: Gold): PlanCall[] {
  return gold.api_results.map((text, index) => planCall(gold.used_app[index] ?? "", text));
}

function planCall(app: string, text: string): PlanCall {
  const official = readCall(text.replaceAll("\\", ""));
  const canonical = canonicalCall(app, text);
  return {
    app,
    text,
    official,
    canonical,
    api: official?.name ?? shortName(canonical?.name ?? ""),
    arguments: canonical?.arguments ?? fromOfficial(official),
    returns: text.includes("=") ? text.slice(0, text.indexOf("=")).split(",").map(strip) : [],
  };
}

function fromOfficial(call: Call | undefined): Map<string, CanonicalValue> {
  const read = new Map<string, CanonicalValue>();
  for (const [key, value] of call?.arguments ?? []) read.set(canonicalKey(key), canonicalValue(value));
  return read;
}
