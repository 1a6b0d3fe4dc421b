/**
 * Greedy k-means++ seeding (Arthur and Vassilvitskii 2007, with the greedy choice scikit-learn makes): for every centre
 * 2 + floor(ln k) points are drawn with chances proportional to their squared distance to the nearest seed, and the one
 * that lowers the sum of these the most is kept. The triangle inequality skips points a candidate cannot be nearer to:
 * with the candidate at least twice as far from a point's seed as the point is, nothing can be gained. Skipping never
 * changes a result.
 */
import type { Crew } from "./crew.ts";
import { blockRows, place, squaredFrom, type Workspace } from "./workspace.ts";

/** Seeds compared with the candidates in one piece of work. */
const seedsAtOnce = 32;
/** Keeps rounding from skipping a point that is exactly on the border. */
const margin = 1 + 1e-5;

/** Candidates per centre: 2 + floor(ln k). */
export function triesFor(k: number): number {
  return 2 + Math.floor(Math.log(k));
}

/** Chooses the seeds: afterwards `seeds` holds their rows, `labels` and `closest` every point's nearest seed. */
export async function seedCentres(
  workspace: Workspace,
  random: () => number,
  crew: Crew,
  progress: (done: number) => void,
): Promise<void> {
  const { control, candidates, closest, labels, seeds, shape } = workspace;
  closest.fill(Infinity);
  labels.fill(-1);
  control[place.seeds] = 0;
  candidates[0] = Math.min(shape.rows - 1, Math.floor(random() * shape.rows));
  control[place.tries] = 1;
  let potential = 0;
  for (let count = 0; count < shape.k; count++) {
    if (count > 0) draw(workspace, random, potential);
    await crew.run("try");
    const best = count === 0 ? 0 : mostGained(workspace);
    seeds[count] = candidates[best]!;
    accept(workspace, best, count);
    control[place.seeds] = count + 1;
    potential = 0;
    for (let row = 0; row < shape.rows; row++) potential += closest[row]!;
    if (count % 16 === 0) progress(count);
  }
}

/** Draws the next candidates. When every point lies on a seed, they are drawn from all points alike. */
function draw({ candidates, closest, control, shape }: Workspace, random: () => number, potential: number): void {
  control[place.tries] = shape.tries;
  const targets = Array.from({ length: shape.tries }, (_, index) => ({ index, target: random() * potential }));
  if (potential === 0) {
    for (const { index } of targets) candidates[index] = Math.floor(random() * shape.rows);
    return;
  }
  targets.sort((a, b) => a.target - b.target);
  let sum = 0;
  let row = 0;
  for (const { index, target } of targets) {
    while (row < shape.rows - 1 && sum + closest[row]! <= target) sum += closest[row++]!;
    candidates[index] = row;
  }
}

/** The candidate that lowers the sum most, the first of equals. Blocks are added in order, whoever computed them. */
function mostGained({ blocks, closest, gained, gainedRow, gainedSquared, gainedTry, shape }: Workspace): number {
  const gains = new Float64Array(shape.tries);
  for (let block = 0; block < blocks; block++) {
    const start = block * blockRows * shape.tries;
    for (let at = start; at < start + gained[block]!; at++) {
      gains[gainedTry[at]!]! += closest[gainedRow[at]!]! - gainedSquared[at]!;
    }
  }
  let best = 0;
  for (let index = 1; index < gains.length; index++) if (gains[index]! > gains[best]!) best = index;
  return best;
}

function accept(workspace: Workspace, best: number, label: number): void {
  const { blocks, closest, gained, gainedRow, gainedSquared, gainedTry, labels, shape } = workspace;
  for (let block = 0; block < blocks; block++) {
    const start = block * blockRows * shape.tries;
    for (let at = start; at < start + gained[block]!; at++) {
      if (gainedTry[at] !== best) continue;
      closest[gainedRow[at]!] = gainedSquared[at]!;
      labels[gainedRow[at]!] = label;
    }
  }
}

/** One thread's part of trying the candidates: takes pieces of work until none is left. */
export function tryCandidates(workspace: Workspace, thread: number): void {
  const { blocks, control } = workspace;
  const pieces = Math.ceil(control[place.seeds]! / seedsAtOnce);
  for (let piece; (piece = Atomics.add(control, place.nextSeed, 1)) < pieces;) {
    compareSeeds(workspace, piece, thread);
    if (Atomics.add(control, place.seedsDone, 1) + 1 === pieces) Atomics.notify(control, place.seedsDone);
  }
  for (let done; (done = Atomics.load(control, place.seedsDone)) < pieces;) {
    Atomics.wait(control, place.seedsDone, done, 1);
  }
  for (let block; (block = Atomics.add(control, place.nextBlock, 1)) < blocks;) tryBlock(workspace, block, thread);
}

