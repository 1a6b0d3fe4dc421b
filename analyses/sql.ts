/**
 * Shows the result of a SELECT on the index of the notebook's folder. The workbench executes the query: the analysis reads no
 * runs of the notebook.
 */
import type { Analysis } from "../source/engine/analysis.ts";
import { queryChoice, sqlPane, usualQuery } from "../source/engine/workbench/library/sql-cell.ts";

export const sql: Analysis = {
  name: sqlPane,
  title: "SQL",
  question: "What does a SELECT over all runs of the folder return?",
  choices: () => ({ [queryChoice]: [usualQuery] }),
  compute: () => [],
};
