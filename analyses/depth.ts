/** How each ability holds up as plans grow (deeper trees, more steps, more tools, more calls that build on others) and as more tools are offered. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, LinesFigure } from "../source/engine/figure.ts";
import { coverageOf, restingOn } from "../source/engine/measures/coverage.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { groupsAcrossSplits } from "../source/engine/measures/run-groups.ts";
import type { Row } from "../source/engine/types.ts";

/** Numeric facets, with how many neighbouring values make one point. */
const sizes: Readonly<Record<string, number>> = { depth: 1, steps: 4, tools: 1, nested: 1, toolset: 5 };

export const depth: Analysis = {
  name: "depth",
  title: "Plan size",
  question: "Does an ability fade as plans get deeper or longer, or as there are more tools?",
  choices: (runs) => {
    const by = Object.keys(sizes).filter((name) => hasNumbers(runs, name));
    return { by: by.length === 0 ? ["depth"] : by, lines: ["abilities", "models"] };
  },
  missing: (runs) =>
    Object.keys(sizes).some((name) => hasNumbers(runs, name))
      ? undefined
      : "These tasks say nothing of their plans' size (facets `depth`, `steps`, `tools`, `nested`, `toolset`)",
  compute(runs, { by = "depth", lines = "abilities" }) {
    const series = groupsAcrossSplits(runs).flatMap(({ label, rows }) => {
      if (lines === "models") return [{ label, points: points(rows, by) }];
      const aspects = cells.byFacet(rows, "aspect", cells.facetOrder(runs, "aspect"));
      return [...aspects].map(([aspect, own]) => ({
        label: `${String(aspect).replaceAll("_", " ")}, ${label}`,
        points: points(own, by),
      }));
    });
    const width = sizes[by] ?? 1;
    const figure: LinesFigure = {
      kind: "lines",
      title: `Score by ${cells.facetTitle(runs, by).toLowerCase()}`,
      x: cells.facetTitle(runs, by),
      y: "Mean score of a task",
      series: series.filter((each) => each.points.length > 0),
      notes: [
        ...(width === 1 ? [] : [`Each point stands for ${width} neighbouring values, from the one under it on`]),
        "Intervals of 95 %; the number of tasks is with each point",
        ...cells.shortfall(runs),
      ],
    };
    return [figure];
  },
};

function hasNumbers(runs: readonly RunRows[], facet: string): boolean {
  return runs.some(({ rows }) => rows.some(({ facets }) => typeof facets[facet] === "number"));
}

function points(rows: readonly Row[], facet: string): LinesFigure["series"][number]["points"] {
  const width = sizes[facet] ?? 1;
  const numbered = rows.filter(({ facets }) => typeof facets[facet] === "number");
  const bins = Map.groupBy(numbered, ({ facets }) => Math.floor(Number(facets[facet]) / width) * width);
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([x, own]) => {
      const values = own.flatMap((row) => (row.score?.value === undefined ? [] : [row.score.value]));
      if (values.length === 0) return [];
      const value = values.reduce((sum, each) => sum + each, 0) / values.length;
      const note = width === 1 ? {} : { note: `${x} to ${x + width - 1}` };
      const text = cells.shownValue(value, "percent");
      const found: Cell = { text, value, n: values.length, tasks: cells.refs(own), ...note };
      const cell = restingOn(found, coverageOf(own, cells.isScored));
      return [{ x, cell, ...cells.rowsInterval(own, ({ score }) => score?.value, `${facet} ${x}`) }];
    });
}
