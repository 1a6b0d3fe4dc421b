/** The tables of a paper as it reports them, with their caveats. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";

export const paper: Analysis = {
  name: "paper",
  title: "Tables of the paper",
  question: "What does the paper report?",
  choices: (runs) => ({ table: ["all", ...titles(runs)] }),
  missing: (runs) => (titles(runs).length === 0 ? "This suite comes without tables of a paper" : undefined),
  compute: (runs, { table = "all" }) => {
    const tables = new Set(runs.flatMap(({ reported }) => reported.tables));
    return [...tables].filter(({ title }) => table === "all" || title === table);
  },
};

function titles(runs: readonly RunRows[]): readonly string[] {
  return [...new Set(runs.flatMap(({ reported }) => reported.tables.map(({ title }) => title)))];
}
