/** Dependencies in a dialogue: values passed from one step's results to another's arguments, and satisfied orders. */
import { canon, leavesOf } from "../data/canonical.ts";
import { dependencyAccuracy, type DependencyAccuracy } from "./formulas.ts";
import type { Given } from "./given.ts";
import { parseCall, splitCall } from "../data/literal.ts";
import type { Edge, Gold, PlanStepRecord } from "../data/records.ts";
import type { Json } from "../../../source/engine/types.ts";

export type FoundEdge = {
  readonly from: string;
  readonly to: string;
  /** Zero-based steps. */
  readonly fromStep: number;
  readonly toStep: number;
  readonly inOrder: boolean;
};
export type Dependencies = DependencyAccuracy & {
  readonly n: number;
  readonly m: number;
  readonly correct: number;
  readonly found: readonly FoundEdge[];
  readonly missed: readonly Edge[];
  /** Found, but not in the answer key. */
  readonly extra: readonly FoundEdge[];
  /** In the answer key, but in reverse. */
  readonly reversed: readonly FoundEdge[];
};

/** Compares the dependencies of a dialogue with the answer key's; `matches` gives the step of each subtask. */
export function dependenciesOf(
  steps: readonly PlanStepRecord[],
  gold: Gold,
  matches: readonly (number | undefined)[],
  given: Given,
): Dependencies {
  const stepOf = new Map<string, number>();
  for (const [index, subtask] of gold.subtasks.entries()) {
    const step = matches[index];
    if (step !== undefined) stepOf.set(subtask.id, step);
  }
  const nameOf = new Map([...stepOf].map(([id, step]) => [step, id]));
  const found = new Map<string, FoundEdge>();
  for (const [fromStep, toStep] of valuesPassed(steps, given)) {
    const from = nameOf.get(fromStep) ?? `x${fromStep + 1}`;
    const to = nameOf.get(toStep) ?? `x${toStep + 1}`;
    found.set(keyOf({ from, to }), { from, to, fromStep, toStep, inOrder: fromStep < toStep });
  }
  const wanted = new Map(gold.edges.map((edge) => [keyOf(edge), edge]));
  for (const [key, { from, to, kind }] of wanted) {
    const fromStep = stepOf.get(from);
    const toStep = stepOf.get(to);
    if (kind !== "order" || fromStep === undefined || toStep === undefined || found.has(key)) continue;
    found.set(key, { from, to, fromStep, toStep, inOrder: fromStep < toStep });
  }
  return compared(found, wanted);
}

function compared(found: ReadonlyMap<string, FoundEdge>, wanted: ReadonlyMap<string, Edge>): Dependencies {
  const isRight = (key: string, edge: FoundEdge) => edge.inOrder && wanted.has(key);
  const edges = [...found];
  const accuracy = dependencyAccuracy(
    wanted.size,
    edges.map(([key, edge]) => [{ b: isRight(key, edge) ? 0 : 1, w: 1 }]),
  );
  return {
    ...accuracy,
    n: wanted.size,
    m: found.size,
    correct: edges.filter(([key, edge]) => isRight(key, edge)).length,
    found: [...found.values()],
    missed: [...wanted].filter(([key]) => !found.has(key)).map(([, edge]) => edge),
    extra: edges.filter(([key]) => !wanted.has(key)).map(([, edge]) => edge),
    reversed: edges.filter(([key, edge]) => wanted.has(key) && !edge.inOrder).map(([, edge]) => edge),
  };
}

const keyOf = (edge: { readonly from: string; readonly to: string }): string => `${edge.from}>${edge.to}`;

/**
 * Returns pairs [producer, user] of zero-based steps, each once. Only API calls have arguments that differ from prose.
 */
export function valuesPassed(steps: readonly PlanStepRecord[], given: Given): readonly (readonly [number, number])[] {
  const used = steps.map(argumentLeaves);
  // A step never produces its own arguments, so the earliest producer is before the user if any is.
  const producers = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    if (step.call === undefined) continue;
    for (const value of producedBy(step, used[index]!, given)) if (!producers.has(value)) producers.set(value, index);
  }
  const pairs = new Map<string, readonly [number, number]>();
  for (const [user, values] of used.entries())
    for (const value of values) {
      const from = producers.get(value);
      if (from !== undefined) pairs.set(`${from}>${user}`, [from, user]);
    }
  return [...pairs.values()];
}

const argumentLeaves = (step: PlanStepRecord): ReadonlySet<string> =>
  new Set(step.call === undefined ? [] : leavesOf(step.call.args).map(canon));

/** Returns the new values in a step's results: neither its own arguments, nor given, nor trivial values. */
function producedBy(step: PlanStepRecord, own: ReadonlySet<string>, given: Given): ReadonlySet<string> {
  const produced = new Set<string>();
  for (const leaf of resultLeaves(step.results)) {
    const value = canon(leaf);
    if (!own.has(value) && !isTrivial(value) && !given(value)) produced.add(value);
  }
  return produced;
}

/** Returns the leaves of results. Text is parsed as a call; text that is not a call is one leaf. */
function resultLeaves(results: Json): readonly Json[] {
  if (typeof results !== "string") return leavesOf(results);
  const call = parseCall(results);
  if (call !== undefined) return leavesOf(call.args);
  return splitCall(results) === undefined ? [results] : [];
}

/** Returns whether a value is too common to identify a source: null, booleans, numbers under 10, texts under 3 characters. */
function isTrivial(canonical: string): boolean {
  if (canonical.length < 3 || canonical === "null" || canonical === "true" || canonical === "false") return true;
  return /^-?\d+(?:\.\d+)?$/.test(canonical) && Math.abs(Number(canonical)) < 10;
}
