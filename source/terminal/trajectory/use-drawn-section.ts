/** Lays out the visible section as blocks; the steps of a long trajectory are drawn between keys. */
import { useEffect, useMemo, useState } from "react";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { withPauses } from "../../engine/work/pieces.ts";
import type { Block } from "./block.ts";
import { measuredOf, type View } from "./view.ts";
import { isLong, previewBlocks, blocksOf } from "./sections/section-blocks.ts";
import { positionIn } from "./reading.ts";
import type { Section } from "./sections/sections.ts";
import { areDrawn, drawnEntries } from "./sections/step-blocks.ts";
import type { ReadTask } from "./use-read-task.ts";

type Window = {
  readonly columns: number;
  readonly height: number;
  readonly active: boolean;
  readonly focused: boolean;
};

/** Returns a preview while the steps are drawn, and for a long trajectory beside a list. */
export function useDrawnSection(read: ReadTask, { columns, height, active, focused }: Window) {
  const { reading, section, trajectory, task, live } = read;
  const view = useView(read, columns);
  const areStepsDrawn = useDrawnSteps(trajectory, view, active && focused);
  const isDrawing = focused && section === "steps" && !areStepsDrawn;
  const isPreview = trajectory !== undefined && (isDrawing || (!focused && isLong(trajectory)));
  const preview = isPreview ? positionIn(reading, section, live) : undefined;
  const blocks: readonly Block[] = useMemo(() => {
    if (!active || trajectory === undefined) return [];
    if (preview !== undefined) return previewBlocks(section, trajectory, task, view, preview, height);
    return blocksOf(section, trajectory, task, view);
  }, [active, trajectory, task, section, view, preview, height]);
  const blocksIn = (other: Section) => (trajectory === undefined ? [] : blocksOf(other, trajectory, task, view));
  return { blocks, blocksIn, areStepsDrawn, isDrawing, isPreview };
}

/** Returns the same object while nothing in it changes, so that blocks drawn for it are kept. */
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
    () => ({ columns, symbols, texts, wrapped, raw, toggled, errorKinds, measured, words }),
    [columns, symbols, texts, wrapped, raw, toggled, errorKinds, measured, words],
  );
}

/**
 * Returns true if all steps are drawn, or so few are missing that drawing them delays no key. Else draws them if they
 * are `wanted`, whatever section is shown; drawn steps are kept, so that a growing trajectory is not drawn from its
 * beginning again.
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
    const leaving = new AbortController();
    const { signal } = leaving;
    const over = (error: unknown) => {
      if (!signal.aborted) throw error;
    };
    withPauses(drawnEntries(trajectory, view), { signal }).then(() => setDrawn({ trajectory, view }), over);
    return () => leaving.abort();
  }, [are, wanted, trajectory, view]);
  return are;
}
