/** What two runs come to side by side, worked out beside the screen where there are many tasks. */
import { useCallback } from "react";
import type { Row } from "../../engine/types.ts";
import { many } from "../../engine/work/pieces.ts";
import { usePieces } from "../frame/use-pieces.ts";
import { type ComparedRuns, comparedRuns } from "./compared-runs.ts";

/** Of a run whose rows are still being read. */
const none: readonly Row[] = [];

/** Undefined until both have rows, and until many are compared; while rows come in, what they came to before stays. */
export function useCompared(first: readonly Row[] = none, second: readonly Row[] = none): ComparedRuns | undefined {
  const areHere = first !== none && second !== none;
  const work = useCallback(() => comparedRuns(first, second), [first, second]);
  return usePieces(areHere ? work : undefined, first.length + second.length >= many);
}
