import { standingErrors } from "../../../engine/log/rows/verdict.ts";
import type { TaskView } from "../../../engine/loaded-suite.ts";
import type { Trajectory } from "../../../engine/log/trajectory.ts";
import { type Block, blockOf } from "../block.ts";
import { checkBlocks } from "./check-blocks.ts";
import { planBlocks } from "./plan-blocks.ts";
import { rawBlocks } from "./raw-blocks.ts";
import type { Section } from "./sections.ts";
import { stepBlocks, stepBlocksAround } from "./step-blocks.ts";
import { treeBlocks } from "./tree-blocks.ts";
import type { View } from "../view.ts";
import { plural } from "../../drawing/amount.ts";
import type { Position } from "../position.ts";

/** Returns all blocks of one section; `task` is undefined while it is loaded, and if the data no longer contains it. */
export function blocksOf(
  section: Section,
  trajectory: Trajectory,
  task: TaskView | undefined,
  view: View,
): readonly Block[] {
  switch (section) {
    case "plan":
      if (task === undefined) return [blockOf("no view", [[{ text: "  There is no plan to show", style: "faint" }]])];
      return planBlocks(task, standingErrors(trajectory.score?.errors ?? []), trajectory.ended, view);
    case "steps":
      return stepBlocks(trajectory, view);
    case "checks":
      return checkBlocks(trajectory, task, view);
    case "raw":
      return rawBlocks(trajectory, view);
    case "tree":
      return treeBlocks(trajectory.nodes, view, { mistakes: standingErrors(trajectory.score?.errors ?? []), task });
  }
}

/** Limit of entries that are drawn within a few milliseconds. */
const mostEntries = 100;
/** Limit of nodes, which are lines, for the same time. */
const mostNodes = 500;

export function isLong({ entries, nodes }: Trajectory): boolean {
  return entries.length > mostEntries || nodes.length > mostNodes;
}

/** Returns true if `previewBlocks` cuts this section of a long trajectory, which the preview itself does not show. */
export function isCut(section: Section, { entries }: Trajectory): boolean {
  return (section === "steps" || section === "raw") && entries.length > mostEntries;
}

/**
 * Draws only the given number of lines before and after the cursor, or the beginning; sections that do not grow with
 * the trajectory are complete. Mistakes are not marked, because placing them needs all entries.
 */
export function previewBlocks(
  section: Section,
  trajectory: Trajectory,
  task: TaskView | undefined,
  view: View,
  place: Position,
  lines: number,
): readonly Block[] {
  const { entries, nodes } = trajectory;
  const at = place.seen === undefined ? Infinity : Number(/^(?:step|request) (\d+)/.exec(place.block)?.[1] ?? 0);
  if (section === "steps") return stepBlocksAround(Math.min(at, entries.length), trajectory, view, lines);
  if (section === "raw") return rawBlocks(trajectory, view, { at, lines });
  const shown = blocksOf(section, { ...trajectory, nodes: nodes.slice(0, mostNodes) }, task, view);
  if (section !== "tree" || nodes.length <= mostNodes) return shown;
  const more = `  ${view.symbols.more} ${plural(nodes.length - mostNodes, "more node")}: Enter opens all`;
  return [...shown, blockOf("rest", [[], [{ text: more, style: "faint" }]])];
}
