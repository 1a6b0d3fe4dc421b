/** The nodes that a strategy builds: a search tree, or a plan with its dependencies, in its current state. */
import { signs } from "../../../look/signs.ts";
import { callText, readableLine } from "../../../engine/text/call-text.ts";
import { printable, width, wrap } from "../../../engine/text/printable.ts";
import type { Node } from "../../../engine/log/trajectory.ts";
import { field } from "../../../engine/text/json-record.ts";
import type { Json, Mistake } from "../../../engine/types.ts";
import { type Line, lineWidth, type Style } from "../../../engine/figures/drawing/line.ts";
import type { TaskView } from "../../../engine/loaded-suite.ts";
import { mistakeText } from "../../../engine/log/rows/mistake-text.ts";
import { wrapSpans } from "../../drawing/wrapped-spans.ts";
import { type Block, blockOf } from "../block.ts";
import { pairOfMistake, pairSteps } from "./plan-diff.ts";
import { leadsToWords } from "./step-blocks.ts";
import type { View } from "../view.ts";

const unjudged: Judged = { mistakes: [], task: undefined };

/** Deeper nodes are not indented further. */
const deepest = 16;

/** The task's score: its valid mistakes, and the plan in which they were found. */
export type Judged = { readonly mistakes: readonly Mistake[]; readonly task: TaskView | undefined };

export function treeBlocks(all: readonly Node[], view: View, { mistakes, task }: Judged = unjudged): Block[] {
  if (all.length === 0) return [blockOf("no nodes", [[{ text: "  This strategy builds no tree", style: "faint" }]])];
  const nodes = view.raw === true ? all : callsAsOne(all);
  const known = new Set(nodes.map(({ id }) => id));
  const children = Map.groupBy(nodes, ({ parent }) => (known.has(parent ?? "") ? parent : undefined));
  const blocks: Block[] = [];
  const wrong = mistakesByNode(nodes, mistakes, task);
  const blockFor = (node: Node, depth: number): Block => {
    const own = wrong.get(node.id) ?? [];
    const error = node.state === "failed" || own.length > 0;
    const leadsTo = own[0] && leadsToWords(own[0], mistakes);
    return blockOf(`node ${node.id}`, nodeLines(node, depth, own, view), { error, mistakes: own, leadsTo });
  };
  const drawn = new Set<string>();
  // A list instead of recursion, because a tree may be deeper than the call stack.
  const open = (children.get(undefined) ?? []).map((node) => ({ node, depth: 0 })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (drawn.has(node.id)) continue;
    drawn.add(node.id);
    blocks.push(blockFor(node, depth));
    for (const child of (children.get(node.id) ?? []).toReversed()) open.push({ node: child, depth: depth + 1 });
  }
  // Nodes in a cycle of parents have no root.
  for (const node of nodes) if (!drawn.has(node.id)) blocks.push(blockFor(node, 0));
  return blocks;
}

/**
 * Joins the two nodes with which ToolBench's searches record a call, an action and below it its input, into one node,
 * `name(argument=value)`, with the input's id, state and children. An action without an input stays.
 */
function callsAsOne(nodes: readonly Node[]): readonly Node[] {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const inputOf = (node: Node): Node | undefined => {
    const [input, ...others] = node.kind === "Action" ? (children.get(node.id) ?? []) : [];
    return input?.kind === "Action Input" && others.length === 0 ? input : undefined;
  };
  const taken = new Set<Node>();
  return nodes.flatMap((node) => {
    if (taken.has(node)) return [];
    const input = inputOf(node);
    if (input === undefined) return [node];
    taken.add(input);
    const { parent: _, ...call } = input;
    const label = callText({ name: node.label, text: input.label === withoutArguments ? "" : input.label });
    return [{ ...call, ...(node.parent !== undefined && { parent: node.parent }), kind: node.kind, label }];
  });
}

/** The label that a search writes for a call without arguments. */
const withoutArguments = "(nothing)";

/** Lists the answer key's dependencies that a step lacks, and its additional dependencies, if the suite reports them. */
function edges(detail: Node["detail"], which: "missed" | "extra"): string {
  const list =
    detail !== null && typeof detail === "object" && which in detail ? (detail as { [key: string]: Json })[which] : [];
  const names = Array.isArray(list) ? list.filter((each) => typeof each === "string").map(printable) : [];
  return names.length === 0 ? "" : `  ${which === "missed" ? "missing" : "extra"} ${names.join(", ")}`;
}

