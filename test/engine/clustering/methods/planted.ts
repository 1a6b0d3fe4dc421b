import { randomFrom } from "../../../../source/engine/statistics/random.ts";
import { canonicalLabels } from "../../../../source/engine/clustering/methods/partition.ts";
import type { Vectors } from "../../../../source/engine/clustering/methods/vectors.ts";

/** Points around random centres in [-5, 5), with normal noise of the given deviation, and the clusters they come from. */
export function planted(shape: {
  readonly rows: number;
  readonly dims: number;
  readonly clusters: number;
  readonly noise: number;
}): { readonly vectors: Vectors; readonly labels: readonly number[] } {
  const { rows, dims, clusters, noise } = shape;
  const random = randomFrom("planted");
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Float64Array.from({ length: clusters * dims }, () => random() * 10 - 5);
  const labels = Array.from({ length: rows }, () => Math.floor(random() * clusters));
  const values = new Float32Array(rows * dims);
  labels.forEach((label, row) => {
    for (let column = 0; column < dims; column++) {
      values[row * dims + column] = centres[label * dims + column]! + noise * normal();
    }
  });
  return { vectors: { rows, dims, values }, labels: [...canonicalLabels(labels)] };
}
