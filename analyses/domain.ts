/** Failure rates by domain and ability: one heat map for each model. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { MeasureValue } from "../source/engine/benchmark.ts";
import type { Cell, GridFigure } from "../source/engine/figure.ts";
import { coverageOf, faintNote, restingOn } from "../source/engine/measures/coverage.ts";
import { meanOf } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupsAcrossSplits, type RunGroup } from "../source/engine/measures/run-groups.ts";
import type { Row } from "../source/engine/types.ts";

/** Cells with fewer tasks are drawn faint. */
const few = 5;

export const domain: Analysis = {
  name: "domain",
  title: "Domains",
  question: "In which domains does each ability fail?",
  choices: () => ({ score: ["step by step", "whole answers"], order: ["most tasks", "worst first", "by name"] }),
  missing: (runs) => (runs.some(hasDomains) ? undefined : "These tasks have no domains (facet `domain`)"),
  compute: (runs, { score = "step by step", order = "most tasks" }) =>
    groupsAcrossSplits(runs.filter(hasDomains)).map((group) => grid(group, score, order)),
};

/** The notebook may contain runs of other suites, whose maps would be empty. */
const hasDomains = ({ rows }: RunRows): boolean => rowContents(rows).facets.has("domain");

function grid(group: RunGroup, score: string, order: string): GridFigure {
  const aspects = [...cells.byFacet(group.rows, "aspect", cells.facetOrder(group.runs, "aspect")).keys()].map(String);
  const columns = aspects.length === 0 ? ["all"] : aspects;
  const domains = [...cells.byFacet(group.rows, "domain")].map(([name, rows]) => ({
    name: String(name),
    rows,
    worth: mean(rows, score).value ?? 2,
  }));
  const sorted = domains.toSorted((a, b) => {
    if (order === "most tasks") return b.rows.length - a.rows.length;
    if (order === "worst first") return a.worth - b.worth;
    return a.name.localeCompare(b.name, "en");
  });
  const fields = sorted.map(({ rows }) =>
    columns.map((aspect) => {
      const own = aspect === "all" ? rows : cells.withFacet(rows, "aspect", aspect);
      return own.length === 0 ? undefined : scoreCell(own, score);
    }),
  );
  return {
    kind: "grid",
    title: `Score by domain and ability: ${group.label}`,
    x: { label: "Ability", ticks: columns.map((name) => name.replaceAll("_", " ")) },
    y: { label: "Domain", ticks: sorted.map(({ name }) => name) },
    cells: fields,
    range: [0, 1],
    notes: [
      score === "whole answers" ? "Share of tasks with a perfect answer" : "Mean score of a task",
      ...faintNote(fields, few, "tasks with a score"),
      ...cells.shortfall(group.runs),
    ],
  };
}

const scoreOf = ({ score }: Row) => score?.value;
const isWhole = ({ score }: Row) => (score?.value === undefined ? undefined : Number(score.value === 1));

const mean = (rows: readonly Row[], score: string): MeasureValue =>
  meanOf(rows, score === "whole answers" ? isWhole : scoreOf);

function scoreCell(rows: readonly Row[], score: string): Cell {
  const { value, n } = mean(rows, score);
  const cell = { ...cells.valueCell(value, "percent", n), ...(n < few && { faint: true }) };
  return cells.withTasks(restingOn(cell, coverageOf(rows, cells.isScored)), rows);
}
