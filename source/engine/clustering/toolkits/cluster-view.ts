/** Clusters prepared for analyses: positions on a map, and the neighbours of every API. */
import type { Clusters } from "../../clusters.ts";
import { mapOf } from "../methods/map.ts";
import { rowOf, type Vectors } from "../methods/vectors.ts";

/** Neighbours listed for each API. */
const neighbourCount = 8;

/**
 * `apis` are in the order of the vectors; `labels` are the toolkits' ids. Neighbours are computed on first access: they take
 * about 20 ms for one of 16,000 APIs, and minutes for all.
 */
export async function clusterView(
  apis: readonly { readonly name: string; readonly group: string }[],
  vectors: Vectors,
  labels: ArrayLike<number>,
  toolkits: Clusters["toolkits"],
): Promise<Clusters> {
  if (apis.length !== vectors.rows || labels.length !== vectors.rows) {
    throw new RangeError(
      `Expected one API and one label for each of ${vectors.rows} vectors, got ${apis.length} APIs and ${labels.length} labels`,
    );
  }
  const map = await mapOf(vectors);
  return {
    toolkits: toolkits.map(({ id, description }) => ({ id, description })),
    apis: apis.map(({ name, group }, index) => {
      let found: readonly number[] | undefined;
      return {
        name,
        group,
        toolkit: labels[index]!,
        ...map[index]!,
        get neighbours() {
          return (found ??= neighboursOf(vectors, index));
        },
      };
    }),
  };
}

/** Returns the rows with the smallest Euclidean distance, the first of equals first. */
function neighboursOf(vectors: Vectors, index: number): readonly number[] {
  const own = rowOf(vectors, index);
  const best: { readonly row: number; readonly distance: number }[] = [];
  for (let row = 0; row < vectors.rows; row++) {
    if (row === index) continue;
    const distance = distanceOf(own, rowOf(vectors, row));
    if (best.length === neighbourCount && distance >= best.at(-1)!.distance) continue;
    const at = best.findIndex((one) => distance < one.distance);
    best.splice(at < 0 ? best.length : at, 0, { row, distance });
    best.length = Math.min(best.length, neighbourCount);
  }
  return best.map(({ row }) => row);
}

function distanceOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let column = 0; column < a.length; column++) sum += (a[column]! - b[column]!) ** 2;
  return sum;
}
