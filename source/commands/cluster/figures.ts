/** The figures `planwright cluster` prints. */
import { dash } from "../../look/signs.ts";
import type { Grouping } from "../../engine/clustering/methods/grouping.ts";
import { singletons, sizeHistogram } from "../../engine/clustering/methods/partition.ts";
import type { ApiToolkit } from "../../engine/clustering/toolkits/toolkits.ts";
import { tableColumns, type Cell, type Figure } from "../../engine/figure.ts";
import type { Quality } from "./library.ts";
import { counted } from "../../engine/text/counted.ts";

/** Maximum numbers of listed toolkits and names; the output file contains all. */
const mostToolkits = 50;
const mostNames = 6;

export function summaryFigure(grouping: Grouping, seconds: number): Figure {
  const { inertia, iterations, labels, refinementIterations = 0, silhouette, silhouetteOf, sizes } = grouping;
  const sampled = silhouetteOf < labels.length ? ` of a random sample of ${silhouetteOf}` : "";
  const byMethod: [string, Cell][] =
    inertia === undefined
      ? []
      : [
          ["inertia", number(inertia, 4)],
          ["iterations", number(iterations, 0)],
          ["refinement iterations", number(refinementIterations, 0)],
        ];
  const rows: [string, Cell][] = [
    ["vectors", number(labels.length, 0)],
    ["clusters", number(sizes.length, 0)],
    ...byMethod,
    [`silhouette${sampled}`, silhouette === undefined ? { text: dash } : number(silhouette, 4)],
    [
      "largest cluster",
      number(
        sizes.reduce((most, size) => Math.max(most, size), 0),
        0,
      ),
    ],
    ["clusters with one API", number(singletons(sizes), 0)],
    ["seconds", number(seconds, 2)],
  ];
  return {
    kind: "table",
    title: grouping.method === "kmeans" ? "k-means" : "DBSCAN, cosine distance",
    notes: [],
    columns: tableColumns([""], [""]),
    rows: rows.map(([name, cell]) => [{ text: name }, cell]),
  };
}

export function qualityFigure({ purity, queries }: Quality): Figure {
  const share = (value: number | undefined): Cell => (value === undefined ? { text: dash } : number(value, 4));
  const rows: [string, Cell][] = [
    ["purity by category", share(purity.category)],
    ["purity by category and package", share(purity.package)],
  ];
  const notes = ["Purity: share of APIs that have the most frequent category of their toolkit"];
  if (queries !== undefined) {
    const { distinct, leftOut } = queries;
    rows.push(
      ["queries with several relevant APIs", number(queries.queries, 0)],
      ["queries with one API per toolkit", number(distinct, 0)],
      ["share of these queries", share(queries.queries === 0 ? undefined : distinct / queries.queries)],
    );
    notes.push(`${leftOut} queries have fewer than two relevant APIs, or a relevant API that is not in the library`);
  }
  return {
    kind: "table",
    title: "Agreement of toolkits with known categories",
    notes,
    columns: tableColumns([""], [""]),
    rows: rows.map(([name, cell]) => [{ text: name }, cell]),
  };
}

export const sizesFigure = ({ sizes }: Grouping): Figure => ({
  kind: "bars",
  title: "Clusters by size",
  notes: [],
  unit: "number",
  bars: sizeHistogram(sizes).map(({ size, clusters }) => ({
    label: size === 1 ? "1 member" : `${size} members`,
    cell: number(clusters, 0),
  })),
});

export function toolkitsFigure(toolkits: readonly ApiToolkit[]): Figure {
  const left = toolkits.length - mostToolkits;
  return {
    kind: "table",
    title: "Toolkits",
    notes: left > 0 ? [`${counted(left, "more toolkit")} not shown`] : [],
    columns: tableColumns(
      [],
      ["toolkit", "APIs", { title: "description", align: "left" }, { title: "names", align: "left" }],
    ),
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

function namesOf(apis: ApiToolkit["apis"]): string {
  const names = apis.slice(0, mostNames).map(({ api_dest }) => api_dest.name);
  return apis.length > mostNames ? `${names.join(", ")}, ...` : names.join(", ");
}

const number = (value: number, digits: number): Cell => ({ text: value.toFixed(digits), value });
