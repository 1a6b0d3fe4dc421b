/** A two-dimensional map of vectors: their first two principal components. */
import { randomFrom } from "../random.ts";
import { checkVectors, type Vectors } from "./vectors.ts";

/** Turns of the power iteration: enough for a picture; nearly equal components may come out rotated. */
const turns = 60;

/**
 * Coordinates on the first two principal components, by power iteration from a fixed start, so that the same vectors give
 * the same map. The sign of each axis is such that its largest absolute weight is positive. Columns without variance
 * give zeros.
 */
export function mapOf(vectors: Vectors): readonly { readonly x: number; readonly y: number }[] {
  checkVectors(vectors);
  const centred = centre(vectors);
  const first = component(centred, vectors, []);
  const second = component(centred, vectors, [first]);
  return Array.from({ length: vectors.rows }, (_, row) => ({
    x: along(centred, row, first),
    y: along(centred, row, second),
  }));
}

function centre({ rows, dims, values }: Vectors): Float64Array {
  const mean = new Float64Array(dims);
  for (let at = 0; at < values.length; at++) mean[at % dims]! += values[at]! / rows;
  return Float64Array.from(values, (value, at) => value - mean[at % dims]!);
}

function component(centred: Float64Array, { rows, dims }: Vectors, before: readonly Float64Array[]): Float64Array {
  const random = randomFrom("principal component");
  let axis = Float64Array.from({ length: dims }, () => random() - 0.5);
  for (let step = 0; step < turns; step++) {
    const next = new Float64Array(dims);
    for (let row = 0; row < rows; row++) {
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
