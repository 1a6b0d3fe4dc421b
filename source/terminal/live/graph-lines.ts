/** The plan or search tree of the first lane, growing below it. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { linesOf, visibleLines } from "../trajectory/position.ts";
import { treeBlocks } from "../trajectory/sections/tree-blocks.ts";
import type { View } from "../trajectory/view.ts";

/** With fewer lines, the conversation gets all of them. */
const least = 14;

/** The latest nodes in at most a third of the space, below a rule; nothing where there are no nodes or no space. */
export function graphLines(trajectory: Trajectory | undefined, view: View, room: number): readonly Line[] {
  if (trajectory === undefined || trajectory.nodes.length === 0 || room < least) return [];
  const blocks = treeBlocks(trajectory.nodes, view);
  const all = linesOf(blocks);
  const height = Math.min(all, Math.floor(room / 3) - 1);
  const { rule } = view.symbols;
  const title = ` steps and their dependencies: ${all}${all > height ? `, the last ${height}` : ""} `;
  const dashes = rule.repeat(Math.max(0, view.columns - title.length - 1));
  const head: Line = [
    { text: rule, style: "rule" },
    { text: title, style: "faint" },
    { text: dashes, style: "rule" },
  ];
  return [head, ...visibleLines(blocks, all - height, height)];
}
