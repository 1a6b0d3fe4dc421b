/** The steps of a long trajectory, drawn beside the screen. */
import { useEffect, useMemo, useState } from "react";
import type { Trajectory } from "../../engine/log/trajectory.ts";
import { withPauses } from "../../engine/work/pieces.ts";
import { isLong } from "./preview-blocks.ts";
import { areDrawn, drawnEntries } from "./step-blocks.ts";
import type { View } from "./view.ts";

/**
 * Whether all steps are drawn, or few enough are left that drawing them holds no key. Else they are drawn, where they are `wanted`, in
 * whichever section the screen is; what is drawn stays, so that one that goes on is not drawn from its beginning again.
 */
export function useDrawnSteps(trajectory: Trajectory | undefined, view: View, wanted: boolean): boolean {
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
