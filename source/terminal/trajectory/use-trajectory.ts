/** The trajectory of a task: live while the task is running, otherwise from the log. */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { TaskView } from "../../engine/loaded-suite.ts";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { useTerminal } from "../terminal.ts";

type Kept = {
  readonly key: string;
  readonly trajectory: Trajectory | undefined;
  readonly view?: TaskView | undefined;
  /** True if it was read while the task was running. */
  readonly running?: boolean;
};

/**
 * Reads the live trajectory at every render, so the caller must render when the workbench changes. `withView` loads the
 * plan too; a new `edition` reads a saved trajectory again.
 */
export function useTrajectory(
  workbench: Workbench,
  ref: TaskRef,
  active: boolean,
  { withView = true, edition = 0 }: { readonly withView?: boolean; readonly edition?: number } = {},
) {
  const { notices } = useTerminal();
  const { run, task } = ref;
  const [kept, setKept] = useState<Kept>();
  const live = active ? workbench.live(ref) : undefined;
  const running = live !== undefined;
  const key = `${run} ${task}`;
  const seen = useLastLive(workbench, ref, active);
  useEffect(() => {
    if (!active) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const fail = (error: unknown) => {
      if (!signal.aborted) notices.say(error instanceof Error ? error.message : String(error), "bad");
      return undefined;
    };
    const read = async () => {
      const trajectory = await workbench.trajectory({ run, task }, signal).catch(fail);
      if (signal.aborted) return;
      // The conversation is shown even if the data of the task is gone.
      const view = withView ? await workbench.taskView({ run, task }, trajectory).catch(fail) : undefined;
      if (!signal.aborted) setKept({ key, trajectory, view, running });
    };
    void read();
    return () => leaving.abort();
    // `running` and `edition` are dependencies, because a task that ended, was re-run or re-scored is read again.
  }, [key, run, task, running, active, edition, withView, workbench, notices]);
  const own = kept?.key === key ? kept : undefined;
  const last = own?.running === running ? own : (seen ?? own);
  return {
    trajectory: live ?? last?.trajectory,
    view: own?.view,
    live: running,
    /** True until one of them has arrived. */
    loading: live === undefined && own === undefined,
  };
}

/** Returns the last live trajectory of this task, shown after its end until the saved trajectory has been read. */
function useLastLive(workbench: Workbench, { run, task }: TaskRef, active: boolean): Kept | undefined {
  const last = useRef<Kept>(undefined);
  const read = useCallback(() => {
    const key = `${run} ${task}`;
    const trajectory = active ? workbench.live({ run, task }) : undefined;
    if (last.current?.key !== key) last.current = undefined;
    if (trajectory !== undefined && last.current?.trajectory !== trajectory) last.current = { key, trajectory };
    return last.current;
  }, [workbench, run, task, active]);
  return useSyncExternalStore(workbench.subscribe, read, read);
}
