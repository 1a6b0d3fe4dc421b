/** The toolkits of a run: number, sizes, separation, positions and contents. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Clusters } from "../source/engine/clusters.ts";
import {
  type BarsFigure,
  type Cell,
  type Figure,
  type PointsFigure,
  type TableFigure,
  tableColumns,
} from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { metricOfRun } from "../source/engine/measures/row-contents.ts";
import { counted } from "../source/engine/text/counted.ts";

/** Maximum number of API names per toolkit in the list of all toolkits. */
const mostNames = 5;
/** Maximum number of toolkits with their own mark on the map; the largest ones are chosen. */
const mostSigns = 16;
const largestShown = 7;
/** Maximum number of toolkits in a list; the choice of one shows any other. */
const mostListed = 60;

export const clusters: Analysis = {
  name: "clusters",
  title: "Clusters",
  question: "Which toolkits were the APIs grouped into, and how coherent are they?",
  needsClusters: true,
  choices(runs) {
    const known = runs.flatMap(({ clusters: found }) => (found === undefined ? [] : [found]));
    return {
      run: runs.filter(hasToolkits).map(({ label }) => label),
      toolkit: ["all", ...new Set(known.flatMap(({ toolkits }) => toolkits.map(({ id }) => String(id))))],
      api: ["none", ...new Set(known.flatMap(({ apis }) => apis.map(({ name }) => name)))],
    };
  },
  missing: (runs) =>
    runs.some(hasToolkits)
      ? undefined
      : "None of these runs uses toolkits: set `toolkits: on` and `clusters: {k: 20}` in the run cell",
  compute(runs, { run: label = "", toolkit = "all", api = "none" }) {
    const run = runs.find((each) => each.label === label) ?? runs.find(hasToolkits);
    const metrics = metricsTable(runs.filter(hasToolkits));
    if (run?.clusters === undefined) return [metrics];
    const { clusters: found } = run;
    const chosen = found.apis.findIndex(({ name }) => name === api);
    const ofRun: readonly (() => Figure)[] = [
      () => sizes(run, found),
      () => map(run, found, toolkit),
      () => contents(run, found, toolkit),
      ...(chosen < 0 ? [] : [() => neighbours(found, chosen)]),
    ];
    return [metrics, ...ofRun.map((figure) => figure())];
  },
};

const hasToolkits = (run: RunRows): boolean =>
  run.clusters !== undefined || run.clustersLoading === true || metricOfRun(run.rows, "cluster.count") !== undefined;

function metricsTable(runs: readonly RunRows[]): TableFigure {
  const shown = (run: RunRows, metric: string, digits: number, otherwise?: number): Cell => {
    const value = metricOfRun(run.rows, metric) ?? otherwise;
    return value === undefined ? cells.textCell("-") : { text: value.toFixed(digits), value };
  };
  const option = (run: RunRows, name: string) => cells.textCell(String(run.spec.options[name] ?? "-"));
  return {
    kind: "table",
    title: "Clusterings",
    columns: tableColumns(
      ["Run", "Method", "Embedding"],
      ["k", "eps", "Clusters", "Singletons", "Inertia", "Silhouette"],
    ),
    rows: runs.map((run) => {
      const sampled = metricOfRun(run.rows, "cluster.silhouette.sampled") !== undefined;
      const silhouette = shown(run, "cluster.silhouette", 3);
      const counted = run.clusters === undefined ? undefined : [...membersOf(run.clusters).values()];
      return [
        cells.withTasks({ text: run.label }, run.rows),
        option(run, "clusters.method"),
        option(run, "clusters.embedding"),
        option(run, "clusters.k"),
        option(run, "clusters.eps"),
        shown(run, "cluster.count", 0, counted?.length),
        shown(run, "cluster.singletons", 0, counted?.filter((members) => members.length === 1).length),
        shown(run, "cluster.inertia", 3),
        sampled ? { ...silhouette, text: `~${silhouette.text}` } : silhouette,
      ];
    }),
    notes: [
      ...(runs.some(({ clustersLoading }) => clustersLoading === true)
        ? ["Computing the sizes, the map and the contents of the toolkits"]
        : []),
      "Inertia: sum of squared distances to the centres; silhouette: -1 to 1, higher means better separated",
      ...(runs.some((run) => metricOfRun(run.rows, "cluster.silhouette.sampled") !== undefined)
        ? ["~: estimated from APIs drawn at random, because there are too many to compare every pair"]
        : []),
    ],
  };
}

const membersOf = ({ apis }: Clusters): ReadonlyMap<number, Clusters["apis"]> =>
  new Map([...Map.groupBy(apis, ({ toolkit }) => toolkit)].sort(([a], [b]) => a - b));

