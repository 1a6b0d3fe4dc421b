/** Properties of a partition given as labels: canonical numbering, sizes, singletons, purity. */

/** Labels renumbered by first appearance (0, 1, 2, ...), so that equal partitions have equal labels. */
export function canonicalLabels(labels: ArrayLike<number>): Int32Array {
  const numbers = new Map<number, number>();
  const canonical = new Int32Array(labels.length);
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index]!;
    let number = numbers.get(label);
    if (number === undefined) numbers.set(label, (number = numbers.size));
    canonical[index] = number;
  }
  return canonical;
}

/** Returns how many members each cluster has, by canonical label. */
export function clusterSizes(labels: ArrayLike<number>): number[] {
  const sizes: number[] = [];
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index]!;
    while (sizes.length <= label) sizes.push(0);
    sizes[label]! += 1;
  }
  return sizes;
}

/** Returns cluster sizes, ascending, with the number of clusters of each size. */
export function sizeHistogram(sizes: readonly number[]) {
  const counts = new Map<number, number>();
  for (const size of sizes) if (size > 0) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b).map(([size, clusters]) => ({ size, clusters }));
}

/** Returns the number of clusters with one member. */
export const singletons = (sizes: readonly number[]): number => sizes.filter((size) => size === 1).length;

/**
 * Returns the share of members whose group is the most frequent one in their cluster, from 0 to 1; undefined without members.
 */
export function purity(labels: ArrayLike<number>, groups: readonly string[]): number | undefined {
  if (groups.length !== labels.length) {
    throw new RangeError(`Expected one group for each of ${labels.length} labels, got ${groups.length}`);
  }
  if (groups.length === 0) return undefined;
  const clusters = new Map<number, Map<string, number>>();
  groups.forEach((group, index) => {
    const label = labels[index]!;
    const counts = clusters.get(label) ?? new Map<string, number>();
    clusters.set(label, counts.set(group, (counts.get(group) ?? 0) + 1));
  });
  let majority = 0;
  for (const counts of clusters.values()) majority += Math.max(...counts.values());
  return majority / groups.length;
}
