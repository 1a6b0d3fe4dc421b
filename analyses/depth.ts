/**
 * Each ability by plan size (deeper trees, more steps, more tools, more dependent calls) and by number of offered
 * tools.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, LinesFigure } from "../source/engine/figure.ts";
import { coverageOf, restingOn } from "../source/engine/measures/coverage.ts";
import { meanOf } from "../source/engine/measures/measure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { groupsAcrossSplits } from "../source/engine/measures/run-groups.ts";
import type { Row } from "../source/engine/types.ts";
import { grouped, keyByName } from "../source/engine/work/growing-list.ts";

/** Numeric facets, with the number of neighbouring values per point. */
const sizes: Readonly<Record<string, number>> = { depth: 1, steps: 4, tools: 1, nested: 1, toolset: 5 };

export const depth: Analysis = {
  name: "depth",
  title: "Plan size",
  question: "Does an ability decline with deeper or longer plans, or with more tools?",
  choices: (runs) => {
    const by = Object.keys(sizes).filter((name) => hasNumbers(runs, name));
    return { by: by.length === 0 ? ["depth"] : by, lines: ["abilities", "models"] };
  },
  missing: (runs) =>
    Object.keys(sizes).some((name) => hasNumbers(runs, name))
      ? undefined
      : "These tasks have no facets for plan size (`depth`, `steps`, `tools`, `nested`, `toolset`)",
  compute(runs, { by = "depth", lines = "abilities" }) {
    const perGroup = groupsAcrossSplits(runs).map(({ label, rows }) => {
      if (lines === "models") return [{ label, rows }];
      const aspects = cells.byFacet(rows, "aspect", cells.facetOrder(runs, "aspect"));
      return [...aspects].map(([aspect, own]) => ({
        label: `${String(aspect).replaceAll("_", " ")}, ${label}`,
        rows: own,
      }));
    });
    const series = perGroup.flat().map(({ label, rows }): Series => ({ label, points: points(rows, by) }));
    const width = sizes[by] ?? 1;
    const figure: LinesFigure = {
      kind: "lines",
      title: `Score by ${cells.facetTitle(runs, by).toLowerCase()}`,
      x: cells.facetTitle(runs, by),
      y: "Mean score of a task",
      series: series.filter((each) => each.points.length > 0),
      notes: [
        ...(width === 1 ? [] : [`Each point covers ${width} neighbouring values, starting with the value on the axis`]),
        "Intervals of 95 %; each point shows its number of tasks",
        ...cells.shortfall(runs),
      ],
    };
    return [figure];
  },
};

type Series = LinesFigure["series"][number];

function hasNumbers(runs: readonly RunRows[], facet: string): boolean {
  const valuesOf = ({ rows }: RunRows) => [...(rowContents(rows).facets.get(facet)?.keys() ?? [])];
  return runs.some((run) => valuesOf(run).some((value) => typeof value === "number"));
}

const binOf = keyByName(([facet, width]: readonly [string, number]) => ({ facets }: Row) => {
  const value = facets[facet];
  return typeof value === "number" ? Math.floor(value / width) * width : undefined;
});

function points(rows: readonly Row[], facet: string): Series["points"] {
  const width = sizes[facet] ?? 1;
  const bins = grouped(binOf([facet, width]), rows);
  const sorted = [...bins].toSorted(([a], [b]) => a - b);
  const found = sorted.map(([x, own]): Series["points"] => {
    const { value, n } = meanOf(own, scoreOf);
    if (value === undefined) return [];
    const note = width === 1 ? {} : { note: `${x} to ${x + width - 1}` };
    const cell: Cell = { text: cells.shownValue(value, "percent"), value, n, ...note };
    const interval = cells.rowsInterval(own, scoreOf);
    const coverage = coverageOf(own, cells.isScored);
    return [{ x, cell: cells.withTasks(restingOn(cell, coverage), own), ...interval }];
  });
  return found.flat();
}

const scoreOf = ({ score }: Row) => score?.value;
