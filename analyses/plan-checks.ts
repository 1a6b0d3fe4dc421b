/** The columns of PlanningArena's tables 5 and 7 to 9, and what its analyses have in common. */
import type { RunRows } from "../source/engine/analysis.ts";
import type { Cell } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";

/** Result and PGR first, then the checks in the order of the paper. */
export const tableColumns = ["result", "pgr", "SC", "SR", "TD", "FD-APP", "OSC", "FD-API", "PC", "TR"];

export function hasChecks({ suite }: RunRows): boolean {
  return tableColumns.every((name) => suite.measures.some((measure) => measure.name === name));
}

/** Measures of the table, or every measure of a mode. */
export function columnsOf(runs: readonly RunRows[], which: string): readonly Measure[] {
  const all = cells.measuresOf(runs.filter(hasChecks));
  if (which !== "table") return all.filter(({ mode }) => mode === which);
  return tableColumns.map((name) => all.find((measure) => measure.name === name)!);
}

/** `table`, then the modes there are. */
export function columnChoices(runs: readonly RunRows[]): readonly string[] {
  return ["table", ...new Set(cells.measuresOf(runs.filter(hasChecks)).map(({ mode }) => mode))];
}

/** A line of reported numbers: one for each column, a dash where the paper has none. */
export function reportedLine(
  heads: readonly string[],
  columns: readonly Measure[],
  values: readonly Reported[],
): readonly Cell[] {
  const sources = [...new Set(values.map(({ source }) => source))].join("; ");
  return [
    ...heads.map((text, index) => cells.textCell(text, { reported: true, ...(index === 0 ? { note: sources } : {}) })),
    ...columns.map(({ name, unit }) =>
      cells.reportedCell(
        values.find(({ measure }) => measure === name),
        unit,
      ),
    ),
    cells.textCell("", { reported: true }),
  ];
}

/** Notes under every table that has reported rows. */
export function reportedNotes(values: readonly Reported[]): readonly string[] {
  const caveats = [...new Set(values.map(({ caveat }) => caveat))].filter((caveat) => caveat !== undefined);
  return caveats.length === 0 ? [] : ["Rows reported by the paper are not comparable:", ...caveats];
}

export const whyNoChecks = "These runs have no plan checks: run PlanningArena";
