/** Where each ability fails: domains by abilities, one heat map for each model. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, GridFigure } from "../source/engine/figure.ts";
import { coverageOf, restingOn } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { groupsAcrossSplits, type RunGroup } from "../source/engine/measures/run-groups.ts";
import type { Row } from "../source/engine/types.ts";

/** Fewer tasks than this are drawn faint. */
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

/** Runs of other suites may stand in the same notebook: an empty map of theirs says nothing. */
function hasDomains({ rows }: RunRows): boolean {
  return rows.some(({ facets }) => facets["domain"] !== undefined);
}

function grid(group: RunGroup, score: string, order: string): GridFigure {
  const aspects = [...cells.byFacet(group.rows, "aspect", cells.facetOrder(group.runs, "aspect")).keys()].map(String);
  const columns = aspects.length === 0 ? ["all"] : aspects;
  const domains = [...cells.byFacet(group.rows, "domain")];
  const sorted = domains.toSorted(([nameA, a], [nameB, b]) => {
    if (order === "most tasks") return b.length - a.length;
    if (order === "worst first") return (mean(a, score).value ?? 2) - (mean(b, score).value ?? 2);
    return String(nameA).localeCompare(String(nameB), "en");
  });
  return {
    kind: "grid",
    title: `Score by domain and ability: ${group.label}`,
    x: { label: "Ability", ticks: columns.map((name) => name.replaceAll("_", " ")) },
    y: { label: "Domain", ticks: sorted.map(([name]) => String(name)) },
    cells: sorted.map(([, rows]) =>
      columns.map((aspect) => {
        const own = aspect === "all" ? rows : rows.filter(({ facets }) => facets["aspect"] === aspect);
        return own.length === 0 ? undefined : scoreCell(own, score);
      }),
    ),
    range: [0, 1],
    notes: [
      score === "whole answers" ? "Share of tasks with a perfect answer" : "Mean score of a task, from 0 to 1",
      `Faint: fewer than ${few} tasks with a score`,
      ...cells.shortfall(group.runs),
    ],
  };
}

function mean(rows: readonly Row[], score: string): { value: number | undefined; n: number } {
  const values = rows.flatMap((row) => (row.score?.value === undefined ? [] : [row.score.value]));
  const counted = score === "whole answers" ? values.map((value) => (value === 1 ? 1 : 0)) : values;
  const sum = counted.reduce<number>((before, value) => before + value, 0);
  return { value: counted.length === 0 ? undefined : sum / counted.length, n: counted.length };
}

function scoreCell(rows: readonly Row[], score: string): Cell {
  const { value, n } = mean(rows, score);
  const cell = {
    text: cells.shownValue(value, "percent"),
    ...(value === undefined ? {} : { value }),
    n,
    tasks: cells.refs(rows),
    ...(n < few ? { faint: true } : {}),
  };
  return restingOn(cell, coverageOf(rows, cells.isScored));
}
