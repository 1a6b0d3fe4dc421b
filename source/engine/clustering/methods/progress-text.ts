/** The progress of clustering as text. */
import type { GroupingProgress } from "./grouping.ts";

/** `k`: the number of clusters requested, where it is known. */
export function progressText(progress: GroupingProgress, k?: number): string {
  if ("init" in progress) {
    const { done, init, inits, stage } = progress;
    const which = inits === 1 ? "" : `init ${init + 1} of ${inits}: `;
    if (stage === "iterating") return `${which}iteration ${done}`;
    return `${which}seeding ${done.toLocaleString("en")}${k === undefined ? "" : ` of ${k.toLocaleString("en")}`}`;
  }
  const { done, stage, total } = progress;
  const what = stage === "comparing" ? "comparing every pair" : "silhouette";
  return `${what}: ${Math.floor((100 * done) / total)} % done`;
}