/** Groups toolkit sizes into ranges, each twice as wide as the previous range, because a bar for every size would be too many. */
function sizes({ label }: RunRows, found: Clusters): BarsFigure {
  const counts = Map.groupBy(membersOf(found).values(), (members) => 2 ** Math.floor(Math.log2(members.length)));
  return {
    kind: "bars",
    title: `Toolkits by size: ${label}`,
    unit: "toolkits",
    bars: [...counts]
      .sort(([a], [b]) => a - b)
      .map(([least, toolkits]) => ({
        label: least === 1 ? "1 API" : `${least} to ${2 * least - 1} APIs`,
        cell: { text: String(toolkits.length), value: toolkits.length },
      })),
    notes: [counted(found.apis.length, "API")],
  };
}

/** Draws APIs of marked toolkits first, because the first mark at a position covers later ones. */
function map({ label }: RunRows, found: Clusters, toolkit: string): PointsFigure {
  const marked = markedToolkits(found, toolkit);
  const points = found.apis.map(({ name, x, y, toolkit: id }) =>
    marked.has(id)
      ? { x, y, group: `toolkit ${id}`, label: name }
      : { x, y, group: "others", label: `${name}, toolkit ${id}` },
  );
  const few = toolkit === "all" && marked.size < found.toolkits.length;
  return {
    kind: "points",
    title: `Map of the APIs: ${label}`,
    x: "first component",
    y: "second component",
    points: [...points.filter(({ group }) => group !== "others"), ...points.filter(({ group }) => group === "others")],
    notes: [
      "Principal components: points far apart are dissimilar; points close together need not be similar",
      ...(few
        ? [
            `The ${marked.size} largest of ${found.toolkits.length} toolkits have their own marks; choose a toolkit to see its position`,
          ]
        : []),
    ],
  };
}

/** Returns the toolkits that get their own mark: the chosen one, otherwise all, or only the largest if there are many. */
function markedToolkits(found: Clusters, toolkit: string): ReadonlySet<number> {
  if (toolkit !== "all") return new Set([Number(toolkit)]);
  const members = [...membersOf(found)];
  if (members.length <= mostSigns) return new Set(members.map(([id]) => id));
  members.sort(([a, one], [b, other]) => other.length - one.length || a - b);
  return new Set(members.slice(0, largestShown).map(([id]) => id));
}

function contents({ label }: RunRows, found: Clusters, toolkit: string): TableFigure {
  const members = membersOf(found);
  if (toolkit !== "all") return contentsOfOne(label, members.get(Number(toolkit)) ?? [], found, Number(toolkit));
  const listed = found.toolkits.slice(0, mostListed);
  const left = found.toolkits.length - listed.length;
  return {
    kind: "table",
    title: `Toolkits: ${label}`,
    columns: tableColumns(
      [],
      ["Toolkit", "APIs", "Purity", { title: "Purpose", align: "left" }, { title: "Names", align: "left" }],
    ),
    rows: listed.map(({ id, description }) => {
      const apis = members.get(id) ?? [];
      return [
        { text: String(id), value: id },
        { text: String(apis.length), value: apis.length },
        purity(apis),
        cells.textCell(description),
        cells.textCell(
          `${apis
            .slice(0, mostNames)
            .map(({ name }) => name)
            .join(", ")}${apis.length > mostNames ? ", ..." : ""}`,
        ),
      ];
    }),
    notes: [
      "Purity: share of APIs that belong to the most frequent category",
      ...(left > 0 ? [`${counted(left, "more toolkit")} not listed; choose one to see it`] : []),
    ],
  };
}

function purity(apis: Clusters["apis"]): Cell {
  if (apis.length === 0) return cells.textCell("-");
  const most = Math.max(...[...Map.groupBy(apis, ({ group }) => group).values()].map((members) => members.length));
  return { text: `${cells.shownValue(most / apis.length, "percent")} %`, value: most / apis.length, n: apis.length };
}

const contentsOfOne = (label: string, apis: Clusters["apis"], found: Clusters, id: number): TableFigure => ({
  kind: "table",
  title: `Toolkit ${id}: ${label}`,
  columns: tableColumns(["API", "Category", "Nearest API"], []),
  rows: apis.map(({ name, group, neighbours: near }) => [
    cells.textCell(name),
    cells.textCell(group),
    cells.textCell(near[0] === undefined ? "-" : found.apis[near[0]]!.name),
  ]),
  notes: [found.toolkits.find((toolkit) => toolkit.id === id)?.description ?? "No toolkit of this run has this number"],
});

function neighbours({ apis }: Clusters, chosen: number): TableFigure {
  const own = apis[chosen]!;
  return {
    kind: "table",
    title: `Neighbours of ${own.name}`,
    columns: tableColumns(["API", "Category"], ["Toolkit", { title: "Same toolkit", align: "left" }]),
    rows: own.neighbours.map((index) => {
      const { name, group, toolkit } = apis[index]!;
      return [
        cells.textCell(name),
        cells.textCell(group),
        { text: String(toolkit), value: toolkit },
        cells.textCell(toolkit === own.toolkit ? "yes" : "no"),
      ];
    }),
    notes: [`${own.name} is in toolkit ${own.toolkit}; the nearest API comes first`],
  };
}
