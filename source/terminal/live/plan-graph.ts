/**
 * Draws a plan or a search as a graph: a box for each node, layer below layer, and arrows to the nodes that use its result or
 * continue it.
 */
import type { Line, Span, Style } from "../../engine/figures/drawing/line.ts";
import type { TaskView } from "../../engine/loaded-suite.ts";
import type { Node } from "../../engine/log/trajectory.ts";
import { fit, pad, printable, wrap } from "../../engine/text/printable.ts";
import { readableLine } from "../../engine/text/call-text.ts";
import type { Symbols } from "../../look/signs.ts";

/** Minimum columns of a box with its borders, and of the space between two boxes, in which arrows pass a layer. */
const leastBox = 12;
const gap = 3;
/** Larger graphs are not laid out, because that would delay the screen. */
const mostNodes = 200;

type Placed = { readonly node: Node; readonly layer: number; slot: number };

/**
 * Returns the last `rows` lines of the graph; undefined if it does not fit into `columns`, in which case a list shows the same
 * nodes. If nodes depend on each other in a circle, one dependency is omitted.
 */
export function planGraph(
  nodes: readonly Node[],
  columns: number,
  rows: number,
  symbols: Symbols,
): readonly Line[] | undefined {
  if (nodes.length === 0 || nodes.length > mostNodes) return undefined;
  const placed = placedNodes(nodes);
  const layers = Map.groupBy(placed.values(), ({ layer }) => layer);
  const slots = Math.max(...placed.values().map(({ slot }) => slot)) + 1;
  const wide = Math.min(columns, Math.floor((columns + gap) / slots));
  if (wide - gap < leastBox && slots > 1) return undefined;
  const longest = Math.max(...nodes.map((node) => labelOf(node).length)) + 6;
  const box = Math.max(leastBox, Math.min(longest, wide - gap));
  const routes = routesOf(placed, layers.size, { wide, box });
  if (routes === undefined) return undefined;
  const isCut = box < longest;
  const all = [...(isCut ? [2] : []), 1, 0].map((labels) =>
    drawn({ placed, layers, routes, wide, box, labels, symbols }),
  );
  return (all.find((lines) => lines.length <= rows) ?? all.at(-1)!).slice(-rows);
}

/** Returns the nodes of a plan with known dependencies, failed if they have a mistake; empty if no step depends on another. */
export function nodesOfPlan({ plan }: Pick<TaskView, "plan">, isOpen: boolean): readonly Node[] {
  if (plan.every(({ needs }) => needs.length === 0)) return [];
  return plan.map(({ title, needs }, index): Node => ({
    type: "node",
    id: `step-${index + 1}`,
    kind: "step",
    label: title,
    needs: needs.map((need) => `step-${need + 1}`),
    state: isOpen && index === plan.length - 1 ? "open" : "done",
  }));
}

const sourcesOf = ({ needs, parent }: Node): readonly string[] =>
  needs !== undefined && needs.length > 0 ? needs : parent === undefined ? [] : [parent];

/** Places each node one layer below its last dependency, and below its first dependency if that position is free. */
function placedNodes(nodes: readonly Node[]): ReadonlyMap<string, Placed> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const depths = new Map<string, number>();
  const open = new Set<string>();
  const depthOf = (node: Node): number => {
    const before = depths.get(node.id);
    if (before !== undefined) return before;
    open.add(node.id);
    const above = sourcesOf(node).flatMap((id) => (open.has(id) ? [] : (known.get(id) ?? [])));
    const depth = above.reduce((most, each) => Math.max(most, depthOf(each) + 1), 0);
    open.delete(node.id);
    depths.set(node.id, depth);
    return depth;
  };
  const placed = new Map<string, Placed>();
  const taken = new Set<string>();
  for (const node of nodes.toSorted((one, other) => depthOf(one) - depthOf(other))) {
    const layer = depthOf(node);
    let slot = placed.get(sourcesOf(node)[0] ?? "")?.slot ?? 0;
    while (taken.has(`${layer} ${slot}`)) slot += 1;
    taken.add(`${layer} ${slot}`);
    placed.set(node.id, { node, layer, slot });
  }
  return placed;
}

/** An arrow; an arrow that passes layers does so in a free column, `lane`. */
type Route = { readonly from: Placed; readonly to: Placed; readonly lane: number | undefined };
type Widths = { readonly wide: number; readonly box: number };

const middleOf = ({ slot }: Placed, { wide, box }: Widths): number => slot * wide + (box >> 1);

