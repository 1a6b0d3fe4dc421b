/** What `planwright cluster` shows for people. */
import type { Grouping } from "../engine/clustering/grouping.ts";
import { singletons, sizeHistogram } from "../engine/clustering/partition.ts";
import type { Toolkit } from "../engine/clustering/toolkits.ts";
import type { Cell, Figure } from "../engine/figure.ts";

/** Toolkits and names listed: more is for the output file. */
const mostToolkits = 50;
const mostNames = 6;

export function summaryFigure(grouping: Grouping, seconds: number): Figure {
  const { inertia, iterations, labels, silhouette, sizes } = grouping;
  const byMethod: [string, Cell][] =
    inertia === undefined
      ? []
      : [
          ["inertia", number(inertia, 4)],
          ["iterations", number(iterations, 0)],
        ];
  const rows: [string, Cell][] = [
    ["vectors", number(labels.length, 0)],
    ["clusters", number(sizes.length, 0)],
    ...byMethod,
    ["silhouette", silhouette === undefined ? { text: "–" } : number(silhouette, 4)],
    [
      "largest cluster",
      number(
        sizes.reduce((most, size) => Math.max(most, size), 0),
        0,
      ),
    ],
    ["clusters of one", number(singletons(sizes), 0)],
    ["seconds", number(seconds, 2)],
  ];
  return {
    kind: "table",
    title: grouping.method === "kmeans" ? "k-means" : "DBSCAN, cosine distance",
    notes: [],
    columns: [
      { title: "", align: "left" },
      { title: "", align: "right" },
    ],
    rows: rows.map(([name, cell]) => [{ text: name }, cell]),
  };
}

export function sizesFigure({ sizes }: Grouping): Figure {
  return {
    kind: "bars",
    title: "Clusters by size",
    notes: [],
    unit: "number",
    bars: sizeHistogram(sizes).map(({ size, clusters }) => ({
      label: size === 1 ? "1 member" : `${size} members`,
      cell: number(clusters, 0),
    })),
  };
}

export function toolkitsFigure(toolkits: readonly Toolkit[]): Figure {
  const left = toolkits.length - mostToolkits;
  return {
    kind: "table",
    title: "Toolkits",
    notes: left > 0 ? [`${left} more toolkits are not shown`] : [],
    columns: [
      { title: "toolkit", align: "right" },
      { title: "APIs", align: "right" },
      { title: "what for", align: "left" },
      { title: "names", align: "left" },
    ],
    rows: toolkits
      .slice(0, mostToolkits)
      .map(({ id, apis, description }) => [
        number(id, 0),
        number(apis.length, 0),
        { text: description },
        { text: namesOf(apis) },
      ]),
  };
}

function namesOf(apis: Toolkit["apis"]): string {
  const names = apis.slice(0, mostNames).map(({ api_dest }) => api_dest.name);
  return apis.length > mostNames ? `${names.join(", ")}, ...` : names.join(", ");
}

function number(value: number, digits: number): Cell {
  return { text: value.toFixed(digits), value };
}
