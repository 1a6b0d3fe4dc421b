/** Speed of clustering, on matrices with planted clusters from a seeded generator. */
import { dbscan } from "../source/engine/clustering/methods/dbscan.ts";
import { kMeans } from "../source/engine/clustering/methods/k-means.ts";
import { silhouette } from "../source/engine/clustering/methods/silhouette.ts";
import type { Vectors } from "../source/engine/clustering/methods/vectors.ts";
import { randomFrom } from "../source/engine/statistics/random.ts";
import type { Measurement } from "./measurement.ts";

type Planted = { readonly rows: number; readonly dims: number; readonly k: number };

/** As many APIs as ToolBench has, and the number of toolkits Tool-Planner makes of them. */
const full: Planted = { rows: 16_464, dims: 768, k: 1800 };
const small: Planted = { rows: 2000, dims: 256, k: 200 };

export async function bench(): Promise<readonly Measurement[]> {
  const measured: Measurement[] = [];
  for (const size of [small, full]) {
    const vectors = plantedClusters(size);
    // As scikit-learn does it first, for comparison with it; then what Planwright does by default.
    measured.push(...(await measure(vectors, size.k, true)), ...(await measure(vectors, size.k, false)));
    measured.push(...(await measureDbscan(vectors)));
  }
  return measured;
}

async function measure(vectors: Vectors, k: number, plain: boolean): Promise<Measurement[]> {
  const start = performance.now();
  let seeded = 0;
  const { inertia, iterations, labels, refinementIterations } = await kMeans(vectors, {
    k,
    inits: 1,
    plain,
    progress({ phase }) {
      if (phase === "iterating" && seeded === 0) seeded = performance.now() - start;
    },
  });
  const seconds = (performance.now() - start) / 1000;
  const name = `k-means ${vectors.rows} x ${vectors.dims}, k ${k}, ${plain ? "plain" : "default"}`;
  return [
    { what: name, ours: seconds, unit: "s" },
    { what: `${name}: seeding`, ours: seeded / 1000, unit: "s" },
    { what: `${name}: inertia`, ours: inertia, unit: "" },
    { what: `${name}: iterations`, ours: iterations, unit: "" },
    { what: `${name}: refinement iterations`, ours: refinementIterations, unit: "" },
    { what: `${name}: memory of the process`, ours: process.memoryUsage.rss() / 2 ** 20, unit: "MB" },
    ...(plain ? [] : [await measureSilhouette(vectors, labels)]),
  ];
}

async function measureSilhouette(vectors: Vectors, labels: Int32Array): Promise<Measurement> {
  const start = performance.now();
  await silhouette(vectors, labels, "euclidean");
  const name = `silhouette ${vectors.rows} x ${vectors.dims}, every pair`;
  return { what: name, ours: (performance.now() - start) / 1000, unit: "s" };
}

/** At an eps below every distance, and at one that finds the planted clusters. */
async function measureDbscan(vectors: Vectors): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const eps of [0.02, 0.35]) {
    const start = performance.now();
    const [found] = await dbscan(vectors, [eps]);
    const name = `DBSCAN ${vectors.rows} x ${vectors.dims}, eps ${eps}`;
    measured.push({ what: name, ours: (performance.now() - start) / 1000, unit: "s" });
    measured.push({ what: `${name}: clusters`, ours: found!.sizes.length, unit: "" });
  }
  return measured;
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
