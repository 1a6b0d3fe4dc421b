/** The trajectories in the lanes, newest state first; what ended stays readable from the log. */
import { useRef } from "react";
import type { BoardTask, Workbench } from "../../engine/workbench/workbench.ts";
import { useTrajectory } from "../trajectory/use-trajectory.ts";
import { WrappedTexts } from "../drawing/wrapped-text.ts";
import type { Lane } from "./lane-lines.ts";
import { assignLanes } from "./lanes.ts";

export type LaneChoice = {
  readonly run: string;
  readonly board: readonly BoardTask[];
  readonly count: number;
  /** Seen in any case. */
  readonly pinned: string | undefined;
  readonly active: boolean;
};

/** As many as `count`, at most four: hooks cannot be called in a loop that changes its length. */
export function useLanes(workbench: Workbench, choice: LaneChoice): readonly Lane[] {
  const { run, board, count, pinned, active } = choice;
  const held = useRef<{ readonly run: string; readonly tasks: readonly string[] }>({ run, tasks: [] });
  const running = board.filter(({ state }) => state === "running").map(({ task }) => task);
  const before = held.current.run === run ? held.current.tasks : [];
  const tasks = assignLanes(before, running, count, pinned);
  if (active) held.current = { run, tasks };
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
    chosen: task !== undefined && task === pinned,
  }));
}

function useLane(workbench: Workbench, run: string, task: string | undefined, active: boolean) {
  return useTrajectory(workbench, { run, task: task ?? "" }, active && task !== undefined, { withView: false })
    .trajectory;
}

/** Broken lines by task; those of tasks that left the lanes are forgotten. */
export function useTexts(): (task: string) => WrappedTexts {
  const kept = useRef(new Map<string, WrappedTexts>());
  return (task) => {
    const texts = kept.current.get(task) ?? new WrappedTexts();
    kept.current.delete(task);
    kept.current.set(task, texts);
    if (kept.current.size > 8) kept.current.delete(kept.current.keys().next().value!);
    return texts;
  };
}
