import type { Clusters } from "../../source/engine/clusters.ts";
import { describe, expect, it } from "vitest";
import { clusters } from "../../analyses/clusters.ts";
import type { BarsFigure, PointsFigure, TableFigure } from "../../source/engine/figure.ts";
import { clusterView } from "../../source/engine/clustering/toolkits/cluster-view.ts";
import { vectorsFrom } from "../../source/engine/clustering/methods/vectors.ts";
import { toyRun } from "./cluster-runs.ts";

const apis = [
  { name: "rain", group: "weather" },
  { name: "wind", group: "weather" },
  { name: "euro", group: "money" },
  { name: "storm", group: "money" },
];
const view = await clusterView(
  apis,
  vectorsFrom([
    [0, 0],
    [1, 0],
    [9, 0],
    [2, 0],
  ]),
  [0, 0, 1, 0],
  [
    { id: 0, description: "Weather of all kinds" },
    { id: 1, description: "Money" },
  ],
);
const options = { "clusters.k": 2, "clusters.method": "kmeans", "clusters.embedding": "lexical" };
const metrics = { "cluster.count": 2, "cluster.singletons": 1, "cluster.inertia": 2, "cluster.silhouette": 0.5 };
const whole = toyRun({ label: "two", options, metrics, passes: [undefined, 1], clusters: view });
const texts = ({ rows }: TableFigure) => rows.map((row) => row.map(({ text }) => text));

describe("the clusters analysis", () => {
  it("shows the clusterings of all runs in one table, and omits runs without a clustering", () => {
    const more = toyRun({ label: "more", options: { ...options, "clusters.k": 3 }, metrics: { "cluster.count": 3 } });
    const runs = [whole, toyRun({ label: "react" }), more];
    expect(clusters.choices(runs)["run"]).toEqual(["two", "more"]);
    const [table] = clusters.compute(runs, { run: "more" }) as readonly TableFigure[];
    expect(texts(table!)).toEqual([
      ["two", "kmeans", "lexical", "2", "-", "2", "1", "2.000", "0.500"],
      ["more", "kmeans", "lexical", "3", "-", "3", "-", "-", "-"],
    ]);
  });

  it("shows sizes, map and contents", () => {
    const [, sizes, map, contents, ...rest] = clusters.compute([whole], { run: "two", toolkit: "all", api: "none" });
    expect(rest).toEqual([]);
    expect((sizes as BarsFigure).bars.map(({ label, cell }) => [label, cell.value])).toEqual([
      ["1 API", 1],
      ["2 to 3 APIs", 1],
    ]);
    const points = (map as PointsFigure).points.map(({ x, group, label }) => [x, group, label]);
    expect(points).toEqual([
      [-3, "toolkit 0", "rain"],
      [-2, "toolkit 0", "wind"],
      [6, "toolkit 1", "euro"],
      [-1, "toolkit 0", "storm"],
    ]);
    expect(texts(contents as TableFigure)).toEqual([
      ["0", "3", "66.67 %", "Weather of all kinds", "rain, wind, storm"],
      ["1", "1", "100.00 %", "Money", "euro"],
    ]);
  });

  it("gives the largest toolkits and a chosen toolkit their own signs on the map", () => {
    // Toolkit 0 has one API, toolkit 1 two, and so on to toolkit 19.
    const apis = Array.from({ length: 20 }, (_, id) => Array.from({ length: id + 1 }, (_, at) => ({ id, at }))).flat();
    const many: Clusters = {
      toolkits: Array.from({ length: 20 }, (_, id) => ({ id, description: `Toolkit ${id}` })),
      apis: apis.map(({ id, at }) => ({ name: `a${id}-${at}`, group: "", toolkit: id, x: id, y: at, neighbours: [] })),
    };
    const mapOf = (toolkit: string) => {
      const figures = clusters.compute([{ ...whole, clusters: many }], { run: "two", toolkit, api: "none" });
      return figures.find(({ kind }) => kind === "points") as PointsFigure;
    };
    const groups = (toolkit: string) => [...new Set(mapOf(toolkit).points.map(({ group }) => group))];
    expect(groups("all")).toEqual([13, 14, 15, 16, 17, 18, 19].map((id) => `toolkit ${id}`).concat("others"));
    expect(mapOf("all").points).toHaveLength(apis.length);
    expect(mapOf("all").points.at(-1)!.label).toBe("a12-12, toolkit 12");
    expect(mapOf("all").notes.join()).toContain("The 7 largest of 20 toolkits");
    expect(groups("3")).toEqual(["toolkit 3", "others"]);
  });

  it("shows a chosen toolkit, and the neighbours of a chosen API", () => {
    const [, , map, contents, neighbours] = clusters.compute([whole], { run: "two", toolkit: "1", api: "storm" });
    expect((map as PointsFigure).points.map(({ group }) => group)).toEqual(["toolkit 1", "others", "others", "others"]);
    expect(texts(contents as TableFigure)).toEqual([["euro", "money", "storm"]]);
    expect(contents!.notes).toEqual(["Money"]);
    expect(texts(neighbours as TableFigure)).toEqual([
      ["wind", "weather", "0", "yes"],
      ["rain", "weather", "0", "yes"],
      ["euro", "money", "1", "no"],
    ]);
  });

  it("offers its toolkits and APIs, and reports if there are none", () => {
    expect(clusters.choices([whole])).toEqual({
      run: ["two"],
      toolkit: ["all", "0", "1"],
      api: ["none", "rain", "wind", "euro", "storm"],
    });
    // All of them, however many: a paper's pool has 1,800 toolkits of 16,000 APIs.
    const { clusters: toy } = whole;
    const [first] = toy!.apis;
    const many = { ...toy!, apis: Array.from({ length: 16_000 }, (_, index) => ({ ...first!, name: `api ${index}` })) };
    expect(clusters.choices([{ ...whole, clusters: many }])["api"]).toHaveLength(16_001);
    expect(clusters.missing!([toyRun({ label: "react" })])).toContain("None of these runs uses toolkits");
    expect(clusters.missing!([toyRun({ label: "metrics only", metrics })])).toBeUndefined();
    expect(clusters.compute([toyRun({ label: "metrics only", metrics })], {})).toHaveLength(1);
  });
});
