/** Of a long trajectory, what is drawn beside a list whose keys would wait for all of it. */
import type { TaskView } from "../../../engine/loaded-suite.ts";
import type { Trajectory } from "../../../engine/log/trajectory.ts";
import { plural } from "../../drawing/amount.ts";
import { type Block, blockOf } from "../block.ts";
import type { Position } from "../position.ts";
import { rawBlocks } from "./raw-blocks.ts";
import { blocksOf } from "./section-blocks.ts";
import type { Section } from "./sections.ts";
import { stepBlocksAround } from "./step-blocks.ts";
import type { View } from "../view.ts";

/** Entries that are all drawn within a few milliseconds. */
const mostEntries = 100;
/** The same of nodes, which are lines. */
const mostNodes = 500;

export function isLong({ entries, nodes }: Trajectory): boolean {
  return entries.length > mostEntries || nodes.length > mostNodes;
}

/** Whether this section of a long trajectory is longer than what `previewBlocks` draws of it: it says so nowhere itself. */
export function isCut(section: Section, { entries }: Trajectory): boolean {
  return (section === "steps" || section === "raw") && entries.length > mostEntries;
}

/**
 * So many lines before and after where it is read, or its beginning; what does not grow with it is there in full. Where its mistakes
 * were made is looked for in all of it, so none is marked here.
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