/** Fills `near` and `nearest` for some of the seeds. */
function compareSeeds(workspace: Workspace, piece: number, thread: number): void {
  const { candidates, control, near, nearest, pointsAt, seeds, shape, stride } = workspace;
  const tries = control[place.tries]!;
  const addresses = Array.from(candidates.subarray(0, tries), (row) => pointsAt + row * stride);
  const wanted = addresses.map((_, index) => index);
  const out = new Float64Array(tries);
  const last = Math.min(control[place.seeds]!, (piece + 1) * seedsAtOnce);
  for (let seed = piece * seedsAtOnce; seed < last; seed++) {
    compare(workspace, seeds[seed]!, wanted, tries, addresses, out, thread);
    let smallest = Infinity;
    for (let index = 0; index < tries; index++) {
      near[seed * shape.tries + index] = out[index]!;
      if (out[index]! < smallest) smallest = out[index]!;
    }
    nearest[seed] = smallest;
  }
}

/** Finds the points of one block that a candidate is nearer to than their seed is. */
function tryBlock(workspace: Workspace, block: number, thread: number): void {
  const { candidates, closest, control, gained, gainedRow, gainedSquared, gainedTry, labels, near, nearest } =
    workspace;
  const { pointsAt, shape, stride } = workspace;
  const tries = control[place.tries]!;
  const addresses = Array.from(candidates.subarray(0, tries), (row) => pointsAt + row * stride);
  const wanted = Array.from({ length: tries }, () => 0);
  const out = new Float64Array(tries);
  let at = block * blockRows * shape.tries;
  const last = Math.min(shape.rows, (block + 1) * blockRows);
  for (let row = block * blockRows; row < last; row++) {
    const current = closest[row]!;
    const seed = labels[row]!;
    const reach = 4 * current * margin;
    if (seed >= 0 && nearest[seed]! >= reach) continue;
    let count = 0;
    for (let index = 0; index < tries; index++) {
      if (seed < 0 || near[seed * shape.tries + index]! < reach) wanted[count++] = index;
    }
    if (count === 0) continue;
    compare(workspace, row, wanted, count, addresses, out, thread);
    for (let index = 0; index < count; index++) {
      const squared = out[index]!;
      if (squared >= current) continue;
      gainedRow[at] = row;
      gainedTry[at] = wanted[index]!;
      gainedSquared[at] = squared;
      at += 1;
    }
  }
  gained[block] = at - block * blockRows * shape.tries;
}

/** Squared distances from a point to the first `count` candidates in `wanted`, in that order. */
function compare(
  workspace: Workspace,
  row: number,
  wanted: readonly number[],
  count: number,
  addresses: readonly number[],
  out: Float64Array,
  thread: number,
): void {
  const { candidates, kernel, pointNorms, pointsAt, stride } = workspace;
  const { dots } = kernel;
  const address = pointsAt + row * stride;
  const end = address + stride;
  const into = workspace.outAt + thread * 64;
  for (let done = 0; done < count;) {
    const a = addresses[wanted[done]!]!;
    const b = addresses[wanted[done + 1]!]!;
    const c = addresses[wanted[done + 2]!]!;
    const d = addresses[wanted[done + 3]!]!;
    const e = addresses[wanted[done + 4]!]!;
    const width = Math.min(5, count - done);
    if (width === 5) dots[4]!(address, a, b, c, d, e, end, into);
    else if (width === 4) dots[3]!(address, a, b, c, d, end, into);
    else if (width === 3) dots[2]!(address, a, b, c, end, into);
    else if (width === 2) dots[1]!(address, a, b, end, into);
    else dots[0]!(address, a, end, into);
    for (let index = 0; index < width; index++) {
      const other = wanted[done + index]!;
      const norms = pointNorms[row]! + pointNorms[candidates[other]!]!;
      out[done + index] = squaredFrom(
        workspace,
        norms,
        workspace.out[thread * 16 + index]!,
        address,
        addresses[other]!,
      );
    }
    done += width;
  }
}