/** Returns undefined if arrows of two nodes would have to share a column. */
function routesOf(placed: ReadonlyMap<string, Placed>, layers: number, widths: Widths): readonly Route[] | undefined {
  const { wide, box } = widths;
  const owners = new Map<string, string>();
  const slots = Math.max(...placed.values().map(({ slot }) => slot)) + 1;
  const free = Array.from({ length: slots * gap }, (_, at) => Math.floor(at / gap) * wide + box + (at % gap)).filter(
    (lane) => lane < slots * wide - 1,
  );
  const routes: Route[] = [];
  for (const to of placed.values())
    for (const from of sourcesOf(to.node).flatMap((id) => placed.get(id) ?? [])) {
      if (from.layer >= to.layer || from.layer >= layers) continue;
      if (to.layer === from.layer + 1) {
        routes.push({ from, to, lane: undefined });
        continue;
      }
      const passed = Array.from({ length: to.layer - from.layer - 1 }, (_, at) => from.layer + 1 + at);
      const near = (lane: number) => Math.abs(lane - middleOf(from, widths));
      const lane = free
        .toSorted((one, other) => near(one) - near(other))
        .find((each) => passed.every((layer) => (owners.get(`${layer} ${each}`) ?? from.node.id) === from.node.id));
      if (lane === undefined) return undefined;
      for (const layer of passed) owners.set(`${layer} ${lane}`, from.node.id);
      routes.push({ from, to, lane });
    }
  return routes;
}

type Drawing = Widths & {
  readonly placed: ReadonlyMap<string, Placed>;
  readonly layers: ReadonlyMap<number, readonly Placed[]>;
  readonly routes: readonly Route[];
  /** Rows for the label in a box; with 0, a node takes one row, without borders. */
  readonly labels: number;
  readonly symbols: Symbols;
};

const [up, down, left, right] = [1, 2, 4, 8];

/** Stores lines as directions in cells, so that lines that meet are joined. */
class Strokes {
  readonly #cells = new Map<number, number[]>();

  vertical(column: number, from: number, to: number): void {
    for (let row = from; row <= to; row++) this.#add(row, column, (row > from ? up : 0) | (row < to ? down : 0));
  }

  horizontal(row: number, one: number, other: number): void {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    for (let column = from; column <= to; column++)
      this.#add(row, column, (column > from ? left : 0) | (column < to ? right : 0));
  }

  #add(row: number, column: number, directions: number): void {
    const cells = this.#cells.get(row) ?? [];
    cells[column] = (cells[column] ?? 0) | directions;
    this.#cells.set(row, cells);
  }

  row(row: number, symbols: Symbols): string {
    return Array.from(this.#cells.get(row) ?? [], (directions) => strokeSign(directions ?? 0, symbols)).join("");
  }
}

function strokeSign(directions: number, symbols: Symbols): string {
  const { rule, bar, topLeft, topRight, bottomLeft, bottomRight, branchDown, branchUp, pathUser, cap, crossing } =
    symbols;
  const by: Readonly<Record<number, string>> = {
    0: " ",
    [down | right]: topLeft,
    [down | left]: topRight,
    [up | right]: bottomLeft,
    [up | left]: bottomRight,
    [down | left | right]: branchDown,
    [up | left | right]: branchUp,
    [up | down | right]: pathUser,
    [up | down | left]: cap,
    [up | down | left | right]: crossing,
  };
  return by[directions] ?? ((directions & (left | right)) === 0 ? bar : rule);
}

function drawn(drawing: Drawing): Line[] {
  const { layers, routes, labels } = drawing;
  const lines: Line[] = [];
  for (let layer = 0; layer < layers.size; layer++) {
    if (layer > 0) lines.push(...channelLines(drawing, layer));
    const passing = routes.filter(({ from, to, lane }) => lane !== undefined && from.layer < layer && layer < to.layer);
    const uses = new Set(routes.filter(({ from }) => from.layer === layer).map(({ from }) => from.node.id));
    for (let row = 0; row < (labels === 0 ? 1 : labels + 2); row++)
      lines.push(layerLine(drawing, layers.get(layer) ?? [], passing, row, uses));
  }
  return lines;
}

/** Draws one of the rows of a layer's boxes, and the arrows that pass it. */
function layerLine(
  { box, wide, labels, symbols }: Drawing,
  layer: readonly Placed[],
  passing: readonly Route[],
  row: number,
  uses: ReadonlySet<string>,
): Line {
  const parts: { readonly at: number; readonly spans: Line }[] = [
    ...layer.map(({ node, slot }) => ({
      at: slot * wide,
      spans: boxRow(node, row, { box, labels }, uses.has(node.id), symbols),
    })),
    ...[...new Set(passing.map(({ lane }) => lane!))].map((at) => ({
      at,
      spans: [{ text: symbols.bar, style: "rule" } as const],
    })),
  ];
  let column = 0;
  return parts
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ at, spans }): Line => {
      const blanks: Span = { text: " ".repeat(Math.max(0, at - column)) };
      column = at + spans.reduce((sum, { text }) => sum + text.length, 0);
      return [blanks, ...spans];
    });
}

