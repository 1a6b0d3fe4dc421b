/** Mean distances from points to the points of every cluster, for the silhouette: one thread's part, on shared memory. */
import { arena } from "./arena.ts";
import { dotNext, kernelOn, padded, sharedMemory, type Kernel, type SharedMemory } from "./kernel.ts";

export type DispersionShape = {
  readonly rows: number;
  readonly dims: number;
  readonly clusters: number;
  /** Number of points whose silhouette is computed. */
  readonly subjects: number;
  /** Subjects per piece of work. */
  readonly atOnce: number;
  /** Cosine: the rows are translated unit vectors; half the squared distance is the cosine distance. */
  readonly metric: "euclidean" | "cosine";
  readonly threads: number;
};

/** Points that stay in the L1 cache while a few subjects are compared with them. */
const pointsAtOnce = 20;

export const dispersionSlot = { next: 0, done: 1 } as const;

export type Dispersion = {
  readonly shape: DispersionShape;
  readonly kernel: Kernel;
  readonly control: Int32Array;
  readonly pointsAt: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly points: Float32Array;
  readonly norms: Float64Array;
  readonly labels: Int32Array;
  readonly sizes: Int32Array;
  /** Row numbers of the subjects, and their silhouettes. */
  readonly subjects: Int32Array;
  readonly values: Float64Array;
  readonly outAt: number;
  readonly out: Float32Array;
};

export function dispersionFor(shape: DispersionShape, memory?: SharedMemory): Dispersion {
  const { clusters, dims, rows, subjects, threads } = shape;
  const width = padded(dims);
  const memoryLayout = arena();
  const at = {
    control: memoryLayout.allocate(2, 4),
    points: memoryLayout.allocate(rows * width, 4),
    norms: memoryLayout.allocate(rows, 8),
    labels: memoryLayout.allocate(rows, 4),
    sizes: memoryLayout.allocate(clusters, 4),
    subjects: memoryLayout.allocate(subjects, 4),
    values: memoryLayout.allocate(subjects, 8),
    out: memoryLayout.allocate(threads * 16, 4),
  };
  const used = memory ?? sharedMemory(memoryLayout.bytes);
  const { buffer } = used;
  return {
    shape,
    kernel: kernelOn(used),
    control: new Int32Array(buffer, at.control, 2),
    pointsAt: at.points,
    stride: width * 4,
    points: new Float32Array(buffer, at.points, rows * width),
    norms: new Float64Array(buffer, at.norms, rows),
    labels: new Int32Array(buffer, at.labels, rows),
    sizes: new Int32Array(buffer, at.sizes, clusters),
    subjects: new Int32Array(buffer, at.subjects, subjects),
    values: new Float64Array(buffer, at.values, subjects),
    outAt: at.out,
    out: new Float32Array(buffer, at.out, threads * 16),
  };
}

/** Computes the silhouettes of the next few subjects; false when none is left. */
export function measureNextSubjects(dispersion: Dispersion, thread: number): boolean {
  const { control, labels, shape, subjects, values } = dispersion;
  const first = Atomics.add(control, dispersionSlot.next, shape.atOnce);
  if (first >= shape.subjects) return false;
  const last = Math.min(shape.subjects, first + shape.atOnce);
  const sums = Array.from({ length: last - first }, () => new Float64Array(shape.clusters));
  for (let from = 0; from < shape.rows; from += pointsAtOnce) {
    const to = Math.min(shape.rows, from + pointsAtOnce);
    const columns = Array.from(
      { length: to - from },
      (_, index) => dispersion.pointsAt + (from + index) * dispersion.stride,
    );
    for (let index = first; index < last; index++)
      addDistances(dispersion, subjects[index]!, from, columns, sums[index - first]!, thread);
  }
  for (let index = first; index < last; index++) {
    values[index] = silhouetteOf(sums[index - first]!, dispersion.sizes, labels[subjects[index]!]!);
  }
  Atomics.add(control, dispersionSlot.done, last - first);
  return true;
}

/** Adds the distances from a subject to some points to the sums of their clusters. */
function addDistances(
  { kernel, labels, norms, out, outAt, pointsAt, shape, stride }: Dispersion,
  subject: number,
  from: number,
  columns: readonly number[],
  sums: Float64Array,
  thread: number,
): void {
  const address = pointsAt + subject * stride;
  const isCosine = shape.metric === "cosine";
  const own = norms[subject]!;
  for (let done = 0; done < columns.length;) {
    const some = dotNext(kernel.dots, address, columns, done, columns.length, address + stride, outAt + thread * 64);
    for (let index = 0; index < some; index++) {
      const other = from + done + index;
      const both = own + norms[other]!;
      let squared = both - 2 * out[thread * 16 + index]!;
      // Close points: the subtraction would cancel.
      if (squared <= both * 0.01) {
        squared = other === subject ? 0 : kernel.squared(address, columns[done + index]!, address + stride);
      }
      sums[labels[other]!]! += isCosine ? squared / 2 : Math.sqrt(squared);
    }
    done += some;
  }
}

/** (b - a) / max(a, b) of a point of cluster `own`, from its sums of distances to all clusters. */
function silhouetteOf(sums: Float64Array, sizes: Int32Array, own: number): number {
  if (sizes[own] === 1) return 0;
  const inside = sums[own]! / (sizes[own]! - 1);
  let outside = Infinity;
  for (let label = 0; label < sums.length; label++) {
    if (label !== own && sizes[label]! > 0) outside = Math.min(outside, sums[label]! / sizes[label]!);
  }
  const larger = Math.max(inside, outside);
  return larger === 0 ? 0 : (outside - inside) / larger;
}
