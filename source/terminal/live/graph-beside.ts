/** Graphs of the watched tasks' plans, beside their lanes in a wide window. */
import { useEffect, useState } from "react";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { emptyTrajectory, type Node, type Trajectory } from "../../engine/log/trajectory.ts";
import { printable } from "../../engine/text/printable.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { bordered, wideFrom } from "../../look/spacing.ts";
import type { Symbols } from "../../look/signs.ts";
import { joinedLine } from "../drawing/abreast.ts";
import { between } from "../frame/panes.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { treeBlocks } from "../trajectory/sections/tree-blocks.ts";
import type { View } from "../trajectory/view.ts";
import { type Lane, laneHeight, laneRows, type Size } from "./lanes.ts";
import { nodesOfPlan, planGraph } from "./plan-graph.ts";

const graphColumns = 46;

/** Returns true if graphs are next to the lanes instead of below them. */
export const isBeside = (columns: number): boolean => columns >= wideFrom - bordered.columns;

export const besideGraphs = ({ columns, rows }: Size): Size => ({ columns: columns - graphColumns - between, rows });

/** The rows of the last frame; an unchanged row stays the same object. */
export type KnownGraphs = { readonly left: Line; readonly right: Line; readonly row: Line }[];

/**
 * Draws the graph of one task beside each row of lanes: the selected task, otherwise the first task that is running or has a
 * graph.
 */
export function withGraphs(
  body: readonly Line[],
  lanes: readonly Lane[],
  size: Size,
  isDialogue: boolean,
  known: KnownGraphs,
  viewOf: (lane: Lane, columns: number) => View,
): readonly Line[] {
  const counts = laneRows(lanes.length, size.columns, isDialogue);
  const height = laneHeight(size.rows, counts.length);
  let next = 0;
  const graphs = counts.flatMap((count): readonly Line[] => {
    const own = lanes.slice(next, (next += count)).filter(({ nodes }) => nodes.length > 0);
    const lane = own.find(({ chosen }) => chosen) ?? own.find(({ task }) => task?.state === "running") ?? own[0];
    const lines = lane === undefined ? [] : graphOf(lane, height, viewOf(lane, graphColumns));
    return [...Array.from({ length: height }, (_, row) => lines[row] ?? nothing), nothing];
  });
  return body.map((left, at) => {
    const right = graphs[at] ?? nothing;
    const before = known[at];
    if (before?.left === left && before.right === right) return before.row;
    const columnsOf = (side: number) => (side === 0 ? size.columns : graphColumns);
    const { symbols } = viewOf(lanes[0]!, graphColumns);
    const row = joinedLine([left, right], columnsOf, { text: ` ${symbols.bar} `, style: "rule" });
    known[at] = { left, right, row };
    return row;
  });
}

const nothing: Line = [];

type Drawn = { readonly rows: number; readonly symbols: Symbols; readonly lines: readonly Line[] };

/** The last drawings by their nodes, which stay the same object while a reply is streamed. */
const newDrawn = () => new WeakMap<readonly Node[], Drawn>();

/** Draws the graph below the name of its task, or a list if the graph does not fit. */
function graphOf({ task, nodes }: Lane, rows: number, view: View): readonly Line[] {
  const { symbols } = view;
  const kept = view.texts.kept(newDrawn);
  const before = kept.get(nodes);
  if (before?.rows === rows && before.symbols === symbols) return before.lines;
  const title: Line = [{ text: `plan of ${printable(task?.task ?? "")}`, style: "faint" }];
  const blocks = treeBlocks(nodes, view);
  const list = () => visibleLines(blocks, Math.max(0, linesOf(blocks) - rows + 1), rows - 1);
  const lines = [title, ...(planGraph(nodes, graphColumns, rows - 1, symbols) ?? list())];
  kept.set(nodes, { rows, symbols, lines });
  return lines;
}

const none: readonly Node[] = [];

/** Number of characters at which a reply without a plan is read no further until it has ended; a longer reply has no plan. */
const longestBegin = 600;
const longestPlan = 8_000;

/**
 * Returns the nodes that a strategy builds, or the steps of the plan in a reply so far, if the suite knows their dependencies.
 */
export function useLaneNodes(
  workbench: Workbench,
  { run, task }: TaskRef,
  trajectory: Trajectory | undefined,
  isWanted: boolean,
): readonly Node[] {
  const [read, setRead] = useState<{ readonly of: string; readonly nodes: readonly Node[] }>();
  const turn = trajectory?.entries.findLast((entry) => entry.kind === "turn");
  const built = trajectory?.nodes ?? none;
  const isOpen = turn?.finish === undefined;
  const of = `${run} ${task}`;
  const known = read?.of === of ? read.nodes : none;
  const most = known.length > 0 ? longestPlan : longestBegin;
  const isRead =
    isWanted && built.length === 0 && turn !== undefined && turn.text.length <= (isOpen ? most : longestPlan);
  // A plan has a step a line: the growing one is not read again with each word.
  const text = !isRead ? "" : isOpen ? turn.text.slice(0, turn.text.lastIndexOf("\n") + 1) : turn.text;
  useEffect(() => {
    if (!isRead || text === "") return;
    let isLeft = false;
    // Data that are gone have no plan to show; the conversation shows everything else.
    workbench.taskView({ run, task }, { ...emptyTrajectory(task), answer: text }).then(
      (view) => !isLeft && setRead({ of, nodes: view === undefined ? none : nodesOfPlan(view, isOpen) }),
      () => {},
    );
    return () => {
      isLeft = true;
    };
  }, [workbench, run, task, of, isRead, text, isOpen]);
  return built.length > 0 ? built : isWanted ? known : none;
}
