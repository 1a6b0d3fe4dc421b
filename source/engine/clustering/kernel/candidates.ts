/** Compares the candidates for the next seed with seeds and points: one thread's part. */
import { bound, boundsFor, type QuantisedBounds } from "./quantised.ts";
import { dotNext } from "./kernel.ts";
import { blockRows, nextBlock, slot, squaredFrom, type Workspace } from "./workspace.ts";

/** Seeds per piece of work. */
const seedsAtOnce = 32;
/** Keeps rounding errors from skipping a point exactly on the boundary. */
const margin = 1 + 1e-5;

/** The state of one thread for one round of candidates. */
type Round = {
  readonly thread: number;
  readonly tries: number;
  /** Addresses of the candidates' rows. */
  readonly addresses: readonly number[];
  readonly bounds: QuantisedBounds;
  readonly lower: Float64Array;
  /** Candidates that the bounds leave for the current point, and their addresses. */
  readonly wanted: number[];
  readonly columns: number[];
};

/** Processes pieces of work until none remains: candidates against seeds first, then against points. */
export function tryCandidates(workspace: Workspace, thread: number): void {
  const { candidates, control, pointsAt, stride } = workspace;
  const tries = control[slot.tries]!;
  const round: Round = {
    thread,
    tries,
    addresses: Array.from(candidates.subarray(0, tries), (row) => pointsAt + row * stride),
    bounds: boundsFor(workspace),
    lower: new Float64Array(tries),
    wanted: Array.from({ length: tries }, () => 0),
    columns: Array.from({ length: tries }, () => 0),
  };
  const pieces = Math.ceil(control[slot.seeds]! / seedsAtOnce);
  for (let piece; (piece = Atomics.add(control, slot.nextSeed, 1)) < pieces;) {
    compareSeeds(workspace, piece, round);
    if (Atomics.add(control, slot.seedsDone, 1) + 1 === pieces) Atomics.notify(control, slot.seedsDone);
  }
  for (let done; (done = Atomics.load(control, slot.seedsDone)) < pieces;) {
    Atomics.wait(control, slot.seedsDone, done, 1);
  }
  for (let block; (block = nextBlock(workspace, thread)) >= 0;) tryBlock(workspace, block, round);
}

/** Fills `seedBounds` and `leastSeedBounds` for some of the seeds. */
function compareSeeds(workspace: Workspace, piece: number, { bounds, lower, thread, tries }: Round): void {
  const { control, seedBounds, leastSeedBounds, seeds, shape } = workspace;
  const last = Math.min(control[slot.seeds]!, (piece + 1) * seedsAtOnce);
  for (let seed = piece * seedsAtOnce; seed < last; seed++) {
    bound(workspace, bounds, seeds[seed]!, lower, thread);
    let smallest = Infinity;
    for (let index = 0; index < tries; index++) {
      seedBounds[seed * shape.tries + index] = lower[index]!;
      if (lower[index]! < smallest) smallest = lower[index]!;
    }
    leastSeedBounds[seed] = smallest;
  }
}

/** Finds the points of one block that are nearer to a candidate than to their seed. */
function tryBlock(workspace: Workspace, block: number, round: Round): void {
  const { closest, gained, labels, leastSeedBounds, shape } = workspace;
  let at = block * blockRows * shape.tries;
  const last = Math.min(shape.rows, (block + 1) * blockRows);
  for (let row = block * blockRows; row < last; row++) {
    const seed = labels[row]!;
    // Before the first seed, every point is nearer to every candidate.
    if (seed >= 0 && leastSeedBounds[seed]! >= 4 * closest[row]! * margin) continue;
    const count = seed < 0 ? allCandidates(round) : possible(workspace, row, seed, round);
    if (count > 0) at = compare(workspace, row, count, round, at);
  }
  gained[block] = at - block * blockRows * shape.tries;
}

function allCandidates({ addresses, columns, tries, wanted }: Round): number {
  for (let index = 0; index < tries; index++) {
    wanted[index] = index;
    columns[index] = addresses[index]!;
  }
  return tries;
}

/** Lists the candidates that neither the triangle inequality nor the bound from quantised vectors excludes. */
function possible(workspace: Workspace, row: number, seed: number, round: Round): number {
  const { closest, seedBounds, shape } = workspace;
  const { addresses, bounds, columns, lower, thread, tries, wanted } = round;
  bound(workspace, bounds, row, lower, thread);
  const current = closest[row]!;
  const reach = 4 * current * margin;
  let count = 0;
  for (let index = 0; index < tries; index++) {
    if (lower[index]! >= current || seedBounds[seed * shape.tries + index]! >= reach) continue;
    wanted[count] = index;
    columns[count] = addresses[index]!;
    count += 1;
  }
  return count;
}

/** Records which of the first `count` possible candidates are nearer than the point's seed; returns the next free index. */
function compare(workspace: Workspace, row: number, count: number, round: Round, from: number): number {
  const { candidates, closest, gainedRow, gainedSquared, gainedTry, kernel, pointNorms, pointsAt, stride } = workspace;
  const { columns, thread, wanted } = round;
  const address = pointsAt + row * stride;
  let at = from;
  for (let done = 0; done < count;) {
    const some = dotNext(kernel.dots, address, columns, done, count, address + stride, workspace.outAt + thread * 64);
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
