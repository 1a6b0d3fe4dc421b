/** Why an analysis that is to be added would have nothing to show. */
import type { RunRows } from "../../analysis.ts";
import type { Suite } from "../../suite.ts";
import { beforeFigures } from "./analysis-state.ts";
import type { PlannedAnalysis } from "../../session/analysis-cell.ts";

/**
 * Of results it is asked itself. Before there are any, and where it needs more than rows, the suites say what they have something
 * for; `isListed`: whether any suite names it at all. Undefined where it may have something.
 */
export function whyEmpty(
  planned: PlannedAnalysis,
  runs: readonly (Pick<RunRows, "suite"> & { readonly results: RunRows | undefined })[],
  isListed: boolean,
): string | undefined {
  const { analysis } = planned;
  if (analysis === undefined) return undefined;
  const suites = [...new Set(runs.map(({ suite }) => suite))];
  const isOfSuite = suites.some(({ analyses }) => analyses.includes(analysis.name));
  const results = runs.flatMap((run) => run.results ?? []);
  if (analysis.needsClusters === true || analysis.needsStatistics === true || results.length === 0)
    return isOfSuite || !isListed ? undefined : `${suites.map(nameOf).join(", ")} has nothing for it`;
  return beforeFigures(planned, results, [], "").state.missing;
}

const nameOf = ({ title }: Suite) => title;
