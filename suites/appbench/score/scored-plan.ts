/**
 * A plan as the scorers read it. Four of them compare the same calls, each in its own reading: every reading is made once, when
 * it is first asked for, and that of a reference once for all answers.
 */
import { mapPlaceholders, namedApps } from "../ask/app-list.ts";
import { readCallForAnalysis } from "./call-text-analysis.ts";
import { type Arguments, argumentsOf, type Call, namesOf, readCall } from "./call-text.ts";
import { canonicalText } from "./canonical-call.ts";
import type { Answer, Gold } from "../data/gold.ts";
import { type PlanCall, planCall } from "./plan-call.ts";
import { readPlan } from "./plan-text.ts";
import { factOf } from "../../../source/engine/work/fact.ts";

export class ScoredPlan {
  /** App names in order, placeholders already replaced. */
  readonly apps: readonly string[];
  /** The texts of the calls. */
  readonly calls: readonly string[];
  readonly #appOf: readonly string[];
  readonly #read = new Map<string, Call | undefined>();
  readonly #compared: PlanCall[] = [];
  #names: readonly string[] | undefined;
  #arguments: ReadonlyMap<string, Arguments> | undefined;
  #forAnalysis: ReadonlyMap<string, Arguments> | undefined;
  #namesForAnalysis: readonly string[] = [];
  #canonical: readonly string[] | undefined;

  /** `appOf` are the calls' own apps, where `apps` does not stand beside them. */
  constructor(apps: readonly string[], calls: readonly string[], appOf: readonly string[]) {
    this.apps = apps;
    this.calls = calls;
    this.#appOf = apps.length === calls.length ? apps : appOf;
  }

  /** API names as `evaluation.py` reads them, one a call. */
  get names(): readonly string[] {
    return (this.#names ??= namesOf(this.calls, this.#readCall));
  }

  /** Arguments by API name, as `evaluation.py` reads them. */
  get arguments(): ReadonlyMap<string, Arguments> {
    return (this.#arguments ??= argumentsOf(this.calls, this.#readCall));
  }

  /** As `analysis.py` reads them: names of the calls that can be read, and arguments by name, of which the last call's stay. */
  get forAnalysis(): { readonly names: readonly string[]; readonly byName: ReadonlyMap<string, Arguments> } {
    if (this.#forAnalysis === undefined) {
      const read = this.calls.flatMap((text) => readCallForAnalysis(text) ?? []);
      this.#namesForAnalysis = read.map(({ name }) => name);
      this.#forAnalysis = new Map(read.map((call) => [call.name, call.arguments]));
    }
    return { names: this.#namesForAnalysis, byName: this.#forAnalysis };
  }

  /** The calls in the form paper mode compares, without those it cannot read; none where apps do not stand beside calls. */
  get canonical(): readonly string[] {
    if (this.apps.length !== this.calls.length) return [];
    return (this.#canonical ??= this.calls.flatMap((_, index) => {
      const { canonical } = this.call(index);
      return canonical === undefined ? [] : [canonicalText(canonical)];
    }));
  }

  /** A call in all readings. */
  call(index: number): PlanCall {
    return (this.#compared[index] ??= planCall(this.#appOf[index]!, this.calls[index]!, this.#readCall));
  }

  readonly #readCall = (text: string): Call | undefined => {
    if (!this.#read.has(text)) this.#read.set(text, readCall(text));
    return this.#read.get(text);
  };
}

/** The plan in an answer, with the app names the scorers use. */
export function planOf(answer: Answer, catalogue: readonly string[]): ScoredPlan {
  const { apps, calls, appOf } = readPlan(answer.output);
  // Placeholders without an app are dropped upstream, and then names no longer stand beside calls.
  return new ScoredPlan(scoredApps(apps, answer.apps, catalogue), calls, appOf);
}

/** The reference plan; one published task has more calls than apps, whose app is then empty. */
export const referenceOf = factOf(({ used_app: apps, api_results: calls }: Gold): ScoredPlan => {
  return new ScoredPlan(
    apps,
    calls,
    calls.map((_, index) => apps[index] ?? ""),
  );
});

/** App names the scorers use: with a first-stage answer, placeholders such as `app1` stand for the apps it names. */
function scoredApps(apps: readonly string[], first: string | undefined, catalogue: readonly string[]): string[] {
  return first === undefined ? [...apps] : mapPlaceholders(apps, namedApps(first, catalogue));
}

/** More calls than any sensible plan has; what a model writes beyond is counted by the scorers but not looked at by call. */
const mostCalls = 200;

/** The calls of a plan in all readings. */
export function planCalls(plan: ScoredPlan): PlanCall[] {
  return plan.calls.slice(0, mostCalls).map((_, index) => plan.call(index));
}
