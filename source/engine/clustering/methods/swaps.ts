/**
 * Local search by swaps (Lattanzi and Sohler 2019, "A better k-means++ algorithm via local search"): Lloyd's iterations
 * cannot move a centre from a group that has two to one that shares a centre with another group; a swap can. The search
 * lowers the inertia or leaves the result unchanged.
 */
import type { WorkerPool } from "../kernel/job.ts";
import { iterate, type LloydLimits } from "./lloyd.ts";
import { restore, snapshot, type Workspace } from "../kernel/workspace.ts";

/** Consecutive failed swaps after which the search ends. */
const patience = 30;
/** The search continues from a swap that raises the inertia by up to this factor, to escape local optima. */
const slack = 1.05;
/** Maximum number of swaps tried: a limit that searches do not normally reach. */
const mostSwaps = 500;

/**
 * For every point, the squared distances to its own and to the second nearest centre, and the number of the second nearest
 * centre.
 */
type Nearest = { readonly own: Float64Array; readonly next: Float64Array; readonly other: Int32Array };
type Swap = { readonly row: number; readonly removed: number };

/** Improves `labels` and `centres` in place while swaps lower the inertia. Returns Lloyd's iterations after accepted swaps. */
export async function improve(
  workspace: Workspace,
  random: () => number,
  limits: LloydLimits,
  pool: WorkerPool,
  inertiaOf: (workspace: Workspace) => number,
): Promise<number> {
  if (workspace.shape.k < 2) return 0;
  let best = snapshot(workspace, inertiaOf(workspace));
  let current = best;
  let iterations = 0;
  let pending = 0;
  for (let failed = 0, swaps = 0; failed < patience && swaps < mostSwaps && best.inertia > 0; swaps++) {
    const nearest = nearestOf(workspace);
    swap(
      workspace,
      nearest,
      failed % 2 === 0 ? bestSwap(workspace, nearest, random) : anySwap(workspace, nearest, random),
    );
    pending += await iterate(workspace, limits, pool, () => {});
    const now = inertiaOf(workspace);
    if (now > current.inertia * slack) restore(workspace, current);
    else current = snapshot(workspace, now);
    failed += 1;
    if (now >= best.inertia * (1 - 1e-9)) continue;
    best = current;
    iterations += pending;
    pending = failed = 0;
  }
  restore(workspace, best);
  return iterations;
}

function nearestOf({ centresAt, kernel, labels, pointsAt, shape, stride }: Workspace): Nearest {
  const own = new Float64Array(shape.rows);
  const next = new Float64Array(shape.rows).fill(Infinity);
  const other = new Int32Array(shape.rows);
  for (let row = 0; row < shape.rows; row++) {
    const address = pointsAt + row * stride;
    for (let centre = 0; centre < shape.k; centre++) {
      const squared = kernel.squared(address, centresAt + centre * stride, address + stride);
      if (centre === labels[row]) own[row] = squared;
      else if (squared < next[row]!) {
        next[row] = squared;
        other[row] = centre;
      }
    }
  }
  return { own, next, other };
}

/** Draws points as in seeding, finds for each the centre whose removal costs least, and returns the best of these swaps. */
function bestSwap(workspace: Workspace, nearest: Nearest, random: () => number): Swap {
  const potential = nearest.own.reduce((sum, squared) => sum + squared, 0);
  let best: (Swap & { readonly potential: number }) | undefined;
  for (let index = 0; index < workspace.shape.tries; index++) {
    const row = drawn(nearest.own, random() * potential);
    const found = cheapestRemoval(workspace, nearest, row);
    if (best === undefined || found.potential < best.potential) best = found;
  }
  return best!;
}

/**
 * Returns a random swap, which may raise the inertia before Lloyd's iterations: it escapes local optima that the best swaps do
 * not.
 */
function anySwap({ shape }: Workspace, { own }: Nearest, random: () => number): Swap {
  const potential = own.reduce((sum, squared) => sum + squared, 0);
  return { row: drawn(own, random() * potential), removed: Math.floor(random() * shape.k) };
}

function drawn(weights: Float64Array, target: number): number {
  let sum = 0;
  for (let row = 0; row < weights.length; row++) if ((sum += weights[row]!) > target) return row;
  return weights.length - 1;
}

function cheapestRemoval(workspace: Workspace, { own, next }: Nearest, candidate: number) {
  const { kernel, labels, pointsAt, shape, stride } = workspace;
  const removalCost = new Float64Array(shape.k);
  let potential = 0;
  for (let row = 0; row < shape.rows; row++) {
    const address = pointsAt + row * stride;
    const squared = kernel.squared(address, pointsAt + candidate * stride, address + stride);
    const kept = Math.min(own[row]!, squared);
    potential += kept;
    removalCost[labels[row]!]! += Math.min(next[row]!, squared) - kept;
  }
  let removed = 0;
  for (let centre = 1; centre < shape.k; centre++) if (removalCost[centre]! < removalCost[removed]!) removed = centre;
  return { row: candidate, removed, potential: potential + removalCost[removed]! };
}

/** Moves a centre to the point and assigns every point to its nearest centre. */
function swap(workspace: Workspace, { own, next, other }: Nearest, { row: chosen, removed }: Swap): void {
  const { centreNorms, centres, kernel, labels, pointNorms, points, pointsAt, shape, stride } = workspace;
  const width = stride / 4;
  centres.set(points.subarray(chosen * width, (chosen + 1) * width), removed * width);
  centreNorms[removed] = pointNorms[chosen]!;
  for (let row = 0; row < shape.rows; row++) {
    const address = pointsAt + row * stride;
    const squared = kernel.squared(address, pointsAt + chosen * stride, address + stride);
    if (labels[row] === removed) labels[row] = squared < next[row]! ? removed : other[row]!;
    else if (squared < own[row]!) labels[row] = removed;
  }
}
