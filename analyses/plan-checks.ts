/** Columns of PlanningArena's tables 5 and 7 to 9, shared by its analyses. */
import type { RunRows } from "../source/engine/analysis.ts";
import type { Cell, TableColumn } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";

/** Result and PGR first, then the checks in the paper's order. */
export const tableColumns = ["result", "pgr", "SC", "SR", "TD", "FD-APP", "OSC", "FD-API", "PC", "TR"];

/** The paper's heads over its checks. */
const heads = { LPR: ["SC", "SR", "TD"], SMAR: ["FD-APP", "OSC", "FD-API", "PC", "TR"] };

/** Returns the columns of these measures, checks under the paper's groups. */
export const checkColumns = (measures: readonly Measure[]): readonly TableColumn[] =>
  measures.map(({ name, title }) => {
    const under = Object.entries(heads).flatMap(([head, checks]) => (checks.includes(name) ? [head] : []));
    return { title, align: "right", ...(under.length > 0 && { under }) };
  });

export const hasChecks = ({ suite }: RunRows): boolean =>
  tableColumns.every((name) => suite.measures.some((measure) => measure.name === name));

/** Returns the measures of the table, or every measure of a mode. */
export function columnsOf(runs: readonly RunRows[], which: string): readonly Measure[] {
  const all = cells.measuresOf(runs.filter(hasChecks));
  if (which !== "table") return all.filter(({ mode }) => mode === which);
  return tableColumns.map((name) => all.find((measure) => measure.name === name)!);
}

/** Returns `table`, then the existing modes. */
export const columnChoices = (runs: readonly RunRows[]): readonly string[] => [
  "table",
  ...new Set(cells.measuresOf(runs.filter(hasChecks)).map(({ mode }) => mode)),
];

/** Builds a line of reported numbers, with a dash for each column the paper lacks. */
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

/**
 * Returns the reasons from the caveats why the paper's rows are not comparable. Reasons shared by all rows come first; others
 * follow with the names of their rows. Each reason appears once; semicolons separate them.
 */
export function reportedNotes(values: readonly Reported[]): readonly string[] {
  const rows = new Set(values.map(({ row }) => row));
  const reasons = new Map<string, Set<string>>();
  for (const { row, caveat } of values)
    for (const reason of caveat?.split("; ") ?? []) reasons.set(reason, (reasons.get(reason) ?? new Set()).add(row));
  if (reasons.size === 0) return [];
  const ofAll = [...reasons].flatMap(([reason, of]) => (of.size === rows.size ? [reason] : []));
  const ofSome = [...reasons].filter(([, of]) => of.size < rows.size);
  const said = "The paper's rows are not comparable with the measured rows";
  return [
    ofAll.length === 0 ? said : `${said}: ${ofAll.join("; ")}`,
    ...ofSome.map(([reason, of]) => `${[...of].join(", ")}: ${reason}`),
  ];
}

export const whyNoChecks = "These runs have no plan checks: run PlanningArena";
