/** A trajectory in a lane: its heading, and the end of the conversation. */
import { standingErrors } from "../../engine/log/verdict.ts";
import { type Line, fitLine, lineWidth } from "../../engine/figures/drawing/line.ts";
import { printable } from "../../engine/text/printable.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { BoardTask } from "../../engine/workbench/workbench.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import { visibleLines } from "../trajectory/position.ts";
import { lastStepBlocks } from "../trajectory/step-blocks.ts";
import type { View } from "../trajectory/view.ts";
import type { LaneText, LaneTops } from "./lane-tops.ts";

export type Lane = {
  readonly task: BoardTask | undefined;
  readonly trajectory: Trajectory | undefined;
  readonly chosen: boolean;
};

/** Exactly `height` lines of each lane. */
export function laneLines(
  lanes: readonly Lane[],
  views: readonly View[],
  height: number,
  tops: LaneTops,
  theme: Theme,
): Line[][] {
  const room = height - 1;
  const texts = lanes.map(({ task, trajectory }, index): LaneText => ({
    task: task?.task ?? "",
    running: task?.state === "running",
    blocks: trajectory === undefined ? [] : lastStepBlocks(trajectory, views[index]!, room),
  }));
  const from = tops.of(texts, room);
  return lanes.map((lane, index) => {
    const text = visibleLines(texts[index]!.blocks, from[index]!, room);
    return filled([laneHead(lane, theme), ...text], height);
  });
}

export function laneHead({ task, trajectory, chosen }: Lane, theme: Theme): Line {
  if (task === undefined) return [{ text: " no task in flight", style: "faint" }];
  const mark = markOf(task.state, theme.symbols);
  // A task that was stopped waits to be resumed: that is no mistake.
  const failure = task.state === "waiting" ? undefined : trajectory?.failure?.kind;
  const mistake = standingErrors(trajectory?.score?.errors ?? [])[0]?.kind ?? failure ?? "";
  return [
    { text: chosen ? `${theme.symbols.pointer} ` : "  ", style: "accent" },
    { text: `${mark.sign} ${printable(task.task)} ${mark.word} `, style: mark.style },
    { text: trajectory?.worker === undefined ? "" : `on ${printable(trajectory.worker)} `, style: "accent" },
    { text: mistake === "" ? "" : `${printable(mistake)} `, style: "bad" },
    { text: printable(task.question), style: "faint" },
  ];
}

function filled(lines: readonly Line[], height: number): Line[] {
  return Array.from({ length: height }, (_, index) => lines[index] ?? []);
}

/** Lanes beside each other as whole lines, so that each row of the window is one text. */
export function sideBySide(lanes: readonly (readonly Line[])[], columns: number, height: number, bar: string): Line[] {
  if (lanes.length === 1) return [...lanes[0]!];
  return Array.from({ length: height }, (_, row) =>
    lanes.flatMap((lines, index): Line => {
      const line = fitLine(lines[row] ?? [], columns);
      if (index === lanes.length - 1) return line;
      return [...line, { text: " ".repeat(columns - lineWidth(line)) }, { text: ` ${bar} `, style: "rule" }];
    }),
  );
}