function boxRow(
  node: Node,
  row: number,
  { box, labels }: Pick<Drawing, "box" | "labels">,
  hasBelow: boolean,
  symbols: Symbols,
): Line {
  const { rule, bar, topLeft, topRight, bottomLeft, bottomRight, branchDown } = symbols;
  const { sign, style: ink } = stateOf(node, symbols);
  const labelStyle = node.state === "pruned" ? "faint" : "plain";
  if (labels === 0) {
    const text = pad(fit(labelOf(node), box - 2), box - 2);
    return [
      { text: `${sign} `, style: ink },
      { text, style: labelStyle },
    ];
  }
  const style: Style = ink === "accent" ? "accent" : "rule";
  if (row === 0) return [{ text: `${topLeft}${rule.repeat(box - 2)}${topRight}`, style }];
  if (row > labels) {
    const middle = (box >> 1) - 1;
    const below = hasBelow ? branchDown : rule;
    return [
      { text: `${bottomLeft}${rule.repeat(middle)}${below}${rule.repeat(box - 3 - middle)}${bottomRight}`, style },
    ];
  }
  const room = box - 6;
  const label = labelOf(node);
  const first = labels === 1 ? label : (wrap(label, room)[0] ?? "");
  const text = row === 1 ? first : label.slice(first.length).trimStart();
  return [
    { text: `${bar} `, style },
    { text: row === 1 ? `${sign} ` : "  ", style: ink },
    { text: pad(fit(text, room), room), style: labelStyle },
    { text: ` ${bar}`, style },
  ];
}

function stateOf({ state }: Node, symbols: Symbols): { readonly sign: string; readonly style: Style } {
  if (state === "done") return { sign: symbols.right, style: "good" };
  if (state === "failed") return { sign: symbols.wrong, style: "bad" };
  return state === "pruned" ? { sign: symbols.dot, style: "faint" } : { sign: symbols.running, style: "accent" };
}

/** Steps of a plan have the number that others refer to. */
function labelOf({ id, label }: Node): string {
  const [, number] = /^step-(\d+)$/.exec(id) ?? [];
  return `${number === undefined ? "" : `${number} `}${printable(readableLine(label))}`;
}

/** Draws the arrows between two layers: each node that is used has a separate row unless its arrow goes straight down. */
function channelLines(drawing: Drawing, below: number): Line[] {
  const { routes, symbols } = drawing;
  const middle = (node: Placed) => middleOf(node, drawing);
  // The columns of the arrows' starts above, by their sources, and of their ends below.
  const ways = new Map<string, { readonly begin: number; readonly ends: Set<number>; readonly arrows: Set<number> }>();
  const add = (key: string, begin: number, end: number, isArrow: boolean) => {
    const way = ways.get(key) ?? { begin, ends: new Set(), arrows: new Set() };
    way.ends.add(end);
    if (isArrow) way.arrows.add(end);
    ways.set(key, way);
  };
  const passing = new Set<number>();
  for (const { from, to, lane } of routes) {
    if (lane === undefined) {
      if (to.layer === below) add(from.node.id, middle(from), middle(to), true);
      continue;
    }
    if (from.layer === below - 1) add(from.node.id, middle(from), lane, false);
    else if (to.layer === below) add(`${from.node.id} in ${lane}`, lane, middle(to), true);
    // A lane that ends here may also go on to a later step.
    if (from.layer < below - 1 && to.layer > below) passing.add(lane);
  }
  const bent = [...ways.values()].filter(({ begin, ends }) => [...ends].some((end) => end !== begin));
  const height = bent.length + 1;
  const strokes = new Strokes();
  const arrows = new Set([...ways.values()].flatMap((way) => [...way.arrows]));
  for (const way of ways.values()) {
    const row = bent.indexOf(way);
    if (row < 0) strokes.vertical(way.begin, -1, height);
    else {
      strokes.vertical(way.begin, -1, row);
      for (const end of way.ends) {
        strokes.horizontal(row, way.begin, end);
        strokes.vertical(end, row, height);
      }
    }
  }
  for (const lane of passing) strokes.vertical(lane, -1, height);
  return Array.from({ length: height }, (_, row): Line => {
    const text = strokes.row(row, symbols);
    if (row < height - 1) return [{ text, style: "rule" }];
    return [{ text: Array.from(text, (sign, at) => (arrows.has(at) ? symbols.down : sign)).join(""), style: "rule" }];
  });
}
