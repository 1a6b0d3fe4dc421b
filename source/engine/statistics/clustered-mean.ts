/** The mean of clustered values: trials of one task, tasks of one group. */
import { studentQuantile } from "./beta.ts";
import { constantInterval, isConstant } from "./constancy.ts";
import { wilsonShare, type Interval } from "./interval.ts";

export type ClusteredValue = {
  readonly value: number;
  /** The value's cluster. Values of one cluster may be correlated; values of different clusters are assumed to be independent. */
  readonly cluster: string;
};
export type ClusteredMean = {
  readonly mean: number;
  readonly n: number;
  readonly clusters: number;
  /** Undefined for a single cluster, which has no variance between clusters. */
  readonly standardError: number | undefined;
  readonly interval: Interval | undefined;
};

/**
 * Returns the mean of all values with equal weights, with its cluster-robust standard error: residuals are summed within each
 * cluster, and the variance is multiplied by G / (G - 1) for G clusters. This is the standard error of the constant in
 * statsmodels' `OLS(values, ones).fit(cov_type="cluster")` with its usual small-sample correction.
 *
 * The 95 % interval is the mean and Student's quantile with G - 1 degrees of freedom; for zeros and ones it is that of
 * `shareInterval`, which stays within 0 and 1 and has a width even if all are the same, as for other equal values from 0 to 1. Undefined without values.
 */
export function clusteredMean(values: readonly ClusteredValue[]): ClusteredMean | undefined {
  const n = values.length;
  if (n === 0) return undefined;
  let total = 0;
  let isShare = true;
  let size = 0;
  for (const { value } of values) {
    total += value;
    size += Math.abs(value);
    isShare &&= value === 0 || value === 1;
  }
  const mean = total / n;
  const sums = new Map<string, number>();
  for (const { value, cluster } of values) {
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - mean);
  }
  const clusters = sums.size;
  if (clusters === 1) return { mean, n, clusters, standardError: undefined, interval: undefined };
  let squares = 0;
  for (const residual of sums.values()) {
    squares += residual * residual;
  }
  const isSame = isConstant([0, ...sums.values()], size);
  const standardError = isSame ? 0 : Math.sqrt((clusters / (clusters - 1)) * squares) / n;
  const found = { mean, n, clusters, standardError };
  if (isShare || isSame) return { ...found, interval: shareInterval(found) };
  const reach = studentQuantile(0.975, clusters - 1) * standardError;
  return { ...found, interval: { low: mean - reach, high: mean + reach } };
}

/**
 * Returns Wilson's interval of a mean of values from 0 to 1, over the number of independent zeros and ones that would have this
 * standard error: m of them have p (1 - p) / (m - 1) as its square. If all clusters are the same, the interval is that of as
 * many equal values. Undefined without a standard error.
 */
export function shareInterval({
  mean,
  clusters,
  standardError,
}: Pick<ClusteredMean, "mean" | "clusters" | "standardError">): Interval | undefined {
  if (standardError === undefined) return undefined;
  if (standardError === 0) return constantInterval(mean, clusters);
  return wilsonShare(mean, 1 + (mean * (1 - mean)) / standardError ** 2);
}
