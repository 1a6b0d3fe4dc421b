/** Of a long trajectory, what is drawn beside a list whose keys would wait for all of it. */
import type { TaskView } from "../../engine/loaded-suite.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { plural } from "../drawing/amount.ts";
import { type Block, blockOf } from "./block.ts";
import { blocksOf } from "./section-blocks.ts";
import type { Section } from "./sections.ts";
import { lastStepBlocks } from "./step-blocks.ts";
import type { View } from "./view.ts";

/** Entries, or nodes, of which all are drawn. */
const most = 500;

export function isLong({ entries, nodes }: Trajectory): boolean {
  return Math.max(entries.length, nodes.length) > most;
}

/**
 * Its beginning, or, of one that still grows, so many lines of its end; what does not grow with it is there in full. Where its mistakes
 * were made is looked for in all of it, so none is marked here.
 */
export function previewBlocks(
  section: Section,
  trajectory: Trajectory,
  task: TaskView | undefined,
  view: View,
  lines: number,
): readonly Block[] {
  const { entries, nodes, score, ended } = trajectory;
  const shown = (part: Partial<Trajectory>) => blocksOf(section, { ...trajectory, ...part }, task, view);
  const rest = (all: readonly unknown[]): readonly Block[] =>
    all.length <= most
      ? []
      : [note(`${view.symbols.more} ${plural(all.length - most, "more step")}: Enter opens all, with mistakes marked`)];
  switch (section) {
    case "steps":
      if (!ended) return lastStepBlocks(trajectory, view, lines);
      return [
        ...shown({ entries: entries.slice(0, most), ...(score !== undefined && { score: { ...score, errors: [] } }) }),
        ...rest(entries),
      ];
    case "raw":
      return [...shown({ entries: entries.slice(0, most) }), ...rest(entries)];
    case "tree":
      return [...shown({ nodes: nodes.slice(0, most) }), ...rest(nodes)];
    default:
      return shown({});
  }
}

function note(text: string): Block {
  return blockOf("rest", [[], [{ text: `  ${text}`, style: "faint" }]]);
}
