import { standingErrors } from "../../../engine/log/rows/verdict.ts";
import type { TaskView } from "../../../engine/loaded-suite.ts";
import type { Trajectory } from "../../../engine/log/trajectory.ts";
import { type Block, blockOf } from "../block.ts";
import { checkBlocks } from "./check-blocks.ts";
import { planBlocks } from "./plan-blocks.ts";
import { rawBlocks } from "./raw-blocks.ts";
import type { Section } from "./sections.ts";
import { stepBlocks } from "./step-blocks.ts";
import { treeBlocks } from "./tree-blocks.ts";
import type { View } from "../view.ts";

/** All blocks of one section; `task` is undefined while it is loaded, and where the data no longer has it. */
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
    default:
      section satisfies never;
      return [];
  }
}
