import { describe, expect, it } from "vitest";
import {
  bound,
  boundsFor,
  gatherCandidates,
  quantisePoints,
} from "../../../../source/engine/clustering/kernel/quantised.ts";
import { startPool } from "../../../../source/engine/clustering/kernel/worker-pool.ts";
import { seedCentres, triesFor } from "../../../../source/engine/clustering/methods/seeding.ts";
import { vectorsFrom, type Vectors } from "../../../../source/engine/clustering/methods/vectors.ts";
import { fill, slot, workspaceFor, type Workspace } from "../../../../source/engine/clustering/kernel/workspace.ts";
import { planted } from "./planted.ts";

function workspaceOf(vectors: Vectors, k: number, threads = 1, tries = triesFor(k)): Workspace {
  const workspace = workspaceFor({ rows: vectors.rows, dims: vectors.dims, k, tries, threads });
  fill(workspace, vectors);
  quantisePoints(workspace);
  return workspace;
}

function squared({ points, stride }: Workspace, a: number, b: number): number {
  let sum = 0;
  const width = stride / 4;
  for (let column = 0; column < width; column++)
    sum += (points[a * width + column]! - points[b * width + column]!) ** 2;
  return sum;
}

describe("seeding", () => {
  it("tries 2 + floor(ln k) candidates for each centre", () => {
    expect([1, 2, 3, 8, 65, 1800].map(triesFor)).toEqual([2, 2, 3, 4, 6, 9]);
  });

  it("finds every point's nearest seed in spite of pruning", async () => {
    for (const noise of [0.1, 2, 8]) {
      const { vectors } = planted({ rows: 400, dims: 24, clusters: 20, noise });
      const workspace = workspaceOf(vectors, 50);
      await seedCentres(workspace, 3, await startPool(workspace, 0), () => {});
      const seeds = [...workspace.seeds];
      expect(new Set(seeds).size).toBe(50);
      for (let row = 0; row < 400; row++) {
        const distances = seeds.map((seed) => squared(workspace, row, seed));
        const least = Math.min(...distances);
        expect(workspace.closest[row]).toBeCloseTo(least, 2);
        expect(distances[workspace.labels[row]!]).toBeCloseTo(least, 2);
      }
    }
  });

  it("sends one job to the threads for any number of seeds, and no message for single seeds", async () => {
    const { vectors } = planted({ rows: 300, dims: 10, clusters: 9, noise: 1 });
    const workspace = workspaceOf(vectors, 40);
    const pool = await startPool(workspace, 0);
    const jobs: string[] = [];
    await seedCentres(
      workspace,
      1,
      { ...pool, run: (job, progress) => (jobs.push(job), pool.run(job, progress)) },
      () => {},
    );
    expect(jobs).toEqual(["seedTogether"]);
    expect(new Set(workspace.seeds).size).toBe(40);
  });

  it("does not wait for threads whose core is busy", async () => {
    const { vectors } = planted({ rows: 300, dims: 10, clusters: 9, noise: 1 });
    const [alone, waiting] = [workspaceOf(vectors, 20), workspaceOf(vectors, 20, 3)];
    await seedCentres(alone, 1, await startPool(alone, 0), () => {});
    // One of the three threads does all the work.
    await seedCentres(waiting, 1, { ...(await startPool(waiting, 0)), workers: 3 }, () => {});
    expect(waiting.seeds).toEqual(alone.seeds);
  });

  it("gives the same result with and without worker threads", async () => {
    const { vectors } = planted({ rows: 300, dims: 10, clusters: 9, noise: 1 });
    const alone = workspaceOf(vectors, 20);
    const helped = workspaceOf(vectors, 20, 2);
    await seedCentres(alone, 1, await startPool(alone, 0), () => {});
    const pool = await startPool(helped, 2);
    expect(pool.workers).toBe(2);
    await seedCentres(helped, 1, pool, () => {});
    await pool.close();
    expect(helped.seeds).toEqual(alone.seeds);
    expect(helped.labels).toEqual(alone.labels);
  });
});

describe("bounds from quantised vectors", () => {
  it.each([
    { name: "planted clusters", vectors: planted({ rows: 60, dims: 33, clusters: 4, noise: 0.5 }).vectors },
    {
      name: "one large number among small ones",
      vectors: vectorsFrom(Array.from({ length: 20 }, (_, row) => [1000, row / 10, -row, 0])),
    },
    { name: "points that coincide", vectors: vectorsFrom(Array.from({ length: 8 }, () => [0.1, 0.2, 0.3])) },
  ])("are never above the distance: $name", ({ vectors }) => {
    const workspace = workspaceOf(vectors, 8);
    workspace.control[slot.tries] = workspace.shape.tries;
    workspace.candidates.set([0, 3, 5, 7].slice(0, workspace.shape.tries));
    gatherCandidates(workspace);
    const lower = new Float64Array(workspace.shape.tries);
    let near = 0;
    for (let row = 0; row < vectors.rows; row++) {
      bound(workspace, boundsFor(workspace), row, lower, 0);
      for (const [index, candidate] of workspace.candidates.entries()) {
        const exact = squared(workspace, row, candidate);
        expect(lower[index]).toBeLessThanOrEqual(exact + 1e-6 * (1 + exact));
        if (lower[index]! > exact * 0.8) near += 1;
      }
    }
    if (vectors.dims === 33) expect(near).toBeGreaterThan(vectors.rows);
  });

  it("are the same for one candidate as for several at once, and match the dot products of the bytes", () => {
    const { vectors } = planted({ rows: 40, dims: 130, clusters: 5, noise: 1 });
    const lower = (rows: readonly number[]) => {
      const workspace = workspaceOf(vectors, 8, 1, rows.length);
      workspace.control[slot.tries] = rows.length;
      workspace.candidates.set(rows);
      gatherCandidates(workspace);
      const out = new Float64Array(rows.length);
      bound(workspace, boundsFor(workspace), 0, out, 0);
      return { workspace, out: [...out] };
    };
    for (const count of [1, 2, 9, 10, 11, 13, 20, 23]) {
      const rows = Array.from({ length: count }, (_, index) => 39 - index);
      const { out, workspace } = lower(rows);
      expect(out).toEqual(rows.map((row) => lower([row]).out[0]));
      const { byteErrors, byteScales, byteStride, bytes, pointNorms } = workspace;
      const exact = rows.map((row) => {
        let dot = 0;
        for (let at = 0; at < byteStride; at++) dot += bytes[at]! * bytes[row * byteStride + at]!;
        const slack =
          (Math.sqrt(pointNorms[0]!) + byteErrors[0]!) * byteErrors[row]! +
          byteErrors[0]! * Math.sqrt(pointNorms[row]!);
        return pointNorms[0]! + pointNorms[row]! - 2 * (dot * byteScales[0]! * byteScales[row]! + slack);
      });
      out.forEach((value, index) => expect(value).toBeCloseTo(exact[index]!, 5));
    }
  });
});
