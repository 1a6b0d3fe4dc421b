/** What two runs come to side by side, worked out beside the screen where there are many tasks. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Row } from "../../engine/types.ts";
import { atOnce, many, withPauses } from "../../engine/work/pieces.ts";
import { type ComparedRuns, comparedRuns } from "./compared-runs.ts";

/** Of a run whose rows are still being read. */
const none: readonly Row[] = [];

type Worked = { readonly first: readonly Row[]; readonly second: readonly Row[]; readonly compared: ComparedRuns };

/**
 * Undefined until both have rows, and until many are compared. While rows come in, what they came to before stays: work that is
 * under way is not begun anew with each of them.
 */
export function useCompared(first: readonly Row[] = none, second: readonly Row[] = none): ComparedRuns | undefined {
  const areHere = first !== none && second !== none;
  const isMany = first.length + second.length >= many;
  const few = useMemo(
    () => (!areHere || isMany ? undefined : atOnce(comparedRuns(first, second))),
    [first, second, areHere, isMany],
  );
  const [worked, setWorked] = useState<Worked>();
  const working = useRef<AbortController>(undefined);
  useEffect(() => {
    const isDone = worked?.first === first && worked.second === second;
    if (!isMany || isDone || working.current !== undefined) return;
    const ending = new AbortController();
    working.current = ending;
    const over = (error: unknown) => {
      if (!ending.signal.aborted) throw error;
    };
    withPauses(comparedRuns(first, second), { signal: ending.signal }).then((compared) => {
      working.current = undefined;
      setWorked({ first, second, compared });
    }, over);
  }, [first, second, isMany, worked]);
  useEffect(() => () => working.current?.abort(), []);
  return few ?? worked?.compared;
}
