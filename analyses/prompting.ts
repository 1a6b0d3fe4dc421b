/** Hierarchical against flat prompting: the difference per group, on the same tasks. */
import type { Analysis } from "../source/engine/analysis.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { pairsBy, tablesOfPairs } from "../source/engine/measures/option-pairs.ts";

export const prompting: Analysis = {
  name: "prompting",
  title: "Prompting",
  question: "Does choosing the apps first still help?",
  choices: (runs) => ({ by: cells.groupings(runs) }),
  lists(runs) {
    const values = cells.measuresOf(runs).map(({ name }) => name);
    return { measures: { values, standard: values.slice(0, 1) } };
  },
  missing: (runs) =>
    pairsBy(runs, "prompting").length > 0
      ? undefined
      : "No two runs differ in prompting alone: set `prompting: [hierarchical, flat]` in the run cell",
  compute: (runs, { by = "" }, { measures = [] } = {}) =>
    measures.flatMap((name) =>
      tablesOfPairs(pairsBy(runs, "prompting"), "prompting", cells.measureNamed(runs, name), by),
    ),
};
