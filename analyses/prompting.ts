/** Hierarchical against flat prompting: the gap group by group, on the same tasks. */
import type { Analysis } from "../source/engine/analysis.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { pairedTable, pairsBy } from "../source/engine/measures/paired-table.ts";

export const prompting: Analysis = {
  name: "prompting",
  title: "Prompting",
  question: "Does choosing the apps first still help?",
  choices: (runs) => ({ metric: cells.measuresOf(runs).map(({ name }) => name), by: cells.usableFacets(runs) }),
  missing: (runs) =>
    pairsBy(runs, "prompting").length > 0
      ? undefined
      : "No two runs differ in prompting alone: set `prompting: [hierarchical, flat]` in the run cell",
  compute: (runs, { metric = "", by = "" }) =>
    pairsBy(runs, "prompting").map(([before, after]) =>
      pairedTable(before, after, cells.measureNamed(runs, metric), by),
    ),
};
