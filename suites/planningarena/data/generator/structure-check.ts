/** Whether a graph has the shape of its label. */
import type { Edge, Relation, Structure } from "../records.ts";

/** What is wrong with the edges of a task over `nodes`; empty when nothing is. */
export function structureProblems(
  relation: Relation,
  structure: Structure | null,
  nodes: readonly string[],
  edges: readonly Edge[],
): string[] {
  const known = new Set(nodes);
  for (const { from, to } of edges)
    if (!known.has(from) || !known.has(to)) return [`Expected edge ${from} → ${to} to join subtasks of the task`];
  const depth = depthOf(nodes, edges);
  if (depth === undefined) return ["Expected the graph to have no cycle"];
  const out = degrees(nodes, edges, "from");
  const into = degrees(nodes, edges, "to");
  const fits = fitting(relation, structure, nodes, edges, out, into, depth);
  return fits ? [] : [`Expected the edges to form ${structure ?? relation}`];
}

function fitting(
  relation: Relation,
  structure: Structure | null,
  nodes: readonly string[],
  edges: readonly Edge[],
  out: readonly number[],
  into: readonly number[],
  depth: number,
): boolean {
  if (relation === "PAPI") return edges.length === 0;
  if (relation !== "DAPI") return edges.length === nodes.length - 1 && depth === nodes.length - 1;
  const hubs = (degree: readonly number[]) => degree.filter((count) => count > 0);
  if (structure === "one-to-many") return hubs(out).length === 1 && hubs(out)[0]! >= 2 && hubs(out)[0] === edges.length;
  if (structure === "many-to-one")
    return hubs(into).length === 1 && hubs(into)[0]! >= 2 && hubs(into)[0] === edges.length;
  return depth >= 2 && (out.some((count) => count >= 2) || into.some((count) => count >= 2));
}

function degrees(nodes: readonly string[], edges: readonly Edge[], end: "from" | "to"): number[] {
  return nodes.map((node) => edges.filter((edge) => edge[end] === node).length);
}

/** Edges on the longest path; undefined when there is a cycle. */
function depthOf(nodes: readonly string[], edges: readonly Edge[]): number | undefined {
  const depth = new Map<string, number>();
  const waiting = new Map(nodes.map((node) => [node, edges.filter(({ to }) => to === node).length]));
  const ready = nodes.filter((node) => waiting.get(node) === 0);
  for (const node of ready) {
    const own = depth.get(node) ?? 0;
    depth.set(node, own);
    for (const { from, to } of edges) {
      if (from !== node) continue;
      depth.set(to, Math.max(depth.get(to) ?? 0, own + 1));
      waiting.set(to, waiting.get(to)! - 1);
      if (waiting.get(to) === 0) ready.push(to);
    }
  }
  return ready.length < nodes.length ? undefined : Math.max(0, ...depth.values());
}
