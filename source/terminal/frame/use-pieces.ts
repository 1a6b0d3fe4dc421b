/** Work whose result a screen shows; long work runs in the background so that it does not block key presses. */
import { useEffect, useMemo, useRef, useState } from "react";
import { atOnce, type Pieces, withPauses } from "../../engine/work/pieces.ts";

/** A function that stays the same as long as the work does (`useCallback`); undefined while the work is unknown. */
type Work<Result> = (() => Pieces<Result>) | undefined;

/**
 * Returns the result of `work`: at once, or in parts if it takes long; until then the previous result, at first undefined. Work
 * in progress ends with the screen, but newer work waits for it, because otherwise rows that arrive continuously would never be
 * shown.
 */
export function usePieces<Result>(work: Work<Result>, isMuch: boolean): Result | undefined {
  const little = useMemo(() => (work === undefined || isMuch ? undefined : atOnce(work())), [work, isMuch]);
  const [worked, setWorked] = useState<{ readonly work: Work<Result>; readonly result: Result }>();
  const working = useRef<() => void>(undefined);
  useEffect(() => {
    if (!isMuch || work === undefined || worked?.work === work || working.current !== undefined) return;
    working.current = workBeside(work(), (result) => {
      working.current = undefined;
      setWorked({ work, result });
    });
  }, [work, isMuch, worked]);
  useEffect(() => () => working.current?.(), []);
  return little ?? worked?.result;
}

/** Works in pieces and calls `then` with the result. Returns a function that ends the work before. */
export function workBeside<Result>(work: Pieces<Result>, then: (result: Result) => void): () => void {
  const ending = new AbortController();
  const over = (error: unknown) => {
    if (!ending.signal.aborted) throw error;
  };
  withPauses(work, { signal: ending.signal }).then(then, over);
  return () => ending.abort();
}
