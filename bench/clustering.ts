/** Speed of clustering, on matrices with planted clusters from a seeded generator. */
import { kMeans } from "../source/engine/clustering/k-means.ts";
import type { Vectors } from "../source/engine/clustering/vectors.ts";
import { randomFrom } from "../source/engine/random.ts";
import type { Measurement } from "./measurement.ts";

type Planted = { readonly rows: number; readonly dims: number; readonly k: number };

/** As many APIs as ToolBench has, and the number of toolkits Tool-Planner makes of them. */
const full: Planted = { rows: 16_464, dims: 768, k: 1800 };
const small: Planted = { rows: 2000, dims: 256, k: 200 };

export async function bench(): Promise<readonly Measurement[]> {
  return [...(await measure(small)), ...(await measure(full))];
}

async function measure({ rows, dims, k }: Planted): Promise<Measurement[]> {
  const vectors = plantedClusters({ rows, dims, k });
  const start = performance.now();
  let seeded = 0;
  const { inertia, iterations } = await kMeans(vectors, {
    k,
    inits: 1,
    progress({ stage }) {
      if (stage === "iterating" && seeded === 0) seeded = performance.now() - start;
    },
  });
  const seconds = (performance.now() - start) / 1000;
  const name = `k-means ${rows} x ${dims}, k ${k}`;
  return [
    { name, value: seconds, unit: "s" },
    { name: `${name}: seeding`, value: seeded / 1000, unit: "s" },
    { name: `${name}: inertia`, value: inertia, unit: "" },
    { name: `${name}: iterations`, value: iterations, unit: "" },
    { name: `${name}: memory of the process`, value: process.memoryUsage.rss() / 2 ** 20, unit: "MB" },
  ];
}

/**
 * Centres with normal coordinates of about unit length, and points around them: squared distances to the own centre are
 * about 0.4, to other centres about 2.
 */
export function plantedClusters({ rows, dims, k }: Planted): Vectors {
  const random = randomFrom("planted clusters");
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Float32Array.from({ length: k * dims }, () => normal() / Math.sqrt(dims));
  const noise = Math.sqrt(0.4 / dims);
  const values = new Float32Array(rows * dims);
  for (let row = 0; row < rows; row++) {
    const cluster = Math.floor(random() * k) * dims;
    for (let column = 0; column < dims; column++)
      values[row * dims + column] = centres[cluster + column]! + noise * normal();
  }
  return { rows, dims, values };
}
