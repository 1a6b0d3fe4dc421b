import { describe, expect, it } from "vitest";
import { kMeans } from "../../../../source/engine/clustering/methods/k-means.ts";
import { vectorsFrom } from "../../../../source/engine/clustering/methods/vectors.ts";
import { planted } from "./planted.ts";

describe("k-means", () => {
  it("finds separated clusters, and numbers the clusters by first appearance", async () => {
    const vectors = vectorsFrom([[0], [10], [0.1], [20], [10.1], [20.1]]);
    const { labels, sizes, inertia, centres } = await kMeans(vectors, { k: 3 });
    expect([...labels]).toEqual([0, 1, 0, 2, 1, 2]);
    expect(sizes).toEqual([2, 2, 2]);
    expect(inertia).toBeCloseTo(3 * 2 * 0.05 ** 2, 5);
    expect([...centres.values].map((value) => Number(value.toFixed(3)))).toEqual([0.05, 10.05, 20.05]);
  });

  it("gives every vector its own cluster if k equals the number of vectors", async () => {
    const { vectors } = planted({ rows: 40, dims: 3, clusters: 5, noise: 0.1 });
    const { sizes, inertia } = await kMeans(vectors, { k: 40, inits: 1 });
    expect(sizes).toEqual(Array.from({ length: 40 }, () => 1));
    expect(inertia).toBe(0);
  });

  it("puts everything into one cluster for k = 1", async () => {
    const { sizes, inertia } = await kMeans(
      vectorsFrom([
        [1, 0],
        [3, 0],
        [2, 3],
      ]),
      { k: 1 },
    );
    expect(sizes).toEqual([3]);
    expect(inertia).toBeCloseTo(8, 5);
  });

  it("leaves clusters empty if there are fewer different vectors than clusters", async () => {
    const vectors = vectorsFrom([
      [1, 2],
      [1, 2],
      [5, 6],
      [5, 6],
      [1, 2],
    ]);
    const { labels, inertia, centres } = await kMeans(vectors, { k: 4 });
    expect([...labels]).toEqual([0, 0, 1, 1, 0]);
    expect(inertia).toBe(0);
    expect(centres.rows).toBe(4);
  });

  it("gives the same clusters for the same seed, with and without worker threads", async () => {
    const { vectors } = planted({ rows: 700, dims: 20, clusters: 30, noise: 4 });
    const [alone, again, helped, other] = await Promise.all([
      kMeans(vectors, { k: 30, inits: 2, workers: 0 }),
      kMeans(vectors, { k: 30, inits: 2, workers: 0 }),
      kMeans(vectors, { k: 30, inits: 2, workers: 3 }),
      kMeans(vectors, { k: 30, inits: 1, workers: 0, seed: 7 }),
    ]);
    expect(again).toEqual(alone);
    expect(helped).toEqual(alone);
    expect(other.inertia).not.toBe(alone.inertia);
  });

  it("agrees with Lloyd's algorithm: no point is nearer to another centre than to its own", async () => {
    const { vectors } = planted({ rows: 500, dims: 8, clusters: 12, noise: 1.5 });
    const { centres, labels } = await kMeans(vectors, { k: 40, inits: 1, tolerance: 0 });
    const squared = (row: number, centre: number) => {
      let sum = 0;
      for (let column = 0; column < 8; column++) {
        sum += (vectors.values[row * 8 + column]! - centres.values[centre * 8 + column]!) ** 2;
      }
      return sum;
    };
    for (let row = 0; row < 500; row++) {
      const own = squared(row, labels[row]!);
      for (let centre = 0; centre < 40; centre++) expect(squared(row, centre)).toBeGreaterThan(own * (1 - 1e-5) - 1e-9);
    }
  });

  it("finds clusters far from the origin, although dot products lose digits there", async () => {
    const { vectors, labels } = planted({ rows: 200, dims: 16, clusters: 6, noise: 0.01 });
    const moved = { ...vectors, values: vectors.values.map((value) => value + 1000) };
    const result = await kMeans(moved, { k: 6 });
    expect([...result.labels]).toEqual(labels);
  });

  it("reports progress, and stops when aborted", async () => {
    const { vectors } = planted({ rows: 600, dims: 16, clusters: 20, noise: 0.5 });
    const phases = new Set<string>();
    await kMeans(vectors, { k: 20, inits: 2, progress: ({ phase, init }) => phases.add(`${phase} ${init}`) });
    expect([...phases]).toEqual(["seeding 0", "iterating 0", "seeding 1", "iterating 1"]);
    for (const workers of [0, 2]) {
      const stop = new AbortController();
      const running = kMeans(vectors, {
        k: 200,
        inits: 1000,
        workers,
        signal: stop.signal,
        progress: ({ init }) => init === 1 && stop.abort(new Error("stopped by the test")),
      });
      await expect(running).rejects.toThrow("stopped by the test");
    }
  });

  it("rejects invalid input with a clear message", async () => {
    const three = vectorsFrom([[1], [2], [3]]);
    await expect(kMeans(three, { k: 4 })).rejects.toThrow(
      "Expected `k` to be a whole number from 1 to 3, the number of vectors, got `4`",
    );
    await expect(kMeans(three, { k: 0 })).rejects.toThrow("got `0`");
    await expect(kMeans(three, { k: 1.5 })).rejects.toThrow("got `1.5`");
    await expect(kMeans(three, { k: 2, inits: 0 })).rejects.toThrow(
      "Expected `inits` to be a whole number of at least 1, got `0`",
    );
    await expect(kMeans(vectorsFrom([]), { k: 1 })).rejects.toThrow("Expected at least one vector");
    await expect(
      kMeans(
        vectorsFrom([
          [1, 2],
          [3, Number.NaN],
        ]),
        { k: 1 },
      ),
    ).rejects.toThrow("Expected finite numbers, got NaN in row 1, column 1");
    expect(() => vectorsFrom([[1, 2], [3]])).toThrow("Expected vectors of equal length (2), got 1 in row 1");
  });
});

it("k-means finds many planted clusters with a single init, although the seeds miss some clusters", async () => {
  const { vectors, labels } = planted({ rows: 1500, dims: 12, clusters: 150, noise: 0.2 });
  const clusters = new Set(labels).size;
  for (const seed of [0, 1, 2]) {
    const found = await kMeans(vectors, { k: clusters, inits: 1, seed });
    expect([...found.labels]).toEqual(labels);
  }
});
