/** A two-dimensional map of vectors: their first two principal components. */
import { randomFrom } from "../../statistics/random.ts";
import { eventLoopYielder } from "../../work/event-loop.ts";
import { checkVectors, type Vectors } from "./vectors.ts";

type YieldIfDue = ReturnType<typeof eventLoopYielder>;

/** Steps of the power iteration, which are enough for a figure; components of nearly equal variance may be rotated. */
const steps = 60;
/** Rows between yields to the event loop. */
const rowsAtOnce = 1024;

/**
 * Returns coordinates on the first two principal components, by power iteration from a fixed start, so that the same vectors
 * give the same map. The sign of each axis makes its largest absolute weight positive. Without variance, coordinates are 0.
 * Yields to the event loop.
 */
export async function mapOf(vectors: Vectors): Promise<readonly { readonly x: number; readonly y: number }[]> {
  checkVectors(vectors);
  const yieldIfDue = eventLoopYielder();
  const centred = await centre(vectors, yieldIfDue);
  const first = await component(centred, vectors, [], yieldIfDue);
  const second = await component(centred, vectors, [first], yieldIfDue);
  return Array.from({ length: vectors.rows }, (_, row) => ({
    x: along(centred, row, first),
    y: along(centred, row, second),
  }));
}

async function centre({ rows, dims, values }: Vectors, yieldIfDue: YieldIfDue): Promise<Float64Array> {
  const mean = new Float64Array(dims);
  for (let row = 0, at = 0; row < rows; row++) {
    if (row % rowsAtOnce === 0) await yieldIfDue();
    for (let column = 0; column < dims; column++) mean[column]! += values[at++]! / rows;
  }
  const centred = new Float64Array(rows * dims);
  for (let row = 0, at = 0; row < rows; row++) {
    if (row % rowsAtOnce === 0) await yieldIfDue();
    for (let column = 0; column < dims; column++, at++) centred[at] = values[at]! - mean[column]!;
  }
  return centred;
}

async function component(
  centred: Float64Array,
  { rows, dims }: Vectors,
  before: readonly Float64Array[],
  yieldIfDue: YieldIfDue,
): Promise<Float64Array> {
  const random = randomFrom("principal component");
  let axis = Float64Array.from({ length: dims }, () => random() - 0.5);
  for (let step = 0; step < steps; step++) {
    const next = new Float64Array(dims);
    for (let row = 0; row < rows; row++) {
      if (row % rowsAtOnce === 0) await yieldIfDue();
      const weight = along(centred, row, axis);
      for (let column = 0; column < dims; column++) next[column]! += weight * centred[row * dims + column]!;
    }
    for (const other of before) {
      const overlap = along(next, 0, other);
      for (let column = 0; column < dims; column++) next[column]! -= overlap * other[column]!;
    }
    const norm = Math.sqrt(along(next, 0, next));
    if (norm < 1e-12) return new Float64Array(dims);
    axis = next.map((value) => value / norm);
  }
  const largest = axis.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? axis.map((value) => -value) : axis;
}

function along(centred: Float64Array, row: number, axis: Float64Array): number {
  let sum = 0;
  for (let column = 0; column < axis.length; column++) sum += centred[row * axis.length + column]! * axis[column]!;
  return sum;
}
