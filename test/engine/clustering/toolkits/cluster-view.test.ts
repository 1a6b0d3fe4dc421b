import { describe, expect, it } from "vitest";
import { clusterView } from "../../../../source/engine/clustering/toolkits/cluster-view.ts";
import type { Vectors } from "../../../../source/engine/clustering/methods/vectors.ts";

/** APIs on a line, at the positions given. */
function lined(places: readonly number[], dims = 2): Promise<Awaited<ReturnType<typeof clusterView>>> {
  const values = new Float32Array(places.length * dims);
  for (const [row, place] of places.entries()) values[row * dims] = place;
  const vectors: Vectors = { rows: places.length, dims, values };
  const apis = places.map((_, row) => ({ name: `api ${row}`, group: "g" }));
  const labels = places.map(() => 0);
  return clusterView(apis, vectors, labels, [{ id: 0, description: "all" }]);
}

describe("the neighbours of an API", () => {
  it("are the eight nearest other APIs; on a tie the API that comes first in the catalogue", async () => {
    const { apis } = await lined([0, 10, 1, 3, 2, -1, 40, 50, 60, 70, 80]);
    expect(apis[0]!.neighbours).toEqual([2, 5, 4, 3, 1, 6, 7, 8]);
    expect(apis[10]!.neighbours).toEqual([9, 8, 7, 6, 1, 3, 4, 2]);
    expect((await lined([5])).apis[0]!.neighbours).toEqual([]);
  });

  it("are found in a catalogue of the paper's size without comparing all pairs", async () => {
    const { apis } = await lined(Array.from({ length: 16_531 }, (_, row) => row * row));
    expect(apis[9000]!.neighbours.slice(0, 3)).toEqual([8999, 9001, 8998]);
  });
});
