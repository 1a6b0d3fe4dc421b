import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { dbscan } from "../../../../source/engine/clustering/methods/dbscan.ts";
import { kMeans } from "../../../../source/engine/clustering/methods/k-means.ts";
import { silhouette } from "../../../../source/engine/clustering/methods/silhouette.ts";
import type { Vectors } from "../../../../source/engine/clustering/methods/vectors.ts";
import { describePublished, shared, sharedJson } from "../../../shared.ts";

type Expected = {
  readonly kmeans: readonly {
    readonly k: number;
    readonly inertia_float64: number;
    readonly best_known_inertia_float64: number;
    readonly labels_canonical: readonly number[];
    readonly silhouette_euclidean: number;
    readonly silhouette_cosine: number;
    readonly cluster_sizes_desc: readonly number[];
  }[];
  readonly dbscan: readonly {
    readonly eps: number;
    readonly n_clusters: number;
    readonly labels_canonical: readonly number[];
    readonly silhouette_cosine: number;
  }[];
};

describePublished("clusterings of 600 planted embeddings, next to scikit-learn's results", () => {
  const expected = sharedJson<Expected>("conformance", "toolplanner", "emb_a_600x64.expected.json");
  const vectors = embeddings();

  it("are recorded for 8 numbers of clusters and 12 distances", () => {
    expect([expected.kmeans.length, expected.dbscan.length]).toEqual([8, 12]);
  });

  it.each(expected.kmeans)(
    "k-means with k = $k has an inertia within 3 % of scikit-learn's",
    async ({ k, inertia_float64 }) => {
      const { inertia, labels, sizes } = await kMeans(vectors, { k });
      expect(inertia).toBeLessThanOrEqual(1.03 * inertia_float64);
      expect(inertiaOfMeans(vectors, labels, k)).toBeCloseTo(inertia, 4);
      expect(sizes).toHaveLength(k);
    },
  );

  it.each([
    { k: 8, inits: 10 },
    { k: 24, inits: 30 },
  ])("k-means finds the $k planted clusters", async ({ k, inits }) => {
    const reference = expected.kmeans.find((one) => one.k === k)!;
    const { inertia, labels, sizes } = await kMeans(vectors, { k, inits });
    expect(Math.abs(inertia / reference.best_known_inertia_float64 - 1)).toBeLessThan(1e-4);
    expect([...labels]).toEqual(reference.labels_canonical);
    expect([...sizes].sort((a, b) => b - a)).toEqual(reference.cluster_sizes_desc);
  });

  it.each(expected.kmeans)("scikit-learn's partition with k = $k has the recorded silhouettes", async (reference) => {
    const { labels_canonical: labels } = reference;
    expect(await silhouette(vectors, labels, "euclidean")).toBeCloseTo(reference.silhouette_euclidean, 6);
    expect(await silhouette(vectors, labels, "cosine")).toBeCloseTo(reference.silhouette_cosine, 6);
  });

  it("DBSCAN equals the recorded clusters for every eps", async () => {
    const found = await dbscan(
      vectors,
      expected.dbscan.map(({ eps }) => eps),
    );
    for (const [index, reference] of expected.dbscan.entries()) {
      expect(found[index]!.sizes).toHaveLength(reference.n_clusters);
      expect([...found[index]!.labels]).toEqual(reference.labels_canonical);
      expect(await silhouette(vectors, found[index]!.labels, "cosine")).toBeCloseTo(reference.silhouette_cosine, 6);
    }
  });
});

function embeddings(): Vectors {
  const bytes = readFileSync(shared("conformance", "toolplanner", "emb_a_600x64.f32le.bin"));
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return { rows: 600, dims: 64, values };
}

/** Sum of squared distances to the means of the clusters, the plain way. */
function inertiaOfMeans({ rows, dims, values }: Vectors, labels: Int32Array, k: number): number {
  const means = Array.from({ length: k }, () => new Float64Array(dims));
  const sizes = new Float64Array(k);
  for (let row = 0; row < rows; row++) {
    sizes[labels[row]!]! += 1;
    for (let column = 0; column < dims; column++) means[labels[row]!]![column]! += values[row * dims + column]!;
  }
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    const label = labels[row]!;
    for (let column = 0; column < dims; column++) {
      sum += (values[row * dims + column]! - means[label]![column]! / sizes[label]!) ** 2;
    }
  }
  return sum;
}
