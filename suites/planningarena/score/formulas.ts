/** The paper's three formulas, made well defined where those of the paper are not. */

export type WeightedSubtask = { readonly w: number; readonly c: number; readonly q: number };

/** SER (equation 1): share of the subtasks' weight that is done, each counted by its share of right arguments. Null without weight. */
export function subtaskExecution(subtasks: readonly WeightedSubtask[]): number | null {
  let weight = 0;
  let done = 0;
  for (const { w, c, q } of subtasks) {
    weight += w;
    done += w * c * q;
  }
  return weight === 0 ? null : done / weight;
}

export type Checkpoint = { readonly b: number; readonly w: number };
export type DependencyAccuracy = {
  readonly value: number;
  /** Null without reference edges. */
  readonly recall: number | null;
  /** The formula of the paper, (m/n) Σ Π(1-B)w: not bounded by 1, for comparison only. */
  readonly literal: number | null;
};

/**
 * DA (equation 2) over the edges found, given `n` reference edges. An edge's worth is the product of 1 - w·B over its
 * checkpoints; DA is their sum over max(n, m), so that invented edges cost and perfect plans get exactly 1.
 */
export function dependencyAccuracy(n: number, edges: readonly (readonly Checkpoint[])[]): DependencyAccuracy {
  const m = edges.length;
  let sum = 0;
  let reported = 0;
  for (const edge of edges) {
    sum += edge.reduce((worth, { b, w }) => worth * (1 - w * b), 1);
    reported += edge.reduce((worth, { b, w }) => worth * (1 - b) * w, 1);
  }
  const value = n === 0 && m === 0 ? 1 : n === 0 ? 0 : sum / Math.max(n, m);
  return { value, recall: n === 0 ? null : sum / n, literal: n === 0 ? null : (m / n) * reported };
}

export type WeightedCheck = { readonly name: string; readonly b: number; readonly w: number };

/** SMAR (equation 3): weight of the applicable checks without a mistake over the weight of all; 0 when garbled. */
export function mistakeAvoidance(garbled: boolean, checks: readonly WeightedCheck[]): number {
  if (garbled) return 0;
  let weight = 0;
  let kept = 0;
  for (const { b, w } of checks) {
    weight += w;
    kept += w * (1 - b);
  }
  return weight === 0 ? 0 : kept / weight;
}
