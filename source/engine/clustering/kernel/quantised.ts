/**
 * Lower bounds on distances from quantised vectors: points as bytes and candidates as 16-bit integers take a quarter of
 * the memory and of the time. With x = x' + e (quantised part and remainder) and a candidate c = c' + f,
 * x.c = x'.c' + x'.f + e.c <= x'.c' + |x'||f| + |e||c|, and the norms of the remainders are known. For most candidates
 * this bound already exceeds the distance from the point to its seed; only for the others is the distance computed.
 */
import { dotNext } from "./kernel.ts";
import { slot, type Workspace } from "./workspace.ts";

const largestByte = 127;
/** Sums of products must fit into 32 bits: 127 * 2047 * 32768 / 4 does. */
const largestShort = 2047;
const mostDims = 32_768;
/** Keeps rounding errors of float64 sums from raising a bound above the distance. */
const margin = 1 - 1e-9;

/** Quantises all points. */
export function quantisePoints({ byteErrors, byteScales, bytes, points, shape, stride }: Workspace): void {
  const width = stride / 4;
  for (let row = 0; row < shape.rows; row++) {
    const { scale, error } = quantise(points, row * width, bytes, row * width, width, largestByte);
    byteScales[row] = scale;
    byteErrors[row] = error;
  }
}

/** Quantises the candidates drawn. */
export function quantiseCandidates(workspace: Workspace): void {
  const { candidates, control, points, shortErrors, shortScales, shorts, stride } = workspace;
  const width = stride / 4;
  for (let index = 0; index < control[slot.tries]!; index++) {
    const from = candidates[index]! * width;
    const { scale, error } = quantise(points, from, shorts, index * width, width, largestShort);
    shortScales[index] = scale;
    shortErrors[index] = error;
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

/** The candidates of one round as `bound` needs them; each thread has its own. */
export type QuantisedBounds = {
  readonly columns: readonly number[];
  readonly norms: readonly number[];
  readonly squaredNorms: readonly number[];
};

export function boundsFor({ candidates, control, pointNorms, shortsAt, stride }: Workspace): QuantisedBounds {
  const rows = Array.from(candidates.subarray(0, control[slot.tries]!));
  return {
    columns: rows.map((_, index) => shortsAt + (index * stride) / 2),
    norms: rows.map((row) => Math.sqrt(pointNorms[row]!)),
    squaredNorms: rows.map((row) => pointNorms[row]!),
  };
}

/** Writes to `out` a lower bound on the squared distance from a point to every candidate. */
export function bound(
  workspace: Workspace,
  bounds: QuantisedBounds,
  row: number,
  out: Float64Array,
  thread: number,
): void {
  const { byteErrors, byteScales, bytesAt, kernel, outIntegers, pointNorms, shape, shortErrors, shortScales, stride } =
    workspace;
  const { columns, norms, squaredNorms } = bounds;
  const count = columns.length;
  if (shape.dims > mostDims) {
    out.fill(0);
    return;
  }
  const width = stride / 4;
  const address = bytesAt + row * width;
  const scale = byteScales[row]!;
  const error = byteErrors[row]!;
  const squaredNorm = pointNorms[row]!;
  // Triangle inequality: the quantised part is at most as long as the point plus the remainder.
  const norm = Math.sqrt(squaredNorm) + error;
  for (let done = 0; done < count;) {
    const some = dotNext(
      kernel.quantisedDots,
      address,
      columns,
      done,
      count,
      address + width,
      workspace.outAt + thread * 64,
    );
    for (let index = 0; index < some; index++) {
      const other = done + index;
      const dot = outIntegers[thread * 16 + index]! * scale * shortScales[other]!;
      const slack = norm * shortErrors[other]! + error * norms[other]!;
      const sum = squaredNorm + squaredNorms[other]!;
      out[other] = sum * margin - 2 * (dot + slack);
    }
    done += some;
  }
}
