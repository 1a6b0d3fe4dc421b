import { describe, expect, it } from "vitest";
import { dbscan } from "../../../../source/engine/clustering/methods/dbscan.ts";
import { mapOf } from "../../../../source/engine/clustering/methods/map.ts";
import {
  canonicalLabels,
  clusterSizes,
  purity,
  singletons,
  sizeHistogram,
} from "../../../../source/engine/clustering/methods/partition.ts";
import { sampledSilhouette, silhouette, silhouettes } from "../../../../source/engine/clustering/methods/silhouette.ts";
import { rowOf, vectorsFrom, type Vectors } from "../../../../source/engine/clustering/methods/vectors.ts";
import { planted } from "./planted.ts";

describe("DBSCAN with cosine distance", () => {
  const angles = [0, 5, 10, 90, 95, 180];
  const vectors = vectorsFrom(
    angles.map((angle) => [Math.cos((angle / 180) * Math.PI), Math.sin((angle / 180) * Math.PI)]),
  );

  it("unites neighbours transitively, for every eps separately", async () => {
    const step = 1 - Math.cos((5.1 / 180) * Math.PI);
    const [fine, none, all] = await dbscan(vectors, [step, 0, 2]);
    expect([...fine!.labels]).toEqual([0, 0, 0, 1, 1, 2]);
    expect([...none!.labels]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(all!.sizes).toEqual([6]);
  });

  it("does not depend on the length of vectors", async () => {
    const [found] = await dbscan(
      vectorsFrom([
        [1, 0],
        [100, 0],
        [0, 3],
      ]),
      [1e-9],
    );
    expect([...found!.labels]).toEqual([0, 0, 1]);
  });

  it("rejects zero vectors, and eps outside 0 to 2", async () => {
    await expect(
      dbscan(
        vectorsFrom([
          [1, 0],
          [0, 0],
        ]),
        [0.1],
      ),
    ).rejects.toThrow("Row 1 contains only zeros, so it has no cosine distance");
    await expect(dbscan(vectors, [-1])).rejects.toThrow("Expected `eps` to be a cosine distance from 0 to 2, got `-1`");
  });

  it("gives the same results with threads, without threads, and by comparing all pairs", async () => {
    const { vectors: many } = planted({ rows: 240, dims: 50, clusters: 9, noise: 1.2 });
    const eps = [0.02, 0.06, 0.08, 0.1, 0.4, 0.9, 1.1];
    const told: number[] = [];
    const alone = await dbscan(many, eps, { workers: 0, progress: (done, total) => told.push(done / total) });
    expect(told.at(-1)).toBe(1);
    expect(await dbscan(many, eps, { workers: 2 })).toEqual(alone);
    const sizes = alone.map((one) => one.sizes.length);
    expect(new Set(sizes).size).toBeGreaterThanOrEqual(5);
    for (const [index, one] of eps.entries()) expect([...alone[index]!.labels]).toEqual(components(many, one));
  });

  it("includes pairs at a distance of exactly eps, and excludes them at the next smaller eps", async () => {
    const two = vectorsFrom([
      [3, 4],
      [4, 3],
    ]);
    const exactly = 1 - 24 / 25;
    expect((await dbscan(two, [exactly]))[0]!.sizes).toEqual([2]);
    expect((await dbscan(two, [exactly * (1 - 2 ** -50)]))[0]!.sizes).toEqual([1, 1]);
  });

  it("sums vectors of any length without an overflow", async () => {
    for (const dims of [16, 40_000]) {
      const vectors = vectorsFrom([1, 1, -1].map((value) => Array.from({ length: dims }, () => value)));
      expect([...(await dbscan(vectors, [0.5]))[0]!.labels]).toEqual([0, 0, 1]);
    }
  });

  it.each([0, 2])("stops before the end when aborted with %i threads", async (workers) => {
    const { vectors: many } = planted({ rows: 10_000, dims: 64, clusters: 3, noise: 1 });
    const stop = new AbortController();
    const progress = (done: number) => done > 0 && stop.abort(new Error("enough"));
    const running = dbscan(many, [0.001], { workers, signal: stop.signal, progress });
    await expect(running).rejects.toThrow("enough");
  });

  it("stops when aborted", async () => {
    const { vectors: many } = planted({ rows: 3000, dims: 64, clusters: 3, noise: 1 });
    await expect(dbscan(many, [0.1], { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("silhouette", () => {
  it("is computed as in the paper", async () => {
    const vectors = vectorsFrom([[0], [2], [10], [20]]);
    // Point 0: a = 2, b = 10; point 2: a = 2, b = 8; the clusters of one point count as 0.
    expect([...(await silhouettes(vectors, [0, 0, 1, 2], "euclidean"))!]).toEqual([0.8, 0.75, 0, 0]);
    expect(await silhouette(vectors, [0, 0, 1, 2], "euclidean")).toBeCloseTo(1.55 / 4, 12);
  });

  it("is undefined for one cluster, and for one point per cluster", async () => {
    const vectors = vectorsFrom([[0], [1], [2]]);
    expect(await silhouette(vectors, [0, 0, 0], "euclidean")).toBeUndefined();
    expect(await silhouette(vectors, [0, 1, 2], "euclidean")).toBeUndefined();
  });

  // Each of three clusters is too large for one tile.
  it.each([
    { rows: 300, clusters: 7 },
    { rows: 450, clusters: 3 },
  ])(
    "of $rows points is independent of threads, close to its definition, and close to the estimate from a sample",
    async (size) => {
      const { vectors, labels } = planted({ ...size, dims: 20, noise: 3 });
      for (const metric of ["euclidean", "cosine"] as const) {
        const values = (await silhouettes(vectors, labels, metric, { workers: 0 }))!;
        expect(await silhouettes(vectors, labels, metric, { workers: 2 })).toEqual(values);
        for (const row of [0, 17, 299])
          expect(values[row]).toBeCloseTo(plainSilhouette(vectors, labels, metric, row), 5);
        const all = await silhouette(vectors, labels, metric);
        expect(await sampledSilhouette(vectors, labels, metric, size.rows)).toBeCloseTo(all!, 12);
        expect(Math.abs((await sampledSilhouette(vectors, labels, metric, 100))! - all!)).toBeLessThan(0.05);
        const butOne = await sampledSilhouette(vectors, labels, metric, size.rows - 1);
        const withoutOne = [...values].map((value) => (all! * size.rows - value) / (size.rows - 1));
        expect(Math.min(...withoutOne.map((value) => Math.abs(value - butOne!)))).toBeLessThan(1e-12);
      }
    },
  );

  it("compares each pair of blocks of points only once", async () => {
    const { vectors } = planted({ rows: 512, dims: 4, clusters: 4, noise: 1 });
    const labels = Array.from({ length: 512 }, (_, row) => row % 4);
    let pieces = 0;
    await silhouette(vectors, labels, "euclidean", { progress: (_, total) => (pieces = total) });
    expect(pieces).toBe((4 * 5) / 2);
  });

  it("is 0, not NaN, for points at the same position", async () => {
    expect(await silhouette(vectorsFrom([[1], [1], [1], [1]]), [0, 0, 1, 1], "euclidean")).toBe(0);
  });
});

describe("partitions", () => {
  it("are numbered by first appearance, and counted", () => {
    expect([...canonicalLabels([7, 7, 3, 9, 3])]).toEqual([0, 0, 1, 2, 1]);
    expect(clusterSizes([0, 0, 1, 2, 1])).toEqual([2, 2, 1]);
    expect(singletons([2, 2, 1])).toBe(1);
    expect(sizeHistogram([2, 2, 1])).toEqual([
      { size: 1, clusters: 1 },
      { size: 2, clusters: 2 },
    ]);
  });

  it("have a purity that is the share of points in the majority group of their cluster", () => {
    expect(purity([0, 0, 0, 1], ["a", "a", "b", "c"])).toBe(0.75);
    expect(purity([], [])).toBeUndefined();
    expect(() => purity([0], [])).toThrow("Expected one group for each of 1 labels, got 0");
  });
});

describe("the two-dimensional map", () => {
  it("follows the directions of greatest variance, and is deterministic", async () => {
    const vectors = vectorsFrom([
      [-4, 0, 7],
      [4, 0, 7],
      [0, -1, 7],
      [0, 1, 7],
    ]);
    const map = (await mapOf(vectors)).map(({ x, y }) => [x, y].map((value) => Math.round(value * 1e6) / 1e6 + 0));
    expect(map).toEqual([
      [-4, 0],
      [4, 0],
      [0, -1],
      [0, 1],
    ]);
    expect(await mapOf(vectors)).toEqual(await mapOf(vectors));
  });

  it("puts identical points at one position", async () => {
    expect(
      await mapOf(
        vectorsFrom([
          [1, 2],
          [1, 2],
        ]),
      ),
    ).toEqual([
      { x: 0, y: 0 },
      { x: 0, y: 0 },
    ]);
  });
});

function distanceOf(vectors: Vectors, a: number, b: number, metric: "euclidean" | "cosine"): number {
  const [one, two] = [[...rowOf(vectors, a)], [...rowOf(vectors, b)]];
  if (metric === "euclidean") return Math.hypot(...one.map((value, index) => value - two[index]!));
  const dot = one.reduce((sum, value, index) => sum + value * two[index]!, 0);
  return 1 - dot / (Math.hypot(...one) * Math.hypot(...two));
}

/** Connected components of "distance <= eps", by flood fill from every point. */
function components(vectors: Vectors, eps: number): number[] {
  const labels = Array.from({ length: vectors.rows }, () => -1);
  let next = 0;
  for (let start = 0; start < vectors.rows; start++) {
    if (labels[start] !== -1) continue;
    const waiting = [start];
    labels[start] = next;
    for (let row; (row = waiting.pop()) !== undefined;) {
      for (let other = 0; other < vectors.rows; other++) {
        if (labels[other] !== -1 || distanceOf(vectors, row, other, "cosine") > eps) continue;
        labels[other] = next;
        waiting.push(other);
      }
    }
    next += 1;
  }
  return labels;
}

function plainSilhouette(
  vectors: Vectors,
  labels: readonly number[],
  metric: "euclidean" | "cosine",
  row: number,
): number {
  const means = [...new Set(labels)].map((label) => {
    const members = labels.flatMap((other, index) => (other === label && index !== row ? [index] : []));
    const sum = members.reduce((total, other) => total + distanceOf(vectors, row, other, metric), 0);
    return { label, mean: sum / members.length };
  });
  const inside = means.find(({ label }) => label === labels[row])!.mean;
  const outside = Math.min(...means.filter(({ label }) => label !== labels[row]).map(({ mean }) => mean));
  return (outside - inside) / Math.max(inside, outside);
}
