/**
 * A plan as the scorers read it. Four scorers compare the same calls, each in its own reading. Each reading is computed
 * on first use and cached; a reference's readings serve all answers.
 */
import { mapPlaceholders, namedApps } from "../ask/app-list.ts";
import { readCallForAnalysis, type Arguments, argumentsOf, type Call, namesOf, readCall } from "./call-text.ts";
import { canonicalText } from "./canonical-call.ts";
import type { Answer, Gold } from "../data/gold.ts";
import { type PlanCall, planCall } from "./plan-call.ts";
import { readPlan } from "./plan-text.ts";

export class ScoredPlan {
  /** App names in order, with placeholders replaced. */
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

  /** `appOf` gives the app of each call if `apps` has another length than `calls`. */
  constructor(apps: readonly string[], calls: readonly string[], appOf: readonly string[]) {
    this.apps = apps;
    this.calls = calls;
    this.#appOf = apps.length === calls.length ? apps : appOf;
  }

  /** API names, one per call, as read by `evaluation.py`. */
  get names(): readonly string[] {
    return (this.#names ??= namesOf(this.calls, this.#readCall));
  }

  /** Arguments by API name, as read by `evaluation.py`. */
  get arguments(): ReadonlyMap<string, Arguments> {
    return (this.#arguments ??= argumentsOf(this.calls, this.#readCall));
  }

  /**
   * The reading of `analysis.py`: names of the readable calls, and arguments by name; for repeated names, the last call's arguments.
   */
  get forAnalysis(): { readonly names: readonly string[]; readonly byName: ReadonlyMap<string, Arguments> } {
    if (this.#forAnalysis === undefined) {
      const read = this.calls.flatMap((text) => readCallForAnalysis(text) ?? []);
      this.#namesForAnalysis = read.map(({ name }) => name);
      this.#forAnalysis = new Map(read.map((call) => [call.name, call.arguments]));
    }
    return { names: this.#namesForAnalysis, byName: this.#forAnalysis };
  }

  /** The readable calls in paper mode's form; empty if apps and calls differ in number. */
  get canonical(): readonly string[] {
    if (this.apps.length !== this.calls.length) return [];
    return (this.#canonical ??= this.calls.flatMap((_, index) => {
      const { canonical } = this.call(index);
      return canonical === undefined ? [] : [canonicalText(canonical)];
    }));
  }

  /** Returns a call in all readings. */
  call(index: number): PlanCall {
    return (this.#compared[index] ??= planCall(this.#appOf[index]!, this.calls[index]!, this.#readCall));
  }

  readonly #readCall = (text: string): Call | undefined => {
    if (!this.#read.has(text)) this.#read.set(text, readCall(text));
    return this.#read.get(text);
  };
}

/** Reads the plan in an answer, with the app names the scorers use. */
export function planOf(answer: Answer, catalogue: readonly string[]): ScoredPlan {
  const { apps, calls, appOf } = readPlan(answer.output);
  // Upstream drops placeholders without an app, so names and calls may then differ in number.
  return new ScoredPlan(scoredApps(apps, answer.apps, catalogue), calls, appOf);
}

/**
 * Maximum number of references in memory. Several scorers read a task's reference, and a reference takes more memory than its
 * task.
 */
const mostReferences = 1_000;
const references = new Map<Gold, ScoredPlan>();

/** Reads the reference plan. One published task has more calls than apps; the missing app is empty. */
export function referenceOf(gold: Gold): ScoredPlan {
  const known = references.get(gold);
  if (known !== undefined) return known;
  const { used_app: apps, api_results: calls } = gold;
  const appOf = calls.map((_, index) => apps[index] ?? "");
  const reference = new ScoredPlan(apps, calls, appOf);
  references.set(gold, reference);
  if (references.size > mostReferences) references.delete(references.keys().next().value!);
  return reference;
}

/**
 * Returns the app names the scorers use. With a first-stage answer, placeholders such as `app1` become the apps it
 * names.
 */
const scoredApps = (apps: readonly string[], first: string | undefined, catalogue: readonly string[]): string[] =>
  first === undefined ? [...apps] : mapPlaceholders(apps, namedApps(first, catalogue));

/** More calls than any sensible plan has. The scorers count further calls but do not examine them. */
const mostCalls = 200;

/** Returns the calls of a plan in all readings. */
export const planCalls = (plan: ScoredPlan): PlanCall[] =>
  plan.calls.slice(0, mostCalls).map((_, index) => plan.call(index));
