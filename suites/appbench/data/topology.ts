/** Measures the parallel and sequential scale of a reference plan like the official `topo_relations`. */
import { strip } from "../../../source/engine/python/text.ts";
import { word } from "../score/text.ts";

export type Topology = {
  /** Pairs [producer, consumer] of call indexes, sorted; some point backwards. */
  readonly edges: readonly (readonly [number, number])[];
  /** Sizes of the components, ordered by their first call. */
  readonly sizes: readonly number[];
};

const references = new RegExp(`#(${word}+)=(${word}+)`, "gu");

/** Returns the names before the first `=`; the call assigns its results to them. */
const returnsOf = (call: string): string[] => call.split("=")[0]!.split(",").map(strip);

/** Returns the names a call uses as references: its values without quotes. */
export const needsOf = (call: string): string[] => Array.from(call.matchAll(references), (found) => found[2]!);

/**
 * Finds the edges between the calls of one plan and the components that they form. A component contains every call that is
 * reachable along the edges from its first call and not yet in another component, so that a consumer of two producers splits;
 * this is not weak connectivity. As in the official loops, the last call is never a producer and the first never a consumer.
 */
export function topologyOf(calls: readonly string[]): Topology {
  const returned = calls.map((call) => new Set(returnsOf(call)));
  const edges: [number, number][] = [];
  const needed = calls.map(needsOf);
  for (let producer = 0; producer < calls.length - 1; producer++) {
    for (let consumer = 1; consumer < calls.length; consumer++) {
      if (producer === consumer) continue;
      if (needed[consumer]!.some((name) => returned[producer]!.has(name))) edges.push([producer, consumer]);
    }
  }
  return { edges, sizes: components(calls.length, edges) };
}

function components(count: number, edges: Topology["edges"]): number[] {
  const targets = Array.from({ length: count }, (): number[] => []);
  for (const [from, to] of edges) targets[from]!.push(to);
  const seen = new Set<number>();
  const sizes: number[] = [];
  for (let start = 0; start < count; start++) {
    if (seen.has(start)) continue;
    const before = seen.size;
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      waiting.push(...targets[node]!);
    }
    sizes.push(seen.size - before);
  }
  return sizes;
}

/** Returns the mean component size to two decimals; the paper's Figure 4 groups plans by it. */
export function sequentialScale(topology: Topology): number {
  const sum = topology.sizes.reduce((total, size) => total + size, 0);
  return topology.sizes.length === 0 ? 0 : Math.round((100 * sum) / topology.sizes.length) / 100;
}
