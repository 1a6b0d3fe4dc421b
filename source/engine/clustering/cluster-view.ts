/** Clusters made ready for the panes: places on a map, and the neighbours of every API. */
import type { Clusters } from "../clusters.ts";
import { mapOf } from "./map.ts";
import { turns } from "../turns.ts";
import { rowOf, type Vectors } from "./vectors.ts";

/** Neighbours kept for each API. */
const nearest = 8;
/** APIs up to which neighbours are looked for: every pair is compared. */
const mostCompared = 3000;

/** `apis` in the order of the vectors; `labels` are the toolkits' ids. Done in turns, so that a screen stays alive. */
export async function clusterView(
  apis: readonly { readonly name: string; readonly group: string }[],
  vectors: Vectors,
  labels: ArrayLike<number>,
  toolkits: Clusters["toolkits"],
): Promise<Clusters> {
  if (apis.length !== vectors.rows || labels.length !== vectors.rows) {
    throw new RangeError(
      `Expected as many APIs and labels as vectors, ${vectors.rows}, got ${apis.length} and ${labels.length}`,
    );
  }
  const map = await mapOf(vectors);
  const rest = turns();
  const neighbours: number[][] = [];
  for (let index = 0; index < vectors.rows; index++) {
    neighbours.push(vectors.rows > mostCompared ? [] : neighboursOf(vectors, index));
    await rest();
  }
  return {
    toolkits: toolkits.map(({ id, description }) => ({ id, description })),
    apis: apis.map(({ name, group }, index) => ({
      name,
      group,
      toolkit: labels[index]!,
      ...map[index]!,
      neighbours: neighbours[index]!,
    })),
  };
}

/** The rows with the smallest Euclidean distance, the first of equals first. */
function neighboursOf(vectors: Vectors, index: number): number[] {
  const own = rowOf(vectors, index);
  const distances = Float64Array.from({ length: vectors.rows }, (_, row) => {
    let sum = 0;
    const other = rowOf(vectors, row);
    for (let column = 0; column < own.length; column++) sum += (own[column]! - other[column]!) ** 2;
    return sum;
  });
  const others = [...distances.keys()].filter((row) => row !== index);
  return others.sort((a, b) => distances[a]! - distances[b]! || a - b).slice(0, nearest);
}
