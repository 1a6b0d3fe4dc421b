/** The task on the trajectory screen: its trajectory, whether it has been read, and its run. */
import { useMemo, useState } from "react";
import { runWords } from "../../engine/log/run-words.ts";
import { emptyTrajectory, type Trajectory } from "../../engine/log/trajectory.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { Suite } from "../../engine/suite.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { cellOfRun } from "../frame/runs.ts";
import type { ScreenOf } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { freshReading, type Reading } from "./reading.ts";
import { firstSection, sectionsOf } from "./sections/sections.ts";
import { useCorrection } from "./correction.tsx";
import { useTrajectory } from "./use-trajectory.ts";

/** Replaces a suite that is not installed. */
const unknown: Pick<Suite, "errorKinds" | "measures"> = { errorKinds: [], measures: [] };

export type ReadTask = ReturnType<typeof useReadTask>;

export function useReadTask({ ref: first, siblings }: ScreenOf<"trajectory">, active: boolean) {
  const terminal = useTerminal();
  const workbench = useWorkbench(active);
  const [reading, go] = useState<Reading>(() => freshReading(first));
  const { ref } = reading;
  // Raised after a correction: the task was re-scored, and is read again.
  const [edition, setEdition] = useState(0);
  const { trajectory: saved, view: task, live, loading } = useTrajectory(workbench, ref, active, { edition });
  // A task that has not started has its question and its reference plan already.
  const isWaiting = saved === undefined && !loading;
  const waiting = useMemo(() => (isWaiting ? waitingTask(workbench, ref) : undefined), [isWaiting, workbench, ref]);
  const trajectory = saved ?? waiting;
  const run = active ? cellOfRun(workbench, ref.run)?.state : undefined;
  const hasPlan = (task?.plan.length ?? 0) + (task?.reference.length ?? 0) > 0;
  const suite = suiteNamed(run?.spec.suite, workbench.suites);
  const { errorKinds, measures } = suite ?? unknown;
  const words = useMemo(() => runWords(run?.spec, suite), [run?.spec, suite]);
  const correction = useCorrection(ref, errorKinds, () => setEdition((before) => before + 1));
  return {
    terminal,
    workbench,
    siblings,
    reading,
    go,
    /** Undefined until the log contains events of the task. */
    saved,
    trajectory,
    task,
    live,
    loading,
    run,
    sections: sectionsOf(trajectory?.nodes.length ?? 0),
    section: reading.section ?? firstSection({ live, loading, hasPlan, failed: isUnscored(trajectory) }),
    errorKinds,
    measures,
    words,
    correction,
  };
}

function waitingTask(workbench: Workbench, { run, task }: TaskRef): Trajectory {
  const question = workbench.board(run).find((each) => each.task === task)?.question ?? "";
  return { ...emptyTrajectory(task), question };
}

/** Returns true if the task failed before there was anything to score. */
function isUnscored(trajectory: Trajectory | undefined): boolean {
  return trajectory?.failure !== undefined && trajectory.score === undefined;
}
