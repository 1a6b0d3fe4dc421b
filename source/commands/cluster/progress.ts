/** Progress of `planwright cluster`. */
import { type GroupingProgress, progressText } from "../../engine/clustering/methods/grouping.ts";

export type ClusterOutput = { stdout(text: string): void; stderr(text: string): void; readonly signal: AbortSignal };

/** Milliseconds between two reports. */
const interval = 2000;

/** Reports the progress of clustering from time to time. */
export function progressReporter(io: ClusterOutput): (progress: GroupingProgress) => void {
  let last = performance.now();
  return (progress) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    io.stderr(`${progressText(progress)}\n`);
  };
}

/** Reports `did DONE of TOTAL` from time to time. */
export function countReporter(io: ClusterOutput, did: string): (done: number, total: number) => void {
  let last = performance.now();
  return (done, total) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    io.stderr(`${did} ${done} of ${total}\n`);
  };
}
