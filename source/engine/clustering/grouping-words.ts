/** How far clustering is, in words. */
import type { GroupingProgress } from "./grouping.ts";

export function groupingWords(progress: GroupingProgress): string {
  if ("init" in progress) {
    const { done, init, inits, stage } = progress;
    return `init ${init + 1} of ${inits}: ${stage}, ${done} done`;
  }
  const { done, stage, total } = progress;
  const what = stage === "comparing" ? "comparing every pair" : "silhouette";
  return `${what}: ${Math.floor((100 * done) / total)} % done`;
}
