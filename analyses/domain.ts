/** Where each ability fails: domains by abilities, one heat map for each model. */
import { type Analysis, inPieces, type RunRows } from "../source/engine/analysis.ts";
import type { MeasureValue } from "../source/engine/benchmark.ts";
import type { Cell, Figure, GridFigure } from "../source/engine/figure.ts";
import { coverageInPieces, faintNote, restingOn } from "../source/engine/measures/coverage.ts";
import { meanInPieces } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupsAcrossSplits, type RunGroup } from "../source/engine/measures/run-groups.ts";
import type { Row } from "../source/engine/types.ts";
import { kept, partByPart, type Pieces } from "../source/engine/work/pieces.ts";

/** Fewer tasks than this are drawn faint. */
const few = 5;

export const domain: Analysis = {
  name: "domain",
  title: "Domains",
  question: "In which domains does each ability fail?",
  choices: () => ({ score: ["step by step", "whole answers"], order: ["most tasks", "worst first", "by name"] }),
  missing: (runs) => (runs.some(hasDomains) ? undefined : "These tasks have no domains (facet `domain`)"),
  ...inPieces(figures),
};

function figures(
  ...[runs, { score = "step by step", order = "most tasks" }]: Parameters<Analysis["compute"]>
): Pieces<readonly Figure[]> {
  return partByPart(groupsAcrossSplits(runs.filter(hasDomains)), (group) => grid(group, score, order));
}

/** Runs of other suites may stand in the same notebook: an empty map of theirs says nothing. */
function hasDomains({ rows }: RunRows): boolean {
  return rowContents(rows).facets.has("domain");
}

function* grid(group: RunGroup, score: string, order: string): Pieces<GridFigure> {
  const aspects = [...(yield* cells.byFacet(group.rows, "aspect", cells.facetOrder(group.runs, "aspect"))).keys()].map(
    String,
  );
  const columns = aspects.length === 0 ? ["all"] : aspects;
  const domains = yield* partByPart(yield* cells.byFacet(group.rows, "domain"), function* ([name, rows]) {
    return { name: String(name), rows, worth: (yield* mean(rows, score)).value ?? 2 };
  });
  const sorted = domains.toSorted((a, b) => {
    if (order === "most tasks") return b.rows.length - a.rows.length;
    if (order === "worst first") return a.worth - b.worth;
    return a.name.localeCompare(b.name, "en");
  });
  const fields = yield* partByPart(sorted, ({ rows }) =>
    partByPart(columns, function* (aspect) {
      const own = aspect === "all" ? rows : yield* kept(rows, ({ facets }) => facets["aspect"] === aspect);
      return own.length === 0 ? undefined : yield* scoreCell(own, score);
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

function mean(rows: readonly Row[], score: string): Pieces<MeasureValue> {
  return meanInPieces(rows, (row) => {
    const value = row.score?.value;
    return value === undefined || score !== "whole answers" ? value : Number(value === 1);
  });
}

function* scoreCell(rows: readonly Row[], score: string): Pieces<Cell> {
  const { value, n } = yield* mean(rows, score);
  const cell = {
    text: cells.shownValue(value, "percent"),
    ...(value === undefined ? {} : { value }),
    n,
    ...(n < few ? { faint: true } : {}),
  };
  return cells.withTasks(restingOn(cell, yield* coverageInPieces(rows, cells.isScored)), rows);
}
