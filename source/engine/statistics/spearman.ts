/** Spearman's rank correlation. */
import { betaShare } from "./beta.ts";

export type RankCorrelation = {
  readonly rho: number;
  /** Two-sided, by Student's distribution with n - 2 degrees of freedom. */
  readonly p: number;
  readonly n: number;
};

/**
 * Returns Spearman's rho of pairs; ties get their mean rank. Undefined for fewer than three pairs, or if one side is constant.
 */
export function spearman(pairs: readonly (readonly [number, number])[]): RankCorrelation | undefined {
  const n = pairs.length;
  if (n < 3) return undefined;
  const [one, other] = [ranks(pairs.map(([x]) => x)), ranks(pairs.map(([, y]) => y))];
  // Mean ranks are halves, so that these sums are exact.
  const middle = (n + 1) / 2;
  let [both, first, second] = [0, 0, 0];
  for (const [at, rank] of one.entries()) {
    const [a, b] = [rank - middle, other[at]! - middle];
    both += a * b;
    first += a * a;
    second += b * b;
  }
  if (first === 0 || second === 0) return undefined;
  const rho = both / Math.sqrt(first * second);
  const free = n - 2;
  return { rho, p: betaShare(1 - rho * rho, free / 2, 0.5), n };
}

function ranks(values: readonly number[]): readonly number[] {
  const order = values.map((value, at) => ({ value, at })).toSorted((one, other) => one.value - other.value);
  const found: number[] = Array.from({ length: values.length });
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && order[to]!.value === order[from]!.value) to++;
    for (let place = from; place < to; place++) found[order[place]!.at] = (from + 1 + to) / 2;
    from = to;
  }
  return found;
}
