/**
 * What a step of a plan costs in ToolChain* (Zhuang et al., ICLR 2024), and what is left after it: f = g + h, each part
 * between 0 and 1 a step. Plans are lists of API names; stored plans are those of demonstrations and of solved tasks.
 */
export type Plan = readonly string[];

/**
 * The step that a plan ends with: cheap where the plan is like a stored one, and where many of the samples were this action.
 * `share` is the action's part of the samples; `alpha` weighs the two.
 */
export function stepCost(plan: Plan, share: number, stored: readonly Plan[], alpha: number): number {
  const alike = stored.map((other) => {
    const shorter = Math.min(plan.length, other.length);
    return shorter === 0 ? 0 : commonSubsequence(plan, other) / shorter;
  });
  return (1 - Math.max(0, ...alike)) ** alpha * (1 - share) ** (1 - alpha);
}

/**
 * What is left after a call of this API: little where stored plans have it near their end, and where most of the plan the
 * model foresees lies behind. `behind` is the number of ancestors of the call over that of the plan's end; `beta` weighs the two.
 */
export function remainingCost(api: string, behind: number, stored: readonly Plan[], beta: number): number {
  return (1 - meanPosition(api, stored)) ** beta * (1 - behind) ** (1 - beta);
}

/**
 * Where stored plans have this API on average, from 0 to 1: the last of a plan is at 1. For an API in none of them where they
 * have the one with the likest name; 0 without stored plans.
 */
function meanPosition(api: string, stored: readonly Plan[]): number {
  const known = stored.some((plan) => plan.includes(api)) ? api : likest(api, new Set(stored.flat()));
  const positions = stored.flatMap((plan) =>
    plan.flatMap((name, index) => (name === known ? [(index + 1) / plan.length] : [])),
  );
  return positions.length === 0 ? 0 : positions.reduce((sum, each) => sum + each, 0) / positions.length;
}

/** The name that shares most letters with this one in the same order, for their lengths; the first among equals. */
function likest(name: string, others: Iterable<string>): string | undefined {
  let best: { readonly other: string; readonly likeness: number } | undefined;
  for (const other of others) {
    const likeness = (2 * commonSubsequence(name, other)) / (name.length + other.length);
    if (best === undefined || likeness > best.likeness) best = { other, likeness };
  }
  return best?.other;
}

/** Length of the longest common subsequence, in time proportional to the product of the lengths. */
export function commonSubsequence(one: ArrayLike<string>, other: ArrayLike<string>): number {
  let above = new Uint32Array(other.length + 1);
  for (let row = 0; row < one.length; row++) {
    const current = new Uint32Array(other.length + 1);
    for (let column = 0; column < other.length; column++)
      current[column + 1] =
        one[row] === other[column] ? above[column]! + 1 : Math.max(above[column + 1]!, current[column]!);
    above = current;
  }
  return above[other.length]!;
}
