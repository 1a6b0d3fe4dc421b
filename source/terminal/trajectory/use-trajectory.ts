/** A task's trajectory while it is played, and as it was saved when it is not. */
import { useEffect, useRef, useState } from "react";
import type { TaskView } from "../../engine/loaded-suite.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { useTerminal } from "../terminal.ts";

export type Loaded = {
  readonly trajectory: Trajectory | undefined;
  readonly view: TaskView | undefined;
  readonly live: boolean;
  /** Neither is there yet. */
  readonly loading: boolean;
};

type Kept = {
  readonly key: string;
  readonly trajectory: Trajectory | undefined;
  readonly view?: TaskView | undefined;
  /** Read while the task was being played. */
  readonly running?: boolean;
};

/**
 * Asks the workbench anew at every drawing, so the caller must draw when the workbench changes. `withView` asks for the
 * plan too; with another `edition` a saved trajectory is read again.
 */
export function useTrajectory(
  workbench: Workbench,
  ref: TaskRef,
  active: boolean,
  { withView = true, edition = 0 }: { readonly withView?: boolean; readonly edition?: number } = {},
): Loaded {
  const { notices } = useTerminal();
  const [kept, setKept] = useState<Kept>();
  const live = active ? workbench.live(ref) : undefined;
  const running = live !== undefined;
  const key = `${ref.run} ${ref.task}`;
  // What was seen last stays until the saved trajectory has been read.
  const seen = useRef<Kept>(undefined);
  if (live !== undefined) seen.current = { key, trajectory: live };
  useEffect(() => {
    if (!active) return;
    let wanted = true;
    const { run, task } = ref;
    const tell = (error: unknown) => {
      if (wanted) notices.say(error instanceof Error ? error.message : String(error), "bad");
      return undefined;
    };
    // Data that is gone must not hide what was said.
    const plan = withView ? workbench.taskView({ run, task }).catch(tell) : undefined;
    const both = Promise.all([workbench.trajectory({ run, task }).catch(tell), plan]);
    void both.then(([trajectory, view]) => wanted && setKept({ key, trajectory, view, running }));
    return () => {
      wanted = false;
    };
    // `ref` is said by `key`; a task that ended or was started again is read again.
  }, [key, running, active, edition]);
  const own = kept?.key === key ? kept : undefined;
  const last = own?.running === running ? own : seen.current?.key === key ? seen.current : own;
  return {
    trajectory: live ?? last?.trajectory,
    view: own?.view,
    live: running,
    loading: live === undefined && own === undefined,
  };
}
