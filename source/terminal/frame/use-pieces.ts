/** Work that a screen shows the result of: beside the screen where it is much, so that no key waits for it. */
import { useEffect, useMemo, useRef, useState } from "react";
import { atOnce, type Pieces, withPauses } from "../../engine/work/pieces.ts";

/** The same function for as long as the same is to be worked out (`useCallback`); undefined while that is not known. */
type Work<Result> = (() => Pieces<Result>) | undefined;

/**
 * What `work` comes to: at once, or, where it is much, in pieces after what the key changed is drawn; until then what it came to
 * before, at first undefined. Work that is under way is ended with the screen, and not begun anew whenever there is other work, which
 * follows it: rows that come in all the time would never be shown.
 */
export function usePieces<Result>(work: Work<Result>, isMuch: boolean): Result | undefined {
  const little = useMemo(() => (work === undefined || isMuch ? undefined : atOnce(work())), [work, isMuch]);
  const [worked, setWorked] = useState<{ readonly work: Work<Result>; readonly result: Result }>();
  const working = useRef<AbortController>(undefined);
  useEffect(() => {
    if (!isMuch || work === undefined || worked?.work === work || working.current !== undefined) return;
    const ending = new AbortController();
    working.current = ending;
    const over = (error: unknown) => {
      if (!ending.signal.aborted) throw error;
    };
    withPauses(work(), { signal: ending.signal }).then((result) => {
      working.current = undefined;
      setWorked({ work, result });
    }, over);
  }, [work, isMuch, worked]);
  useEffect(() => () => working.current?.abort(), []);
  return little ?? worked?.result;
}
