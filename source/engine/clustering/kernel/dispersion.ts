/**
 * Mean distances from points to the points of every cluster, for the silhouette: one thread's part, on shared memory.
 *
 * Points are in the order of their clusters, in tiles of whole clusters; a cluster too large for one tile has several of its
 * own. Two tiles are compared at once, four points by four. Each distance between points of all pairs is computed once and
 * counts for both. Sums over a whole cluster are used at once; those over a part of one are stored separately, so that they are
 * added in the same order for any number of threads.
 */
import { dotTile, inFours, kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";
import { pairAt, pairCount, arena } from "./kernel.ts";
import { tileSide } from "./wasm-module.ts";

export type DispersionShape = {
  readonly rows: number;
  readonly dims: number;
  /** No cluster is empty. */
  readonly clusters: number;
  /** Number of points whose silhouette is computed: all, or some. */
  readonly subjects: number;
  readonly tiles: number;
  /** Tiles that are parts of a cluster. */
  readonly parts: number;
  /** Cosine: the rows are translated unit vectors; half the squared distance is the cosine distance. */
  readonly metric: "euclidean" | "cosine";
  readonly threads: number;
};

export type Dispersion = {
  readonly shape: DispersionShape;
  readonly kernel: Kernel;
  readonly control: Int32Array;
  /** Number of pairs of tiles. */
  readonly pieces: number;
  readonly pointsAt: number;
  /** Bytes from one point to the next. */
  readonly stride: number;
  readonly points: Float32Array;
  readonly norms: Float64Array;
  /** The cluster of every point, ascending. */
  readonly labels: Int32Array;
  readonly sizes: Int32Array;
  /**
   * The first point of every tile, followed by the number of points; the number of the part for a part of a cluster, otherwise
   * -1.
   */
  readonly tileStarts: Int32Array;
  readonly partOf: Int32Array;
  /** The points whose silhouettes are computed, ascending. */
  readonly subjects: Int32Array;
  /**
   * For every subject: mean distance in its cluster, and, by thread, the least mean distance to another cluster: `thread *
   * subjects + subject`.
   */
  readonly inside: Float64Array;
  readonly outside: Float64Array;
  /** Sums of the distances from subjects to parts of clusters; the sum of a pair is at `part * subjects + subject`. */
  readonly partial: Float64Array;
  readonly outAt: number;
  readonly out: Float32Array;
};

export const dispersionSlot = { next: 0, done: 1 } as const;

/**
 * Returns the number of points in a tile: two tiles fit in the L2 cache, or more points if the sums would otherwise fill the
 * memory.
 */
export const tileSizeFor = (rows: number): number => Math.max(128, Math.ceil(rows / 128));

export function dispersionFor(shape: DispersionShape, memory?: SharedMemory): Dispersion {
  const { clusters, dims, parts, rows, subjects, threads, tiles } = shape;
  const width = padded(dims);
  const memoryLayout = arena();
  const at = {
    control: memoryLayout.allocate(2, 4),
    points: memoryLayout.allocate(rows * width, 4),
    norms: memoryLayout.allocate(rows, 8),
    labels: memoryLayout.allocate(rows, 4),
    sizes: memoryLayout.allocate(clusters, 4),
    tileStarts: memoryLayout.allocate(tiles + 1, 4),
    partOf: memoryLayout.allocate(tiles, 4),
    subjects: memoryLayout.allocate(subjects, 4),
    inside: memoryLayout.allocate(subjects, 8),
    outside: memoryLayout.allocate(threads * subjects, 8),
    partial: memoryLayout.allocate(parts * subjects, 8),
    out: memoryLayout.allocate(threads * 16, 4),
  };
  const used = memory ?? sharedMemory(memoryLayout.bytes);
  const { buffer } = used;
  return {
    shape,
    kernel: kernelOn(used),
    control: new Int32Array(buffer, at.control, 2),
    pieces: subjects === rows ? pairCount(tiles) : subjectTiles(shape) * tiles,
    pointsAt: at.points,
    stride: width * 4,
    points: new Float32Array(buffer, at.points, rows * width),
    norms: new Float64Array(buffer, at.norms, rows),
    labels: new Int32Array(buffer, at.labels, rows),
    sizes: new Int32Array(buffer, at.sizes, clusters),
    tileStarts: new Int32Array(buffer, at.tileStarts, tiles + 1),
    partOf: new Int32Array(buffer, at.partOf, tiles),
    subjects: new Int32Array(buffer, at.subjects, subjects),
    inside: new Float64Array(buffer, at.inside, subjects),
    outside: new Float64Array(buffer, at.outside, threads * subjects),
    partial: new Float64Array(buffer, at.partial, parts * subjects),
    outAt: at.out,
    out: new Float32Array(buffer, at.out, threads * 16),
  };
}

const subjectTiles = ({ rows, subjects }: DispersionShape): number => Math.ceil(subjects / tileSizeFor(rows));

/** Subjects or points in a range (the end excluded), and sums of their distances to each of some clusters. */
type Side = { readonly from: number; readonly to: number; readonly clusters: number; readonly sums: Float64Array };

/** Compares the next two tiles; returns false when none is left. */
export function compareNextTiles(dispersion: Dispersion, thread: number): boolean {
  const { control, labels, pieces, shape, tileStarts } = dispersion;
  const piece = Atomics.add(control, dispersionSlot.next, 1);
  if (piece >= pieces) return false;
  const all = shape.subjects === shape.rows;
  const { down, across } = all ? pairAt(piece) : { down: Math.floor(piece / shape.tiles), across: piece % shape.tiles };
  const size = tileSizeFor(shape.rows);
  const [from, to] = all
    ? [tileStarts[down]!, tileStarts[down + 1]!]
    : [down * size, Math.min(shape.subjects, (down + 1) * size)];
  const [first, last] = [tileStarts[across]!, tileStarts[across + 1]!];
  const side = (begin: number, end: number, clusters: number): Side => {
    return { from: begin, to: end, clusters, sums: new Float64Array((end - begin) * clusters) };
  };
  const clustersFrom = (begin: number, end: number) => labels[end - 1]! - labels[begin]! + 1;
  const subjects = side(from, to, clustersFrom(first, last));
  const points = side(first, last, all && down !== across ? clustersFrom(from, to) : 0);
  compare(dispersion, subjects, points, thread);
  take(dispersion, subjects, across, thread);
  if (points.clusters > 0) take(dispersion, points, down, thread);
  Atomics.add(control, dispersionSlot.done, 1);
  return true;
}

/**
 * Adds the distances between subjects and points to the sums of the subjects and, if the points have sums, to those of the
 * points.
 */
function compare(dispersion: Dispersion, rows: Side, columns: Side, thread: number): void {
  const { kernel, labels, norms, outAt, pointsAt, shape, stride, subjects } = dispersion;
  const at = outAt + thread * 64;
  const out = dispersion.out.subarray(thread * 16, thread * 16 + 16);
  const isCosine = shape.metric === "cosine";
  const address = (point: number) => pointsAt + point * stride;
  const rowAddresses = inFours(Array.from(subjects.subarray(rows.from, rows.to), address));
  const columnAddresses = inFours(
    Array.from({ length: columns.to - columns.from }, (_, index) => address(columns.from + index)),
  );
  const firstColumn = labels[columns.from]!;
  const firstRow = labels[subjects[rows.from]!]!;
  for (let column = 0; column < columns.to - columns.from; column += tileSide) {
    const across = Math.min(tileSide, columns.to - columns.from - column);
    for (let row = 0; row < rows.to - rows.from; row += tileSide) {
      const down = Math.min(tileSide, rows.to - rows.from - row);
      dotTile(kernel.tile, rowAddresses, row, columnAddresses, column, stride, at);
      for (let one = 0; one < down; one++) {
        const subject = subjects[rows.from + row + one]!;
        const rowSums = (row + one) * rows.clusters - firstColumn;
        for (let other = 0; other < across; other++) {
          const point = columns.from + column + other;
          const both = norms[subject]! + norms[point]!;
          let squared = both - 2 * out[one * tileSide + other]!;
          // For close points the subtraction would cancel.
          if (squared <= both * 0.01)
            squared =
              subject === point ? 0 : kernel.squared(address(subject), address(point), address(subject) + stride);
          const distance = isCosine ? squared / 2 : Math.sqrt(squared);
          rows.sums[rowSums + labels[point]!]! += distance;
          if (columns.clusters > 0)
            columns.sums[(column + other) * columns.clusters + labels[subject]! - firstRow]! += distance;
        }
      }
    }
  }
}

/** Keeps the sums of some subjects over the clusters of a tile. */
function take(dispersion: Dispersion, { clusters, from, sums, to }: Side, tile: number, thread: number): void {
  const { labels, partial, partOf, shape, tileStarts } = dispersion;
  const part = partOf[tile]!;
  if (part >= 0) return partial.set(sums, part * shape.subjects + from);
  const first = labels[tileStarts[tile]!]!;
  for (let subject = from, at = 0; subject < to; subject++)
    for (let cluster = first; cluster < first + clusters; cluster++, at++)
      useSum(dispersion, subject, cluster, sums[at]!, thread);
}

/** Turns a sum into a subject's mean distance to all points of a cluster. */
function useSum(dispersion: Dispersion, subject: number, cluster: number, sum: number, thread: number): void {
  const { inside, labels, outside, shape, sizes, subjects } = dispersion;
  const size = sizes[cluster]!;
  if (cluster === labels[subjects[subject]!]) {
    inside[subject] = sum / (size - 1);
    return;
  }
  const at = thread * shape.subjects + subject;
  outside[at] = Math.min(outside[at]!, sum / size);
}

/** Returns (b - a) / max(a, b) of a subject after all tiles were compared; 0 for the only point of a cluster. */
export function silhouetteOf(dispersion: Dispersion, subject: number): number {
  const { inside, labels, outside, partial, partOf, shape, sizes, subjects, tileStarts } = dispersion;
  if (sizes[labels[subjects[subject]!]!] === 1) return 0;
  let sum = 0;
  for (let tile = 0; tile < shape.tiles; tile++) {
    if (partOf[tile]! < 0) continue;
    const cluster = labels[tileStarts[tile]!]!;
    sum += partial[partOf[tile]! * shape.subjects + subject]!;
    if (tile + 1 < shape.tiles && labels[tileStarts[tile + 1]!] === cluster) continue;
    useSum(dispersion, subject, cluster, sum, 0);
    sum = 0;
  }
  let nearest = Infinity;
  for (let thread = 0; thread < shape.threads; thread++)
    nearest = Math.min(nearest, outside[thread * shape.subjects + subject]!);
  const own = inside[subject]!;
  const larger = Math.max(own, nearest);
  return larger === 0 ? 0 : (nearest - own) / larger;
}
