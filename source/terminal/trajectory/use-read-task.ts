/** The task on the trajectory screen: its trajectory, whether it has been read, and its run. */
import { useMemo, useState, useEffect } from "react";
import { runWords } from "../../engine/log/run-words.ts";
import { emptyTrajectory, type Trajectory } from "../../engine/log/trajectory.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { Suite } from "../../engine/suite.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { Workbench } from "../../engine/workbench/workbench.ts";
import { withCodes } from "../codes/code-blocks.ts";
import { blinded, shownCodes } from "../codes/blind.ts";
import { cellOfRun } from "../frame/runs.ts";
import type { ScreenOf } from "../frame/screen.ts";
import { useTerminal, useWorkbench } from "../terminal.ts";
import { freshReading, type Reading, positionIn } from "./reading.ts";
import { firstSection, sectionsOf, type Section, type Block } from "./block.ts";
import { useCorrection } from "./correction.tsx";
import { useTrajectory } from "./use-trajectory.ts";
import { workBeside } from "../frame/use-pieces.ts";
import { measuredOf, type View } from "./view.ts";
import { isLong, previewBlocks, blocksOf } from "./sections/section-blocks.ts";
import { areDrawn, drawnEntries } from "./sections/step-blocks.ts";

/** Replaces a suite that is not installed. */
const unknown: Pick<Suite, "errorKinds" | "measures"> = { errorKinds: [], measures: [] };

export type ReadTask = ReturnType<typeof useReadTask>;

export function useReadTask({ ref: first, siblings, blind, atWords }: ScreenOf<"trajectory">, active: boolean) {
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
  const known = saved ?? waiting;
  const trajectory = useMemo(
    () => (blind === undefined || known === undefined ? known : blinded(known)),
    [known, blind],
  );
  const owner = active ? cellOfRun(workbench, ref.run)?.state : undefined;
  const run = blind === undefined ? owner : undefined;
  const { codebook } = workbench.codes;
  const codes = useMemo(() => shownCodes(workbench, ref, codebook, blind), [workbench, ref, codebook, blind]);
  const hasPlan = (task?.plan.length ?? 0) + (task?.reference.length ?? 0) > 0;
  const suite = suiteNamed(owner?.spec.suite, workbench.suites);
  const { errorKinds, measures } = suite ?? unknown;
  const words = useMemo(() => runWords(owner?.spec, suite), [owner?.spec, suite]);
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
    /** True if the task was opened at its first error in the model's words. */
    isAtWords: atWords === true && !live,
    /** Undefined while the user labels blind; `owner` is always defined. */
    run,
    owner,
    blind,
    codes,
    sections: sectionsOf(trajectory?.nodes.length ?? 0).filter((each) => blind === undefined || each !== "checks"),
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
const isUnscored = (trajectory: Trajectory | undefined): boolean =>
  trajectory?.failure !== undefined && trajectory.score === undefined;

type Window = {
  readonly columns: number;
  readonly height: number;
  readonly active: boolean;
  readonly focused: boolean;
};

/** Returns a preview while the steps are being drawn, or if a long trajectory is beside a list. */
export function useDrawnSection(read: ReadTask, { columns, height, active, focused }: Window) {
  const { reading, section, trajectory, task, live, codes } = read;
  const view = useView(read, columns);
  const areStepsDrawn = useDrawnSteps(trajectory, view, active && focused);
  const isDrawing = focused && section === "steps" && !areStepsDrawn;
  const isPreview = trajectory !== undefined && (isDrawing || (!focused && isLong(trajectory)));
  const preview = isPreview ? positionIn(reading, section, live) : undefined;
  const blocks: readonly Block[] = useMemo(() => {
    if (!active || trajectory === undefined) return [];
    if (preview !== undefined) return previewBlocks(section, trajectory, task, view, preview, height);
    return withCodes(blocksOf(section, trajectory, task, view), codes, section, view);
  }, [active, trajectory, task, section, view, preview, height, codes]);
  const blocksIn = (other: Section) =>
    trajectory === undefined ? [] : withCodes(blocksOf(other, trajectory, task, view), codes, other, view);
  return { blocks, blocksIn, areStepsDrawn, isDrawing, isPreview };
}

/** Returns the same object until a part of it changes, so that blocks drawn for it are cached. */
function useView(
  { terminal, workbench, reading, section, errorKinds, measures, words }: ReadTask,
  columns: number,
): View {
  const { symbols } = terminal.theme;
  const { ref, texts, wrapped, raw, toggled } = reading;
  const hasRow = section === "checks" && workbench.hasRows(ref.run);
  const row = hasRow ? workbench.rows(ref.run).find(({ task }) => task === ref.task) : undefined;
  const measured = useMemo(() => measuredOf(row, measures), [row, measures]);
  return useMemo(
    () => ({ columns, symbols, texts, wrapped, raw, toggled, errorKinds, measured, words, lanes: true }),
    [columns, symbols, texts, wrapped, raw, toggled, errorKinds, measured, words],
  );
}

/**
 * Returns true if all steps are drawn, or so few are missing that drawing them delays no key. Otherwise draws them if they are
 * `wanted`, whichever section is shown; drawn steps are cached, so that a growing trajectory is not drawn from its start again.
 */
function useDrawnSteps(trajectory: Trajectory | undefined, view: View, wanted: boolean): boolean {
  const [drawn, setDrawn] = useState<{ readonly trajectory: Trajectory; readonly view: View }>();
  const were = useMemo(
    () => trajectory === undefined || !isLong(trajectory) || areDrawn(trajectory, view),
    [trajectory, view],
  );
  const are = were || (drawn?.trajectory === trajectory && drawn?.view === view);
  useEffect(() => {
    if (are || !wanted || trajectory === undefined) return;
    return workBeside(drawnEntries(trajectory, view), () => setDrawn({ trajectory, view }));
  }, [are, wanted, trajectory, view]);
  return are;
}
