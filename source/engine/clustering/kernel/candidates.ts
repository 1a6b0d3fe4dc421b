/** Trying the candidates for the next seed: each thread's part of it. */
import { bound, boundsFor, type Bounds } from "./coarse.ts";
import { dotSome } from "./kernel.ts";
import { blockRows, nextBlock, place, squaredFrom, type Workspace } from "./workspace.ts";

/** Seeds compared with the candidates in one piece of work. */
const seedsAtOnce = 32;
/** Keeps rounding from skipping a point that is exactly on the border. */
const margin = 1 + 1e-5;

/** What one thread needs for one round of candidates. */
type Round = {
  readonly thread: number;
  readonly tries: number;
  /** Addresses of the candidates' rows. */
  readonly addresses: readonly number[];
  readonly bounds: Bounds;
  readonly lower: Float64Array;
  /** Candidates still in question for the point at hand, and their addresses. */
  readonly wanted: number[];
  readonly columns: number[];
};

/** Takes pieces of work until none is left: candidates against seeds first, then against points. */
export function tryCandidates(workspace: Workspace, thread: number): void {
  const { candidates, control, pointsAt, stride } = workspace;
  const tries = control[place.tries]!;
  const round: Round = {
    thread,
    tries,
    addresses: Array.from(candidates.subarray(0, tries), (row) => pointsAt + row * stride),
    bounds: boundsFor(workspace),
    lower: new Float64Array(tries),
    wanted: Array.from({ length: tries }, () => 0),
    columns: Array.from({ length: tries }, () => 0),
  };
  const pieces = Math.ceil(control[place.seeds]! / seedsAtOnce);
  for (let piece; (piece = Atomics.add(control, place.nextSeed, 1)) < pieces;) {
    compareSeeds(workspace, piece, round);
    if (Atomics.add(control, place.seedsDone, 1) + 1 === pieces) Atomics.notify(control, place.seedsDone);
  }
  for (let done; (done = Atomics.load(control, place.seedsDone)) < pieces;) {
    Atomics.wait(control, place.seedsDone, done, 1);
  }
  for (let block; (block = nextBlock(workspace, thread)) >= 0;) tryBlock(workspace, block, round);
}

/** Fills `near` and `nearest` for some of the seeds. */
function compareSeeds(workspace: Workspace, piece: number, { bounds, lower, thread, tries }: Round): void {
  const { control, near, nearest, seeds, shape } = workspace;
  const last = Math.min(control[place.seeds]!, (piece + 1) * seedsAtOnce);
  for (let seed = piece * seedsAtOnce; seed < last; seed++) {
    bound(workspace, bounds, seeds[seed]!, lower, thread);
    let smallest = Infinity;
    for (let index = 0; index < tries; index++) {
      near[seed * shape.tries + index] = lower[index]!;
      if (lower[index]! < smallest) smallest = lower[index]!;
    }
    nearest[seed] = smallest;
  }
}

/** Finds the points of one block that a candidate is nearer to than their seed is. */
function tryBlock(workspace: Workspace, block: number, round: Round): void {
  const { closest, gained, labels, nearest, shape } = workspace;
  let at = block * blockRows * shape.tries;
  const last = Math.min(shape.rows, (block + 1) * blockRows);
  for (let row = block * blockRows; row < last; row++) {
    const seed = labels[row]!;
    // Without a seed yet, every candidate gains every point.
    if (seed >= 0 && nearest[seed]! >= 4 * closest[row]! * margin) continue;
    const count = seed < 0 ? all(round) : inQuestion(workspace, row, seed, round);
    if (count > 0) at = compare(workspace, row, count, round, at);
  }
  gained[block] = at - block * blockRows * shape.tries;
}

function all({ addresses, columns, tries, wanted }: Round): number {
  for (let index = 0; index < tries; index++) {
    wanted[index] = index;
    columns[index] = addresses[index]!;
  }
  return tries;
}

/** Lists the candidates that both bounds leave, the triangle inequality's and the one from rounded numbers. */
function inQuestion(workspace: Workspace, row: number, seed: number, round: Round): number {
  const { closest, near, shape } = workspace;
  const { addresses, bounds, columns, lower, thread, tries, wanted } = round;
  bound(workspace, bounds, row, lower, thread);
  const current = closest[row]!;
  const reach = 4 * current * margin;
  let count = 0;
  for (let index = 0; index < tries; index++) {
    if (lower[index]! >= current || near[seed * shape.tries + index]! >= reach) continue;
    wanted[count] = index;
    columns[count] = addresses[index]!;
    count += 1;
  }
  return count;
}

/** Notes which of the first `count` candidates in question are nearer than the point's seed; returns where to note the next. */
function compare(workspace: Workspace, row: number, count: number, round: Round, from: number): number {
  const { candidates, closest, gainedRow, gainedSquared, gainedTry, kernel, pointNorms, pointsAt, stride } = workspace;
  const { columns, thread, wanted } = round;
  const address = pointsAt + row * stride;
  let at = from;
  for (let done = 0; done < count;) {
    const some = dotSome(kernel.dots, address, columns, done, count, address + stride, workspace.outAt + thread * 64);
    for (let index = 0; index < some; index++) {
      const other = wanted[done + index]!;
      const norms = pointNorms[row]! + pointNorms[candidates[other]!]!;
      const dot = workspace.out[thread * 16 + index]!;
      const squared = squaredFrom(workspace, norms, dot, address, columns[done + index]!);
      if (squared >= closest[row]!) continue;
      gainedRow[at] = row;
      gainedTry[at] = other;
      gainedSquared[at] = squared;
      at += 1;
    }
    done += some;
  }
  return at;
}
