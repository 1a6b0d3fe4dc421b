/**
 * Greedy k-means++ seeding (Arthur and Vassilvitskii 2007, with scikit-learn's greedy choice): for every centre
 * 2 + floor(ln k) points are drawn with probability proportional to their squared distance to the nearest seed, and the
 * one that lowers the sum of these distances most is kept. By the triangle inequality, a point need not be compared with a
 * candidate at least twice as far from the point's seed as the point is; quantised vectors (quantised.ts) exclude most of
 * the others. Pruning never changes a result.
 */
import { randomFrom, seedOf } from "../../statistics/random.ts";
import { tryCandidates } from "../kernel/candidates.ts";
import type { WorkerPool } from "../kernel/job.ts";
import { gatherCandidates } from "../kernel/quantised.ts";
import { blockRows, resetCounters, slot, type Workspace } from "../kernel/workspace.ts";

/** Candidates per centre: 2 + floor(ln k). */
export const triesFor = (k: number): number => 2 + Math.floor(Math.log(k));

/**
 * Chooses the seeds: afterwards `seeds` contains their rows, `labels` every point's nearest seed and `closest` its distance.
 */
export async function seedCentres(
  workspace: Workspace,
  seed: number | string,
  pool: WorkerPool,
  progress: (done: number) => void,
): Promise<void> {
  const { control } = workspace;
  control[slot.random] = typeof seed === "string" ? seedOf(seed) : seed;
  control[slot.round] = beforeRounds;
  await pool.run("seedTogether", progress);
}

/**
 * Runs one thread's part: the first thread draws candidates and chooses one of them, and all threads compare the candidates with
 * seeds and points, one round per seed. Threads synchronise in shared memory, because a message takes as long as a round; they do
 * not wait for a thread whose core is busy.
 */
export function* seedTogether(
  workspace: Workspace,
  thread: number,
  progress: (done: number) => void,
): Generator<void, void> {
  const { candidates, closest, control, labels, seeds, shape } = workspace;
  if (thread > 0) return takePart(control, () => tryCandidates(workspace, thread));
  const random = randomFrom(control[slot.random]!);
  closest.fill(Infinity);
  labels.fill(-1);
  control[slot.seeds] = 0;
  candidates[0] = Math.min(shape.rows - 1, Math.floor(random() * shape.rows));
  control[slot.tries] = 1;
  let potential = 0;
  for (let count = 0; count < shape.k; count++) {
    if (count > 0) draw(workspace, random, potential);
    gatherCandidates(workspace);
    resetCounters(workspace);
    openRound(control, count);
    tryCandidates(workspace, 0);
    closeRound(control);
    const best = count === 0 ? 0 : bestCandidate(workspace);
    seeds[count] = candidates[best]!;
    accept(workspace, best, count);
    control[slot.seeds] = count + 1;
    potential = 0;
    for (let row = 0; row < shape.rows; row++) potential += closest[row]!;
    if (count % 16 === 0) progress(count);
    yield;
  }
  endRounds(control);
}

/** Draws the next candidates. When every point coincides with a seed, they are drawn uniformly. */
function draw({ candidates, closest, control, shape }: Workspace, random: () => number, potential: number): void {
  control[slot.tries] = shape.tries;
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

/**
 * Returns the candidate that lowers the sum most, the first candidate in a tie. Blocks are summed in order, whichever thread
 * computed them.
 */
function bestCandidate({ blocks, closest, gained, gainedRow, gainedSquared, gainedTry, shape }: Workspace): number {
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

/**
 * The lowest bits count the threads in the round, the next bit states whether the round is closed, and the rest is the round's
 * number.
 */
const inside = 0xff;
const closed = 0x100;
const numberBits = 9;
const ended = -1;

/** Set before threads enter. */
const beforeRounds = closed;

/** Lets other threads in after `count` rounds. */
function openRound(control: Int32Array, count: number): void {
  Atomics.store(control, slot.round, (count + 1) << numberBits);
  Atomics.notify(control, slot.round);
}

/** Admits no further threads to the round, and waits until all threads have left it. */
function closeRound(control: Int32Array): void {
  let now = Atomics.or(control, slot.round, closed) | closed;
  while ((now & inside) > 0) {
    Atomics.wait(control, slot.round, now);
    now = Atomics.load(control, slot.round);
  }
}

function endRounds(control: Int32Array): void {
  Atomics.store(control, slot.round, ended);
  Atomics.notify(control, slot.round);
}

/** Takes part in every round that this thread reaches in time, until the rounds have ended. */
function takePart(control: Int32Array, part: () => void): void {
  let last = beforeRounds >> numberBits;
  for (let now; (now = Atomics.load(control, slot.round)) !== ended;) {
    if ((now & closed) > 0 || now >> numberBits === last) {
      Atomics.wait(control, slot.round, now);
      continue;
    }
    if (Atomics.compareExchange(control, slot.round, now, now + 1) !== now) continue;
    part();
    last = now >> numberBits;
    Atomics.sub(control, slot.round, 1);
    Atomics.notify(control, slot.round);
  }
}
