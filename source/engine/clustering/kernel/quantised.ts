/**
 * Lower bounds on distances from quantised vectors: bytes take a quarter of the memory of floats and, sixteen at a time, a
 * fraction of the time. With x = x' + e (quantised part and remainder) and a candidate c = c' + f, x.c = x'.c' + x'.f + e.c <=
 * x'.c' + |x'||f| + |e||c|, and the norms of the remainders are known. For most candidates this bound already exceeds the
 * distance from the point to its seed; the distance is computed only for the others.
 *
 * The integers have seven bits. Those of candidates are raised by `raise` so that none is below zero (wasm-module.ts explains
 * why); the resulting increase of a dot product is the same for all candidates of a point.
 */
import { bytesPerStep, mostByteColumns } from "./wasm-module.ts";
import { slot, type Workspace } from "./workspace.ts";

const largest = 63;
const raise = 64;
/** Sums of products must fit into 32 bits: 63 * 127 * 32768 does. */
const mostDims = 32_768;
/** Keeps rounding errors of float64 sums from raising a bound above the distance. */
const margin = 1 - 1e-9;

/** Quantises all points. */
export function quantisePoints(workspace: Workspace): void {
  const { byteErrors, byteScales, byteStride, bytes, points, raised, shape, stride } = workspace;
  const width = stride / 4;
  for (let row = 0; row < shape.rows; row++) {
    const to = row * byteStride;
    const { scale, error } = quantise(points, row * width, bytes, to, width, largest);
    byteScales[row] = scale;
    byteErrors[row] = error;
    let sum = 0;
    for (let at = to; at < to + width; at++) sum += bytes[at]!;
    raised[row] = raise * sum;
  }
}

/** Places the bytes of the drawn candidates together, raised. */
export function gatherCandidates(workspace: Workspace): void {
  const { byteStride, bytes, candidateBytes, candidates, control } = workspace;
  const count = control[slot.tries]!;
  for (let first = 0; first < count; first += mostByteColumns) {
    const together = Math.min(count - first, mostByteColumns);
    for (let column = 0; column < together; column++) {
      let from = candidates[first + column]! * byteStride;
      for (let step = 0; step < byteStride; step += bytesPerStep) {
        const to = first * byteStride + step * together + column * bytesPerStep;
        for (let at = to; at < to + bytesPerStep; at++) candidateBytes[at] = bytes[from++]! + raise;
      }
    }
  }
}

/** Writes one row as integers of at most `largest`; returns the scale and the norm of the quantisation error. */
export function quantise(
  values: Float32Array,
  from: number,
  into: Int8Array | Int16Array,
  to: number,
  width: number,
  largest: number,
): { scale: number; error: number } {
  let most = 0;
  for (let at = from; at < from + width; at++) most = Math.max(most, Math.abs(values[at]!));
  const scale = most / largest;
  let squares = 0;
  for (let column = 0; column < width; column++) {
    const value = values[from + column]!;
    const whole = scale === 0 ? 0 : Math.round(value / scale);
    into[to + column] = whole;
    squares += (value - whole * scale) ** 2;
  }
  return { scale, error: Math.sqrt(squares) };
}

/** The data of each candidate that `bound` needs in a round; every thread has separate data. */
export type QuantisedBounds = {
  readonly count: number;
  readonly scales: Float64Array;
  readonly errors: Float64Array;
  readonly norms: Float64Array;
  readonly squaredNorms: Float64Array;
};

export function boundsFor({ byteErrors, byteScales, candidates, control, pointNorms }: Workspace): QuantisedBounds {
  const count = control[slot.tries]!;
  const of = (values: Float64Array) => Float64Array.from({ length: count }, (_, index) => values[candidates[index]!]!);
  const squaredNorms = of(pointNorms);
  return { count, scales: of(byteScales), errors: of(byteErrors), norms: squaredNorms.map(Math.sqrt), squaredNorms };
}

/** Writes to `out` a lower bound on the squared distance from a point to every candidate. */
export function bound(
  workspace: Workspace,
  { count, errors, norms, scales, squaredNorms }: QuantisedBounds,
  row: number,
  out: Float64Array,
  thread: number,
): void {
  const { byteErrors, byteScales, byteStride, bytesAt, candidateBytesAt, kernel, outIntegers, pointNorms } = workspace;
  if (workspace.shape.dims > mostDims) {
    out.fill(0);
    return;
  }
  const address = bytesAt + row * byteStride;
  const scale = byteScales[row]!;
  const error = byteErrors[row]!;
  const squaredNorm = pointNorms[row]!;
  const raised = workspace.raised[row]!;
  // Triangle inequality: the quantised part is at most as long as the point plus the remainder.
  const norm = Math.sqrt(squaredNorm) + error;
  for (let first = 0; first < count; first += mostByteColumns) {
    const together = Math.min(count - first, mostByteColumns);
    const columns = candidateBytesAt + first * byteStride;
    kernel.byteDots[together - 1]!(address, columns, address + byteStride, workspace.outAt + thread * 64);
    for (let index = 0; index < together; index++) {
      const other = first + index;
      const dot = (outIntegers[thread * 16 + index]! - raised) * scale * scales[other]!;
      const slack = norm * errors[other]! + error * norms[other]!;
      out[other] = (squaredNorm + squaredNorms[other]!) * margin - 2 * (dot + slack);
    }
  }
}
