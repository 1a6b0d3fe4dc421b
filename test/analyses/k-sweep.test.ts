import { describe, expect, it } from "vitest";
import { kSweep } from "../../analyses/k-sweep.ts";
import type { LinesFigure } from "../../source/engine/figure.ts";
import { wilson } from "../../source/engine/statistics/interval.ts";
import { toyRun } from "./cluster-runs.ts";

const runs = [
  toyRun({ label: "k 8", options: { "clusters.k": 8, "clusters.embedding": "lexical" }, passes: [1, 1, 1, 0] }),
  toyRun({
    label: "k 4",
    options: { "clusters.k": "4", "clusters.embedding": "lexical" },
    passes: [1, 0, 0, undefined],
  }),
  toyRun({ label: "ada 4", options: { "clusters.k": 4, "clusters.embedding": "ada" }, passes: [1] }),
  toyRun({ label: "react", strategy: "react", passes: [0] }),
];
const lines = (chosen: Readonly<Record<string, string>>) => kSweep.compute(runs, chosen) as readonly LinesFigure[];

describe("the k sweep", () => {
  it("draws one line for each setting, in the order of k, with intervals and denominators", () => {
    const [figure] = lines({ metric: "pass", x: "clusters.k" });
    expect(
      figure!.series.map(({ label, points }) => [label, points.map(({ x, cell }) => [x, cell.text, cell.n])]),
    ).toEqual([
      [
        "clusters.embedding lexical",
        [
          [4, "33.33", 3],
          [8, "75.00", 4],
        ],
      ],
      ["clusters.embedding ada", [[4, "100.00", 1]]],
    ]);
    expect(figure!.series[0]!.points[1]).toMatchObject(wilson(3, 4)!);
    expect(figure!.notes).toEqual([
      "Lines show 95 % intervals",
      "Without a place on this axis: react",
      "k 4: 1 failed; these have no score and are left out",
    ]);
  });

  it("shows measures and effort together, failed tasks' effort included", () => {
    const figures = lines({});
    expect(figures.map(({ y }) => y)).toEqual([
      "Pass rate",
      "Model calls per task",
      "Tool calls per task",
      "Seconds per task",
    ]);
    const calls = figures[1]!.series[0]!.points.map(({ cell }) => [cell.value, cell.n]);
    expect(calls).toEqual([
      [2.5, 4],
      [2.5, 4],
    ]);
    expect(lines({ metric: "seconds" })[0]!.series[0]!.points[0]!.cell).toMatchObject({ value: 0.5, text: "0.5" });
  });

  it("takes DBSCAN's runs by the number of toolkits they made", () => {
    const dbscan = [0.02, 0.04].map((eps, index) =>
      toyRun({ label: `eps ${eps}`, options: { "clusters.eps": eps }, metrics: { "cluster.count": 24 - index } }),
    );
    expect(kSweep.choices(dbscan)["x"]).toEqual(["cluster.count", "clusters.eps"]);
    const [figure] = kSweep.compute(dbscan, { metric: "pass", x: "cluster.count" }) as readonly LinesFigure[];
    expect(figure!.series).toHaveLength(1);
    expect(figure!.series[0]!.points.map(({ x }) => x)).toEqual([23, 24]);
  });

  it("says what to do when there is nothing to sweep", () => {
    expect(kSweep.missing!([runs[0]!, runs[3]!])).toContain("clusters: {k: [4, 8, 16]}");
    expect(kSweep.missing!(runs)).toBeUndefined();
  });
});
