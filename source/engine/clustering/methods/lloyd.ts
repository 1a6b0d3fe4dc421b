/**
 * Lloyd's iterations with bounds (Elkan 2003, with one lower bound for a group of centres as in Ding et al. 2015): a group
 * is skipped when its lower bound shows that none of its centres is nearer than the point's own. Bounds only save work;
 * the partition is that of plain Lloyd.
 */
import type { WorkerPool } from "../kernel/job.ts";
import { dotNext } from "../kernel/kernel.ts";
import { blockRows, groupCentres, nextBlock, slot, squaredFrom, type Workspace } from "../kernel/workspace.ts";

/** Keeps rounding errors in the bounds from hiding a nearer centre. */
const margin = 1 + 1e-5;

export type LloydLimits = {
  /** The search has converged if the sum of the squared moves of all centres is at most this. */
  readonly tolerance: number;
  /** Most iterations. */
  readonly most: number;
};

/**
 * Iterates until no point changes its cluster, the centres have converged or the iteration limit is reached. Starts from
 * `centres` and, in `labels`, the nearest centres; both contain the result. Returns the number of iterations.
 */
export async function iterate(
  workspace: Workspace,
  options: LloydLimits,
  pool: WorkerPool,
  progress: (done: number) => void,
): Promise<number> {
  workspace.lower.fill(0);
  workspace.drifts.fill(0);
  for (let iteration = 1; ; iteration++) {
    // The first assignment is given.
    if (iteration > 1) {
      const changed = await assign(workspace, pool, iteration === 2);
      if (changed === 0) return iteration;
    }
    const moved = moveCentres(workspace);
    progress(iteration);
    if (moved <= options.tolerance || iteration >= options.most) {
      await assign(workspace, pool, iteration === 1);
      return iteration;
    }
  }
}

/**
 * Assigns every point to its nearest centre; returns how many points changed. In the first pass there are no lower bounds yet, so
 * the distances between all centres prune instead. Later these distances would cost more than they save.
 */
async function assign(workspace: Workspace, pool: WorkerPool, first: boolean): Promise<number> {
  const prune = first && workspace.centreDistances.length > 0;
  if (prune) await pool.run("compareCentres");
  workspace.control[slot.prune] = prune ? 1 : 0;
  await pool.run("assignPoints");
  return workspace.changed.reduce((sum, changed) => sum + changed, 0);
}

/** Sets the centres to the seeds. */
export function centresFromSeeds({ centreNorms, centres, pointNorms, points, seeds, shape, stride }: Workspace): void {
  const width = stride / 4;
  for (let label = 0; label < shape.k; label++) {
    const row = seeds[label]!;
    centres.set(points.subarray(row * width, (row + 1) * width), label * width);
    centreNorms[label] = pointNorms[row]!;
  }
}

/** Moves every centre to the mean of its points. Returns the sum of squared moves and records the drift of each group. */
function moveCentres(workspace: Workspace): number {
  const { centreNorms, centres, drifts, labels, points, shape, stride } = workspace;
  const width = stride / 4;
  const sums = new Float64Array(shape.k * width);
  const counts = new Int32Array(shape.k);
  for (let row = 0; row < shape.rows; row++) {
    const label = labels[row]!;
    counts[label]! += 1;
    for (let to = label * width, at = row * width, end = at + shape.dims; at < end;) sums[to++]! += points[at++]!;
  }
  fillEmpty(workspace, sums, counts);
  drifts.fill(0);
  let moved = 0;
  for (let label = 0; label < shape.k; label++) {
    const count = counts[label]!;
    let squares = 0;
    let norm = 0;
    for (let at = label * width, end = at + shape.dims; at < end; at++) {
      const value = count === 0 ? centres[at]! : Math.fround(sums[at]! / count);
      squares += (value - centres[at]!) ** 2;
      norm += value * value;
      centres[at] = value;
    }
    centreNorms[label] = norm;
    moved += squares;
    const group = Math.floor(label / groupCentres);
    drifts[group] = Math.max(drifts[group]!, Math.sqrt(squares));
  }
  return moved;
}

/**
 * Fills empty clusters by scikit-learn's rule: the first gets the point farthest from its centre, the next one the next farthest
 * point.
 */
function fillEmpty(workspace: Workspace, sums: Float64Array, counts: Int32Array): void {
  const empty = [...counts.keys()].filter((label) => counts[label] === 0);
  if (empty.length === 0) return;
  const { centresAt, kernel, labels, points, pointsAt, shape, stride } = workspace;
  const width = stride / 4;
  const squared = Float64Array.from({ length: shape.rows }, (_, row) =>
    kernel.squared(pointsAt + row * stride, centresAt + labels[row]! * stride, pointsAt + (row + 1) * stride),
  );
  const farthest = [...squared.keys()].sort((a, b) => squared[b]! - squared[a]! || a - b);
  empty.forEach((label, index) => {
    const row = farthest[index]!;
    const from = labels[row]!;
    // Moving a point on its centre gains nothing, and the last point of a cluster must stay.
    if (squared[row] === 0 || counts[from]! < 2) return;
    for (let column = 0; column < shape.dims; column++) {
      const value = points[row * width + column]!;
      sums[from * width + column]! -= value;
      sums[label * width + column] = value;
    }
    counts[from]! -= 1;
    counts[label] = 1;
  });
}

