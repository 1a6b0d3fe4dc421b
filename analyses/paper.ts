/** The tables a paper prints, as they are printed, with what is doubtful about them. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";

export const paper: Analysis = {
  name: "paper",
  title: "Printed tables",
  question: "What does the paper report?",
  choices: (runs) => ({ table: titles(runs) }),
  missing: (runs) => (titles(runs).length === 0 ? "No printed tables come with this suite" : undefined),
  compute: (runs, { table = "" }) => {
    const tables = new Set(runs.flatMap(({ reported }) => reported.tables));
    return [...tables].filter(({ title }) => title === table);
  },
};

function titles(runs: readonly RunRows[]): readonly string[] {
  return [...new Set(runs.flatMap(({ reported }) => reported.tables.map(({ title }) => title)))];
}
