/** The trajectories in the lanes; those of ended tasks are read from the log. */
import { useState } from "react";
import type { BoardTask, Workbench } from "../../engine/workbench/workbench.ts";
import { useTrajectory } from "../trajectory/use-trajectory.ts";
import { lastUsed, RepeatedTexts, WrappedTexts } from "../drawing/wrapped-text.ts";
import { type Lane, assignLanes, restingLanes } from "./lanes.ts";

export type LaneChoice = {
  readonly run: string;
  readonly board: readonly BoardTask[];
  readonly count: number;
  /** True if the run executes. */
  readonly executes: boolean;
  /** Always visible. */
  readonly pinned: string | undefined;
  readonly active: boolean;
};

/** Returns `count` lanes, at most four, because the number of hook calls must not change. */
export function useLanes(workbench: Workbench, choice: LaneChoice): readonly Lane[] {
  const { run, board, count, executes, pinned, active } = choice;
  const [held, setHeld] = useState<{ readonly run: string; readonly tasks: readonly string[] }>({ run, tasks: [] });
  const before = held.run === run ? held.tasks : [];
  const tasks = executes
    ? assignLanes(before, named(board.filter(({ state }) => state === "running")), count, pinned)
    : restingLanes(before, named(board), count, pinned);
  const chosen = pinned ?? (executes ? undefined : tasks[0]);
  if (active && tasks !== before) setHeld({ run, tasks });
  const own = [0, 1, 2, 3].map((lane) => (lane < count ? tasks[lane] : undefined));
  const loaded = [
    useLane(workbench, run, own[0], active),
    useLane(workbench, run, own[1], active),
    useLane(workbench, run, own[2], active),
    useLane(workbench, run, own[3], active),
  ];
  return own.slice(0, count).map((task, lane): Lane => ({
    task: task === undefined ? undefined : board.find((each) => each.task === task),
    trajectory: task === undefined ? undefined : loaded[lane],
    chosen: task !== undefined && task === chosen,
  }));
}

function named(tasks: readonly BoardTask[]): readonly string[] {
  return tasks.map(({ task }) => task);
}

function useLane(workbench: Workbench, run: string, task: string | undefined, active: boolean) {
  return useTrajectory(workbench, { run, task: task ?? "" }, active && task !== undefined, { withView: false })
    .trajectory;
}

/** Limit of tasks whose wrapped texts are kept; more than lanes, because lanes change. */
const mostTexts = 8;

/** Returns the wrapped texts of each task; those not used lately are dropped. */
export function openTexts(): (task: string) => WrappedTexts {
  const repeated = new RepeatedTexts();
  return lastUsed(mostTexts, () => new WrappedTexts(repeated));
}
