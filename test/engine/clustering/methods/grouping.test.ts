import { describe, expect, it } from "vitest";
import { dbscan } from "../../../../source/engine/clustering/methods/dbscan.ts";
import {
  group,
  groupingMetrics,
  type GroupingProgress,
} from "../../../../source/engine/clustering/methods/grouping.ts";
import { kMeans } from "../../../../source/engine/clustering/methods/k-means.ts";
import { silhouette } from "../../../../source/engine/clustering/methods/silhouette.ts";
import { vectorsFrom } from "../../../../source/engine/clustering/methods/vectors.ts";
import { planted } from "./planted.ts";

/** Large enough to be grouped in other threads. */
const { vectors } = planted({ rows: 2600, dims: 64, clusters: 150, noise: 1 });

describe("grouping", () => {
  it("gives the same results in worker threads as in the main thread, and does not block the main thread", async () => {
    const phases = new Set<GroupingProgress["phase"]>();
    let turns = 0;
    let counting = true;
    const count = () => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    count();
    const settings = { method: "kmeans", k: 150, inits: 1, seed: 3 } as const;
    const found = await group(vectors, settings, { progress: ({ phase }) => phases.add(phase) });
    counting = false;
    const here = await kMeans(vectors, { k: 150, inits: 1, seed: 3 });
    expect(found).toMatchObject({ labels: here.labels, inertia: here.inertia, iterations: here.iterations });
    expect(found.silhouette).toBe(await silhouette(vectors, here.labels, "euclidean"));
    expect([...phases]).toEqual(["seeding", "iterating", "measuring"]);
    expect(turns).toBeGreaterThan(10);
  });

  it("groups by DBSCAN, with a sampled silhouette if there are too many pairs", async () => {
    const found = await group(vectors, { method: "dbscan", eps: 0.1 }, { comparisons: 260_000 });
    const [here] = await dbscan(vectors, [0.1]);
    expect(found.labels).toEqual(here!.labels);
    expect(found.silhouetteOf).toBe(100);
    expect(groupingMetrics(found)["cluster.silhouette.sampled"]).toBe(100);
    const all = await silhouette(vectors, here!.labels, "cosine");
    expect(Math.abs(found.silhouette! - all!)).toBeLessThan(0.1);
  });

  it("stops when aborted, and reports an error in the vectors", async () => {
    const stop = new AbortController();
    const settings = { method: "kmeans", k: 200, inits: 50 } as const;
    const running = group(vectors, settings, {
      signal: stop.signal,
      progress: () => stop.abort(new Error("enough")),
    });
    await expect(running).rejects.toThrow("enough");
    const broken = { ...vectors, values: vectors.values.map((value, index) => (index === 70 ? Number.NaN : value)) };
    await expect(group(broken, settings)).rejects.toThrow(
      new RangeError("Expected finite numbers, got NaN in row 1, column 6"),
    );
    await expect(group(vectorsFrom([[1], [2]]), { method: "kmeans", k: 3 })).rejects.toThrow(RangeError);
  });

  it("can omit the refinement, whose iterations are counted separately from those of Lloyd's algorithm", async () => {
    const plain = await group(vectors, { method: "kmeans", k: 150, inits: 1, plain: true });
    const usual = await group(vectors, { method: "kmeans", k: 150, inits: 1 });
    expect(plain.refinementIterations).toBe(0);
    expect(usual.refinementIterations).toBeGreaterThan(0);
    expect(usual.iterations).toBe(plain.iterations);
    expect(usual.inertia).toBeLessThan(plain.inertia!);
  });
});
