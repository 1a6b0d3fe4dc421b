/** Task statistics in the layout of the paper's table of its data, with the paper's numbers for comparison. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { TableFigure } from "../source/engine/figure.ts";

export const statistics: Analysis = {
  name: "statistics",
  title: "Tasks",
  question: "How do the tasks compare with the paper's statistics?",
  needsStatistics: true,
  choices: () => ({}),
  missing: (runs) =>
    statisticsOf(runs).length > 0 ? undefined : "The tasks are still loading, or their suite has no statistics",
  compute: statisticsOf,
};

/** Runs on the same tasks share one table. */
function statisticsOf(runs: readonly RunRows[]): readonly TableFigure[] {
  return [...new Set(runs.flatMap(({ statistics: tables = [] }) => tables))];
}
