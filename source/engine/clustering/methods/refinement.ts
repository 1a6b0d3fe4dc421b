/**
 * Refines a result of Lloyd's iterations by splits and merges, many at once: if merging two clusters costs less than splitting
 * another one gains, the freed centre is moved there. Costs and gains are Ward's, exact for the inertia before the next
 * iterations: n m / (n + m) times the squared distance of the means. Large tasks need this because Lloyd's iterations cannot
 * move a centre past others.
 */
import type { WorkerPool } from "../kernel/job.ts";
import { iterate, type LloydLimits } from "./lloyd.ts";
import type { Workspace } from "../kernel/workspace.ts";

const mostRounds = 10;
/** Iterations of two-means inside one cluster to find its best split. */
const splitIterations = 6;

type Merge = { readonly from: number; readonly into: number; readonly cost: number };
/** `rows`: the points moved to the new cluster. */
type Split = { readonly label: number; readonly rows: readonly number[]; readonly gain: number };

/** The clusters of the previous round, and their splits. */
type PreviousRound = { readonly members: readonly (readonly number[])[]; readonly splits: readonly Split[] };

/**
 * Refines in place as long as a round is expected to lower the inertia by the fraction `worthwhile`. The inertia never
 * rises. Returns the number of iterations.
 */
export async function refine(
  workspace: Workspace,
  limits: LloydLimits,
  pool: WorkerPool,
  inertiaOf: (workspace: Workspace) => number,
  worthwhile: number,
): Promise<number> {
  // Without the table of distances between centres, the search for merges would take too long.
  if (workspace.centreDistances.length === 0 || workspace.shape.k < 3) return 0;
  let iterations = 0;
  let previous: PreviousRound | undefined;
  for (let round = 0; round < mostRounds; round++) {
    const members = membersOf(workspace);
    await pool.run("compareCentres");
    previous = { members, splits: splitsOf(workspace, members, previous) };
    const pairs = pair(mergesOf(workspace, members), previous.splits);
    const expected = pairs.reduce((sum, { merge, split }) => sum + split.gain - merge.cost, 0);
    if (!(expected > worthwhile * inertiaOf(workspace))) break;
    for (const { merge, split } of pairs) {
      for (const row of members[merge.from]!) workspace.labels[row] = merge.into;
      for (const row of split.rows) workspace.labels[row] = merge.from;
    }
    iterations += await iterate(workspace, limits, pool, () => {});
  }
  return iterations;
}

function membersOf({ labels, shape }: Workspace): number[][] {
  const members = Array.from({ length: shape.k }, (): number[] => []);
  for (let row = 0; row < shape.rows; row++) members[labels[row]!]!.push(row);
  return members;
}

/** Returns the cheapest merge of every cluster, in ascending order of cost. */
function mergesOf({ centreDistances, shape }: Workspace, members: readonly (readonly number[])[]): Merge[] {
  const merges = members.map((own, from): Merge => {
    let best: Merge = { from, into: -1, cost: Infinity };
    for (let into = 0; into < shape.k; into++) {
      const others = members[into]!.length;
      if (into === from || others === 0) continue;
      const cost = ((own.length * others) / (own.length + others)) * centreDistances[from * shape.k + into]! ** 2;
      if (cost < best.cost) best = { from, into, cost };
    }
    return best;
  });
  return merges.sort((a, b) => a.cost - b.cost || a.from - b.from);
}

/** Returns the best split of every cluster, in descending order of gain. Unchanged clusters keep their splits. */
function splitsOf(workspace: Workspace, members: PreviousRound["members"], previous: PreviousRound | undefined) {
  const before = new Map(previous?.splits.map((one) => [one.label, one]));
  const splits = members.flatMap((rows, label) => {
    if (rows.length < 2) return [];
    const old = previous?.members[label];
    const same = old?.length === rows.length && rows.every((row, index) => row === old[index]);
    return [(same ? before.get(label) : undefined) ?? split(workspace, rows, label)];
  });
  return splits.sort((a, b) => b.gain - a.gain || a.label - b.label);
}

/** Pairs the best splits with the cheapest merges while the gain exceeds the cost; each cluster is in at most one pair. */
function pair(merges: readonly Merge[], splits: readonly Split[]): { merge: Merge; split: Split }[] {
  const used = new Set<number>();
  const pairs: { merge: Merge; split: Split }[] = [];
  let next = 0;
  for (const one of splits) {
    if (used.has(one.label)) continue;
    const free = (merge: Merge) =>
      !used.has(merge.from) && !used.has(merge.into) && merge.from !== one.label && merge.into !== one.label;
    while (next < merges.length && used.has(merges[next]!.from)) next += 1;
    const merge = merges.slice(next, next + 50).find(free);
    if (merge === undefined || merge.cost >= one.gain) break;
    for (const label of [one.label, merge.from, merge.into]) used.add(label);
    pairs.push({ merge, split: one });
  }
  return pairs;
}

/** Runs two-means inside one cluster, started from the point farthest from its centre and the point farthest from that point. */
function split(
  { centresAt, kernel, points, pointsAt, shape, stride }: Workspace,
  rows: readonly number[],
  label: number,
): Split {
  const address = (row: number) => pointsAt + row * stride;
  const farthest = (from: number) => {
    const far = { row: rows[0]!, squared: -1 };
    for (const row of rows) {
      const squared = kernel.squared(address(row), from, address(row) + stride);
      if (squared > far.squared) Object.assign(far, { row, squared });
    }
    return far.row;
  };
  const width = stride / 4;
  const first = farthest(centresAt + label * stride);
  const second = farthest(address(first));
  const means: Float64Array[] = [first, second].map((row) =>
    Float64Array.from(points.subarray(row * width, row * width + shape.dims)),
  );
  let sides: readonly (readonly number[])[] = [[], []];
  for (let iteration = 0; iteration < splitIterations; iteration++) {
    const [one, two] = [means[0]!, means[1]!];
    const found: [number[], number[]] = [[], []];
    for (const row of rows) found[nearerToSecond(points, row * width, one, two) ? 1 : 0].push(row);
    const same = found[1].length === sides[1]!.length && found[1].every((row, index) => row === sides[1]![index]);
    sides = found;
    if (same || found[0].length === 0 || found[1].length === 0) break;
    means[0] = meanOf(points, found[0], width, shape.dims);
    means[1] = meanOf(points, found[1], width, shape.dims);
  }
  const [kept, left] = [sides[0]!, sides[1]!];
  if (kept.length === 0 || left.length === 0) return { label, rows: [], gain: 0 };
  const apart = means[0]!.reduce((sum, value, column) => sum + (value - means[1]![column]!) ** 2, 0);
  return { label, rows: left, gain: ((kept.length * left.length) / (kept.length + left.length)) * apart };
}

function nearerToSecond(points: Float32Array, from: number, one: Float64Array, two: Float64Array): boolean {
  let difference = 0;
  for (let column = 0; column < one.length; column++) {
    const value = points[from + column]!;
    difference += (value - one[column]!) ** 2 - (value - two[column]!) ** 2;
  }
  return difference > 0;
}

function meanOf(points: Float32Array, rows: readonly number[], width: number, dims: number): Float64Array {
  const mean = new Float64Array(dims);
  for (const row of rows) for (let column = 0; column < dims; column++) mean[column]! += points[row * width + column]!;
  return mean.map((sum) => sum / rows.length);
}
