import { expect, it } from "vitest";
import { kMeans } from "../../../../source/engine/clustering/methods/k-means.ts";
import { planted } from "./planted.ts";

it("a single init finds many planted clusters, though its seeds miss some", async () => {
  const { vectors, labels } = planted({ rows: 1500, dims: 12, clusters: 150, noise: 0.2 });
  const clusters = new Set(labels).size;
  for (const seed of [0, 1, 2]) {
    const found = await kMeans(vectors, { k: clusters, inits: 1, seed });
    expect([...found.labels]).toEqual(labels);
  }
});
