/** Progress of `planwright cluster`. */
import { type GroupingProgress, progressText } from "../../engine/clustering/methods/grouping.ts";

export type ClusterOutput = { stdout(text: string): void; stderr(text: string): void; readonly signal: AbortSignal };

/** Milliseconds between two reports. */
const interval = 2000;

/** Reports the progress of clustering from time to time. */
export const progressReporter = (io: ClusterOutput): ((progress: GroupingProgress) => void) =>
  fromTimeToTime(io, (progress: GroupingProgress) => progressText(progress));

/** Reports `did DONE of TOTAL` from time to time. */
export const countReporter = (io: ClusterOutput, did: string): ((done: number, total: number) => void) =>
  fromTimeToTime(io, (done: number, total: number) => `${did} ${done} of ${total}`);

function fromTimeToTime<Given extends readonly unknown[]>(
  io: ClusterOutput,
  text: (...given: Given) => string,
): (...given: Given) => void {
  let last = performance.now();
  return (...given) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    io.stderr(`${text(...given)}\n`);
  };
}
