/**
 * Lower bounds on distances from rounded numbers: points as bytes and candidates as 16-bit integers take a quarter of
 * the memory and of the time. With x = x' + e (rounded part and rest) and a candidate c = c' + f,
 * x.c = x'.c' + x'.f + e.c <= x'.c' + |x'||f| + |e||c|, and the norms of the rests are known. Most candidates are farther
 * from a point than its seed even by this bound; only for the others is the distance computed.
 */
import { dotSome } from "./kernel.ts";
import { place, type Workspace } from "./workspace.ts";

export const largestByte = 127;
/** Sums of products must fit into 32 bits: 127 * 2047 * 32768 / 4 does. */
export const largestShort = 2047;
export const mostDims = 32_768;
/** Keeps rounding in the sums of float64 from raising a bound above the distance. */
const margin = 1 - 1e-9;

/** Rounds all points. */
export function roundPoints({ byteErrors, byteScales, bytes, points, shape, stride }: Workspace): void {
  const width = stride / 4;
  for (let row = 0; row < shape.rows; row++) {
    const { scale, error } = rounded(points, row * width, bytes, row * width, width, largestByte);
    byteScales[row] = scale;
    byteErrors[row] = error;
  }
}

/** Rounds the candidates drawn. */
export function roundCandidates(workspace: Workspace): void {
  const { candidates, control, points, shortErrors, shortScales, shorts, stride } = workspace;
  const width = stride / 4;
  for (let index = 0; index < control[place.tries]!; index++) {
    const from = candidates[index]! * width;
    const { scale, error } = rounded(points, from, shorts, index * width, width, largestShort);
    shortScales[index] = scale;
    shortErrors[index] = error;
  }
}

/** Writes one row as whole numbers of at most `largest`; returns what one of them is worth, and the norm of what is left out. */
export function rounded(
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

/** What bounding a point against several candidates needs, kept by one thread for one round of candidates. */
export type Bounds = {
  readonly columns: readonly number[];
  readonly norms: readonly number[];
  readonly squaredNorms: readonly number[];
};

export function boundsFor({ candidates, control, pointNorms, shortsAt, stride }: Workspace): Bounds {
  const rows = Array.from(candidates.subarray(0, control[place.tries]!));
  return {
    columns: rows.map((_, index) => shortsAt + (index * stride) / 2),
    norms: rows.map((row) => Math.sqrt(pointNorms[row]!)),
    squaredNorms: rows.map((row) => pointNorms[row]!),
  };
}

/** Writes to `out` a lower bound on the squared distance from a point to every candidate. */
export function bound(workspace: Workspace, bounds: Bounds, row: number, out: Float64Array, thread: number): void {
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
  // The rounded part is no longer than the point and what was left out of it together.
  const norm = Math.sqrt(squaredNorm) + error;
  for (let done = 0; done < count;) {
    const some = dotSome(kernel.coarse, address, columns, done, count, address + width, workspace.outAt + thread * 64);
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
