import { describe, expect, it } from "vitest";
import { kSweep } from "../../analyses/k-sweep.ts";
import type { LinesFigure } from "../../source/engine/figure.ts";
import { planRunCell } from "../../source/engine/session/run-cell.ts";
import { wilson } from "../../source/engine/statistics/interval.ts";
import { toolbench } from "../../suites/toolbench/index.ts";
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
  it("draws one line per setting, in the order of k, with intervals and denominators", () => {
    const [figure] = lines({ measures: "pass", x: "clusters.k" });
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
      "Not on this axis: react",
      "k 4: 1 failed; these tasks have no score and are left out",
    ]);
  });

  it("shows measures and effort together, including the effort of failed tasks", () => {
    const figures = lines({});
    expect(figures.map(({ y }) => y)).toEqual([
      "Pass rate",
      "Model calls per task",
      "Tool calls per task, including the last call",
      "Seconds per task",
    ]);
    const calls = figures[1]!.series[0]!.points.map(({ cell }) => [cell.value, cell.n]);
    expect(calls).toEqual([
      [2.5, 4],
      [2.5, 4],
    ]);
    expect(lines({ measures: "seconds" })[0]!.series[0]!.points[0]!.cell).toMatchObject({ value: 0.5, text: "0.5" });
  });

  it("draws runs that use DBSCAN at their number of toolkits", () => {
    const dbscan = [0.02, 0.04].map((eps, index) =>
      toyRun({ label: `eps ${eps}`, options: { "clusters.eps": eps }, metrics: { "cluster.count": 24 - index } }),
    );
    expect(kSweep.choices(dbscan)["x"]).toEqual(["cluster.count", "clusters.eps"]);
    const [figure] = kSweep.compute(dbscan, { measures: "pass", x: "cluster.count" }) as readonly LinesFigure[];
    expect(figure!.series).toHaveLength(1);
    expect(figure!.series[0]!.points.map(({ x }) => x)).toEqual([23, 24]);
  });

  it("distinguishes lines by any setting that differs, and omits runs without toolkits", () => {
    const planned = planRunCell(
      "suite: toolbench\nmodel: [lab/a, lab/b]\nstrategy: [tool-planner, react, dfsdt]\ntemperature: [0, 0.7]\nclusters: {k: [4, 8, 16]}\n",
      { suites: [toolbench], defaultData: () => "sample" },
    ).runs;
    const swept = planned.map(({ label, spec }) => ({ ...toyRun({ label }), suite: toolbench, spec }));
    // Without toolkits, three values of k are one run.
    expect(swept).toHaveLength(2 * 2 * (3 + 1 + 1));
    const [figure] = kSweep.compute(swept, { measures: "seconds", x: "clusters.k" }) as readonly LinesFigure[];
    expect(figure!.series.map(({ label, points }) => [label, points.map(({ x }) => x)])).toEqual(
      ["lab/a · temperature 0", "lab/a · temperature 0.7", "lab/b · temperature 0", "lab/b · temperature 0.7"].map(
        (label) => [label, [4, 8, 16]],
      ),
    );
    expect(figure!.notes.find((note) => note.startsWith("Not on this axis"))).toContain(
      "lab/a · react · temperature 0;",
    );
  });

  it("has a distinct title for every figure, also for suites with other measures", () => {
    const suite = { ...runs[0]!.suite, measures: toolbench.measures };
    const counted = runs.slice(0, 2).map((run) => ({
      ...run,
      suite,
      rows: run.rows.map((row) => ({
        ...row,
        score: { value: undefined, metrics: { answered: 1, tool_calls: 1 }, checks: [], errors: [] },
      })),
    }));
    const figures = kSweep.compute(counted, {});
    const titles = figures.map(({ title }) => title);
    expect(titles).toHaveLength(5);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles[1]).toBe("Tool calls per task by k, toolkits requested");
  });

  it("shows a paper's points for the same tasks on request", async () => {
    const reported = await toolbench.reported!();
    const swept = [0.02, 0.16].map((eps) => {
      const run = toyRun({ label: `eps ${eps}`, options: { "clusters.eps": eps, "clusters.method": "dbscan" } });
      const rows = run.rows.map((row) => ({ ...row, facets: { set: "G1_instruction" } }));
      return { ...run, rows, reported, suite: { ...run.suite, measures: toolbench.measures } };
    });
    const series = (chosen: Readonly<Record<string, string>>) =>
      (kSweep.compute(swept, { x: "clusters.eps", paper: "on", ...chosen }) as readonly LinesFigure[])[0]!;
    const [, printed, ...more] = series({ measures: "tooleval.win" }).series;
    expect(more).toEqual([]);
    expect(printed!.label).toBe("Tool-Planner paper (ICLR 2025), Table 8, G1_instruction");
    // Table 8 of the paper, its column G1-Inst.
    expect(printed!.points.map(({ x, cell }) => [x, cell.text, cell.reported])).toEqual([
      [0.001, "57.5", true],
      [0.01, "61.8", true],
      [0.02, "64.3", true],
      [0.04, "63.5", true],
      [0.08, "59.5", true],
      [0.16, "50.5", true],
    ]);
    expect(series({ measures: "tooleval.win", paper: "off" }).series).toHaveLength(1);
    const none = "No paper reports this measure for these tasks along this axis";
    expect(series({ measures: "tooleval.win" }).notes).not.toContain(none);
    expect(series({ measures: "tooleval.pass" }).notes).toContain(none);
  });

  it("explains which setting to vary if all runs have the same k", () => {
    expect(kSweep.missing!([runs[0]!, runs[3]!])).toContain("clusters: {k: [4, 8, 16]}");
    expect(kSweep.missing!(runs)).toBeUndefined();
  });
});
