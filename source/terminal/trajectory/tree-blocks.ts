/** The nodes a strategy builds: a search tree, or a plan with its dependencies, in its current state. */
import type { Line, Style } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Node } from "../../engine/log/trajectory.ts";
import { field } from "../../engine/text/json-record.ts";
import type { Json } from "../../engine/types.ts";
import { type Block, blockOf } from "./block.ts";
import type { View } from "./view.ts";

/** Deeper nodes are not indented further. */
const deepest = 16;

export function treeBlocks(nodes: readonly Node[], view: View): Block[] {
  if (nodes.length === 0) return [blockOf("no nodes", [[{ text: "  This strategy builds no tree", style: "faint" }]])];
  const children = new Map<string | undefined, Node[]>();
  const known = new Set(nodes.map(({ id }) => id));
  for (const node of nodes) {
    const parent = node.parent !== undefined && known.has(node.parent) ? node.parent : undefined;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [node]);
    else siblings.push(node);
  }
  const blocks: Block[] = [];
  const drawn = new Set<string>();
  // A list instead of recursion: a tree may be deeper than the call stack.
  const open = (children.get(undefined) ?? []).map((node) => ({ node, depth: 0 })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (drawn.has(node.id)) continue;
    drawn.add(node.id);
    blocks.push(blockOf(`node ${node.id}`, [nodeLine(node, depth, view)], { error: node.state === "failed" }));
    for (const child of (children.get(node.id) ?? []).toReversed()) open.push({ node: child, depth: depth + 1 });
  }
  // Nodes in a cycle of parents have no root.
  for (const node of nodes) if (!drawn.has(node.id)) blocks.push(blockOf(`node ${node.id}`, [nodeLine(node, 0, view)]));
  return blocks;
}

/** Dependencies of the answer key that a step lacks, or extra ones it has, where the suite reports them. */
function edges(detail: Node["detail"], which: "missed" | "extra"): string {
  const list =
    detail !== null && typeof detail === "object" && which in detail ? (detail as { [key: string]: Json })[which] : [];
  const names = Array.isArray(list) ? list.filter((each) => typeof each === "string").map(printable) : [];
  return names.length === 0 ? "" : `  ${which === "missed" ? "missing" : "extra"} ${names.join(", ")}`;
}

/** The costs by which a search orders its nodes: the sum, what the way here cost, what is estimated to be left. */
function costs(detail: Node["detail"]): string {
  const [f, g, h] = ["f", "g", "h"].map((name) => field(detail, name));
  if (typeof f !== "number" || typeof g !== "number" || typeof h !== "number") return "";
  return `f ${f.toFixed(3)} = g ${g.toFixed(3)} + h ${h.toFixed(3)}  `;
}

function nodeLine({ kind, label, state, needs = [], detail }: Node, depth: number, { symbols }: View): Line {
  const [mark, style]: [string, Style] =
    state === "done"
      ? [symbols.right, "good"]
      : state === "failed"
        ? [symbols.wrong, "bad"]
        : state === "pruned"
          ? ["-", "faint"]
          : [symbols.running, "accent"];
  const uses = needs.length === 0 ? "" : `  ← ${needs.map(printable).join(", ")}`;
  const wrong = `${edges(detail, "missed")}${edges(detail, "extra")}`;
  return [
    { text: `  ${"  ".repeat(Math.min(depth, deepest))}` },
    { text: `${mark} `, style },
    { text: `${printable(kind)}  ${costs(detail)}`, style: "faint" },
    { text: printable(label), style: state === "pruned" ? "faint" : "plain" },
    { text: `${uses}${state === "pruned" ? "  pruned" : ""}`, style: "faint" },
    ...(wrong === "" ? [] : [{ text: wrong, style: "bad" } as const]),
  ];
}