/** Shows the costs that order the nodes of a search: the sum, the cost so far, and the estimated remaining cost. */
function costs(detail: Node["detail"]): string {
  const [f, g, h] = ["f", "g", "h"].map((name) => field(detail, name));
  if (typeof f !== "number" || typeof g !== "number" || typeof h !== "number") return "";
  return `f ${f.toFixed(3)} = g ${g.toFixed(3)} + h ${h.toFixed(3)}  `;
}

/**
 * Returns the mistakes of each node's step: the step with the same number, or the only step with the node's title, possibly with
 * a suffix. Abandoned nodes have no step.
 */
function mistakesByNode(
  nodes: readonly Node[],
  mistakes: readonly Mistake[],
  task: TaskView | undefined,
): ReadonlyMap<string, readonly Mistake[]> {
  if (task === undefined || mistakes.length === 0) return new Map();
  const pairs = pairSteps(task);
  const kept = nodes.filter(({ state }) => state !== "pruned" && state !== "failed");
  const nodeOf = (step: number): Node | undefined => {
    const numbered = nodes.find(({ id }) => id === `step-${step + 1}`);
    const { title = "" } = task.plan[step] ?? {};
    const isOnlyOne = task.plan.filter((each) => each.title === title).length === 1;
    const called = kept.filter(
      ({ label }) => label === title || (/^[:(\s]/.test(label.slice(title.length)) && label.startsWith(title)),
    );
    return numbered ?? (title !== "" && isOnlyOne && called.length === 1 ? called[0] : undefined);
  };
  const byNode = new Map<string, Mistake[]>();
  for (const mistake of mistakes) {
    const step = pairOfMistake(mistake, pairs)?.plan;
    const id = step === undefined ? undefined : nodeOf(step)?.id;
    if (id !== undefined) byNode.set(id, [...(byNode.get(id) ?? []), mistake]);
  }
  return byNode;
}

/** Shows the node (the whole text in raw mode) and the mistakes of its step: beside the node if there is room, otherwise below. */
function nodeLines(node: Node, depth: number, mistakes: readonly Mistake[], view: View): Line[] {
  const line = nodeLine(node, depth, mistakes.length > 0, view);
  const texts = mistakes.map((mistake) => mistakeText(mistake, view));
  const [only = ""] = texts;
  if (texts.length === 1 && lineWidth(line) + width(only) + 2 <= view.columns)
    return [[...line, { text: `  ${only}`, style: "bad" }]];
  const indent = " ".repeat(2 * Math.min(depth, deepest) + 4);
  const below = texts.flatMap((text) => wrap(text, Math.max(10, view.columns - indent.length)));
  const [blanks, ...rest] = line;
  const shown = view.raw === true && view.wrapped ? wrapSpans(rest, Math.max(10, view.columns), blanks!.text) : [line];
  return [...shown, ...below.map((text): Line => [{ text: indent }, { text, style: "bad" }])];
}

function nodeLine(
  { kind, label, state, needs = [], detail }: Node,
  depth: number,
  isWrong: boolean,
  { symbols, raw = false }: View,
): Line {
  const wrong = `${edges(detail, "missed")}${edges(detail, "extra")}`;
  const [mark, style]: [string, Style] =
    state === "failed" || isWrong || wrong !== ""
      ? [symbols.wrong, "bad"]
      : state === "done"
        ? [symbols.right, "good"]
        : state === "pruned"
          ? ["-", "faint"]
          : [symbols.running, "accent"];
  const uses = needs.length === 0 ? "" : `  ${signs.left} ${needs.map(printable).join(", ")}`;
  return [
    { text: `  ${"  ".repeat(Math.min(depth, deepest))}` },
    { text: `${mark} `, style },
    { text: `${printable(kind)}  ${costs(detail)}`, style: "faint" },
    { text: printable(raw ? label : readableLine(label)), style: state === "pruned" ? "faint" : "plain" },
    { text: `${uses}${state === "pruned" ? "  pruned" : ""}`, style: "faint" },
    ...(wrong === "" ? [] : [{ text: wrong, style: "bad" } as const]),
  ];
}
