/** Compares a plan with its reference, step by step and line by line. */
import type { PlanStep, TaskView } from "../../../engine/loaded-suite.ts";
import type { Mistake } from "../../../engine/types.ts";

export type PlanChange = "same" | "changed" | "missing" | "extra";
export type LinePair = { readonly plan: string | undefined; readonly reference: string | undefined };
export type StepPair = {
  readonly id: string;
  readonly change: PlanChange;
  /** Indexes into the plan and the reference. */
  readonly plan: number | undefined;
  readonly reference: number | undefined;
  readonly lines: readonly LinePair[];
};

/** Returns the steps in the order of the plan; missing steps are placed as in the reference. */
export function pairSteps({ plan, reference, matches }: TaskView): StepPair[] {
  const partner = new Map(matches.map(([from, to]) => [to, from]));
  const matched = new Set(matches.map(([from]) => from));
  const pairs: StepPair[] = [];
  let next = 0;
  const missingUpTo = (limit: number) => {
    for (; next < limit; next++) if (!matched.has(next)) pairs.push(pairOf(undefined, next, plan, reference));
  };
  for (const index of plan.keys()) {
    const other = partner.get(index);
    if (other !== undefined) missingUpTo(other);
    pairs.push(pairOf(index, other, plan, reference));
  }
  missingUpTo(reference.length);
  return pairs;
}

function pairOf(
  planIndex: number | undefined,
  referenceIndex: number | undefined,
  plan: readonly PlanStep[],
  reference: readonly PlanStep[],
): StepPair {
  const given = planIndex === undefined ? undefined : plan[planIndex];
  const wanted = referenceIndex === undefined ? undefined : reference[referenceIndex];
  const lines = pairLines(given?.lines ?? [], wanted?.lines ?? []);
  const isUncompared = (given ?? wanted)?.uncompared === true;
  const differs = given?.title !== wanted?.title || lines.some((pair) => pair.plan !== pair.reference);
  const change = isUncompared || !differs ? "same" : changeOf(given, wanted);
  return {
    id: `${planIndex ?? "-"}/${referenceIndex ?? "-"}`,
    change,
    plan: planIndex,
    reference: referenceIndex,
    lines,
  };
}

/** Compares two lines, or two steps. */
export function changeOf<Part>(plan: Part | undefined, reference: Part | undefined): PlanChange {
  if (plan === reference) return "same";
  return plan === undefined ? "missing" : reference === undefined ? "extra" : "changed";
}

/** Longer lists are paired by index, because aligning them would delay the screen. */
const mostAligned = 200;

/** Pairs the lines of two steps: equal lines are aligned, and different lines between them are paired if possible. */
export function pairLines(plan: readonly string[], reference: readonly string[]): LinePair[] {
  if (plan.length > mostAligned || reference.length > mostAligned) return zip(plan, reference);
  const pairs: LinePair[] = [];
  let planFrom = 0;
  let referenceFrom = 0;
  for (const [planAt, referenceAt] of commonLines(plan, reference)) {
    pairs.push(...zip(plan.slice(planFrom, planAt), reference.slice(referenceFrom, referenceAt)));
    pairs.push({ plan: plan[planAt], reference: reference[referenceAt] });
    planFrom = planAt + 1;
    referenceFrom = referenceAt + 1;
  }
  return [...pairs, ...zip(plan.slice(planFrom), reference.slice(referenceFrom))];
}

/** Pairs lines with the same key; lines with other keys have no partner. */
function zip(plan: readonly string[], reference: readonly string[]): LinePair[] {
  const left = [...reference];
  const pairs: LinePair[] = plan.map((line) => {
    const at = left.findIndex((other) => keyOf(other) === keyOf(line));
    return { plan: line, reference: at < 0 ? undefined : left.splice(at, 1)[0] };
  });
  return [...pairs, ...left.map((line) => ({ plan: undefined, reference: line }))];
}

function keyOf(line: string): string {
  const end = line.search(/[ =:]/);
  return end < 0 ? line : line.slice(0, end);
}

/** Returns the indexes of a longest common subsequence, in time and space of the product of both lengths. */
export function commonLines(one: readonly string[], other: readonly string[]): [number, number][] {
  const table = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let a = one.length - 1; a >= 0; a--) {
    for (let b = other.length - 1; b >= 0; b--) {
      table[a]![b] = one[a] === other[b] ? table[a + 1]![b + 1]! + 1 : Math.max(table[a + 1]![b]!, table[a]![b + 1]!);
    }
  }
  const common: [number, number][] = [];
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    if (one[a] === other[b]) common.push([a++, b++]);
    else if (table[a + 1]![b]! >= table[a]![b + 1]!) a++;
    else b++;
  }
  return common;
}

/** Returns the pair that contains a mistake. Scorers give indexes of the reference, or of the plan for extra steps. */
export function pairOfMistake({ step, key, expected }: Mistake, pairs: readonly StepPair[]): StepPair | undefined {
  if (step === undefined) return undefined;
  const inPlan = pairs.find(({ plan }) => plan === step);
  const inReference = pairs.find(({ reference }) => reference === step);
  return expected === undefined && key === undefined ? (inPlan ?? inReference) : (inReference ?? inPlan);
}