/** One thread's part of the table of distances between centres. */
export function* compareCentres(workspace: Workspace, thread: number): Generator<void, void> {
  const { centreDistances, centreNorms, centresAt, control, kernel, shape, stride } = workspace;
  const columns = Array.from({ length: shape.k }, (_, centre) => centresAt + centre * stride);
  const out = workspace.outAt + thread * 64;
  for (let label; (label = Atomics.add(control, slot.nextSeed, 1)) < shape.k;) {
    const address = columns[label]!;
    for (let done = 0; done < label;) {
      const some = dotNext(kernel.dots, address, columns, done, label, address + stride, out);
      for (let index = 0; index < some; index++) {
        const other = done + index;
        const norms = centreNorms[label]! + centreNorms[other]!;
        const dot = workspace.out[thread * 16 + index]!;
        const distance = Math.sqrt(squaredFrom(workspace, norms, dot, address, columns[other]!));
        centreDistances[label * shape.k + other] = centreDistances[other * shape.k + label] = distance;
      }
      done += some;
    }
    yield;
  }
}

/** Does one thread's part of the assignment: assigns blocks of points until no block is left. */
export function* assignPoints(workspace: Workspace, thread: number): Generator<void, void> {
  const scratch = {
    own: new Float64Array(blockRows),
    best: new Float64Array(blockRows),
    label: new Int32Array(blockRows),
    /** Lower bound for the group of the best centre, without that centre. */
    rest: new Float64Array(blockRows),
    pending: new Int32Array(groupCentres),
    squared: new Float64Array(groupCentres),
    columns: new Float64Array(groupCentres),
  };
  for (let block; (block = nextBlock(workspace, thread)) >= 0;) {
    assignBlock(workspace, block, thread, scratch);
    yield;
  }
}

type Scratch = {
  readonly own: Float64Array;
  readonly best: Float64Array;
  readonly label: Int32Array;
  readonly rest: Float64Array;
  readonly pending: Int32Array;
  readonly squared: Float64Array;
  /** Addresses of the pending centres. */
  readonly columns: Float64Array;
};

/** Visits the groups in order, so that their centres stay in the cache for all points of the block. */
function assignBlock(workspace: Workspace, block: number, thread: number, scratch: Scratch): void {
  const { centresAt, drifts, groups, kernel, labels, lower, pointsAt, shape, stride } = workspace;
  const { best, label, own } = scratch;
  const first = block * blockRows;
  const count = Math.min(shape.rows - first, blockRows);
  for (let index = 0; index < count; index++) {
    const row = first + index;
    const address = pointsAt + row * stride;
    label[index] = labels[row]!;
    own[index] = Math.sqrt(kernel.squared(address, centresAt + labels[row]! * stride, address + stride));
    best[index] = own[index]!;
  }
  for (let group = 0; group < groups; group++) {
    const drift = drifts[group]! * margin;
    for (let index = 0; index < count; index++) {
      const at = (first + index) * groups + group;
      const bound = lower[at]! - drift;
      if (bound >= best[index]! * margin) lower[at] = bound;
      else lower[at] = examine(workspace, first + index, group, index, thread, scratch);
    }
  }
  let changed = 0;
  for (let index = 0; index < count; index++) {
    const row = first + index;
    const from = labels[row]!;
    const to = label[index]!;
    if (from === to) continue;
    changed += 1;
    labels[row] = to;
    const left = row * groups + Math.floor(from / groupCentres);
    const joined = row * groups + Math.floor(to / groupCentres);
    lower[joined] = scratch.rest[index]!;
    lower[left] = Math.min(lower[left]!, own[index]!);
  }
  workspace.changed[block] = changed;
}

/** Compares a point with the centres of one group; returns the group's new lower bound. */
function examine(workspace: Workspace, row: number, group: number, index: number, thread: number, scratch: Scratch) {
  const { best, label, own, pending, rest, squared } = scratch;
  const { centreDistances, control, labels, shape } = workspace;
  const prune = control[slot.prune] === 1;
  const from = labels[row]!;
  const mine = own[index]!;
  let bound = Infinity;
  let waiting = 0;
  const last = Math.min(shape.k, (group + 1) * groupCentres);
  for (let centre = group * groupCentres; centre < last; centre++) {
    if (centre === from) continue;
    const apart = prune ? centreDistances[from * shape.k + centre]! : 0;
    if (apart >= 2 * mine * margin) bound = Math.min(bound, apart - mine);
    else pending[waiting++] = centre;
  }
  measure(workspace, row, waiting, thread, scratch);
  for (let at = 0; at < waiting; at++) {
    const distance = Math.sqrt(squared[at]!);
    if (distance < best[index]!) {
      // The best centre so far is in this group or already included in the bound of its own group.
      if (Math.floor(label[index]! / groupCentres) === group && label[index] !== from)
        bound = Math.min(bound, best[index]!);
      best[index] = distance;
      label[index] = pending[at]!;
    } else bound = Math.min(bound, distance);
  }
  const ownGroup = Math.floor(label[index]! / groupCentres) === group && label[index] !== from;
  if (!ownGroup) return bound;
  rest[index] = bound;
  return Math.min(bound, best[index]!);
}

/** Squared distances from a point to the first `count` centres in `pending`. */
function measure(
  workspace: Workspace,
  row: number,
  count: number,
  thread: number,
  { columns, pending, squared }: Scratch,
): void {
  const { centreNorms, centresAt, kernel, pointNorms, pointsAt, stride } = workspace;
  const address = pointsAt + row * stride;
  const out = workspace.outAt + thread * 64;
  for (let index = 0; index < count; index++) columns[index] = centresAt + pending[index]! * stride;
  for (let done = 0; done < count;) {
    const width = dotNext(kernel.dots, address, columns, done, count, address + stride, out);
    for (let index = 0; index < width; index++) {
      const norms = pointNorms[row]! + centreNorms[pending[done + index]!]!;
      const dot = workspace.out[thread * 16 + index]!;
      squared[done + index] = squaredFrom(workspace, norms, dot, address, columns[done + index]!);
    }
    done += width;
  }
}
