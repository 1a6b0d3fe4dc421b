/** What the tasks are like, as the paper's table on its data says it: counted here, with the paper's numbers beside. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { TableFigure } from "../source/engine/figure.ts";

export const statistics: Analysis = {
  name: "statistics",
  title: "Tasks",
  question: "What are the tasks like, counted here and as the paper says?",
  needsStatistics: true,
  choices: () => ({}),
  missing: (runs) =>
    statisticsOf(runs).length > 0
      ? undefined
      : "The tasks are being read, or their suite says nothing of what they are like",
  compute: statisticsOf,
};

/** Runs on the same tasks share one table. */
function statisticsOf(runs: readonly RunRows[]): readonly TableFigure[] {
  return [...new Set(runs.flatMap((run) => run.statistics ?? []))];
}
