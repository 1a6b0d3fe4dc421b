import { describe, expect, it } from "vitest";
import { compute } from "../../analyses/compute.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import type { GridFigure, PointsFigure, TableFigure } from "../../source/engine/figure.ts";
import { madeRun, madeSpec, texts } from "./made-run.ts";

/** Four tasks, the first of which are right, each for this many tokens. */
function runOf(label: string, right: number, tokens: number, spec: Partial<RunRows["spec"]> = {}): RunRows {
  const made = madeRun(
    label,
    [0, 1, 2, 3].map((task) => ({ task: `t${task}`, right: Number(task < right) })),
    { label, spec: { ...madeSpec, ...spec } },
  );
  const spent = { input: tokens - 10, output: 10, estimated: false };
  const rows = made.rows.map((row) => ({ ...row, counted: { ...row.counted, tokens: spent, seconds: tokens / 100 } }));
  return { ...made, rows };
}

const steps = (most: number) => ({ budget: { task: { steps: most } } });
const one = runOf("one", 1, 100);
const wasteful = runOf("wasteful", 1, 150, { temperature: 1 });
const majority = runOf("majority of 4", 2, 400, { samples: 4 });
const oracle = runOf("oracle of 4", 4, 400, { samples: 4, pick: "oracle" });

const computed = (runs: readonly RunRows[], chosen = {}) =>
  compute.compute(runs, { measures: "strict.right", ...chosen });

describe("the analysis of compute", () => {
  it("marks the runs that no other run beats in both cost and score, except runs that read the answer key", () => {
    const [table, tokens, seconds] = computed([one, wasteful, majority, oracle]) as [
      TableFigure,
      PointsFigure,
      PointsFigure,
    ];
    expect(
      texts(table.rows).map(([label, samples, right, , cost, time, frontier]) => [
        label,
        samples,
        right,
        cost,
        time,
        frontier,
      ]),
    ).toEqual([
      ["one", "1", "25.00", "100", "1.00", "tokens, seconds"],
      ["wasteful", "1", "25.00", "150", "1.50", ""],
      ["majority of 4", "4", "50.00", "400", "4.00", "tokens, seconds"],
      ["oracle of 4", "4", "100.00", "400", "4.00", "reads the answer key"],
    ]);
    expect(table.notes).toContain(
      "The oracle's picks are an upper bound and never on the frontier, because the oracle reads the answer key",
    );
    expect(tokens.points.map(({ x, y, group }) => [x, y, group])).toEqual([
      [100, 25, "frontier"],
      [150, 25, "not on the frontier"],
      [400, 50, "frontier"],
      [400, 100, "reads the answer key"],
    ]);
    expect([tokens.title, seconds.title]).toEqual(["Right against tokens", "Right against seconds"]);
  });

  it("draws a map of samples by steps for each method of picking a sample", () => {
    const runs = [
      runOf("one, 5 steps", 1, 100, steps(5)),
      runOf("one, 10 steps", 2, 200, steps(10)),
      runOf("four, 5 steps", 3, 400, { ...steps(5), samples: 4 }),
      runOf("four, 10 steps", 4, 800, { ...steps(10), samples: 4 }),
      runOf("best, 5 steps", 4, 400, { ...steps(5), samples: 4, pick: "oracle" }),
    ];
    expect(compute.choices(runs)["sequential"]).toEqual(["budget.task.steps"]);
    const maps = computed(runs, { sequential: "budget.task.steps" }).filter(
      (figure): figure is GridFigure => figure.kind === "grid",
    );
    expect(maps.map(({ title }) => title)).toEqual([
      "Right by samples and steps at most, picked by majority",
      "Right by samples and steps at most, picked by oracle",
    ]);
    const valuesOf = ({ cells }: GridFigure) => cells.map((line) => line.map((cell) => cell?.value));
    expect(maps[0]!.x.ticks).toEqual(["1", "4"]);
    expect(maps[0]!.y.ticks).toEqual(["5", "10"]);
    expect(valuesOf(maps[0]!)).toEqual([
      [0.25, 0.75],
      [0.5, 1],
    ]);
    expect(valuesOf(maps[1]!)).toEqual([
      [0.25, 1],
      [0.5, undefined],
    ]);
  });

  it("counts a strategy's own numbers, for example revisions, as sequential compute", () => {
    const option = (rounds: number) => ({ options: { rounds } });
    const runs = [
      runOf("a", 1, 100, option(1)),
      runOf("b", 2, 200, option(2)),
      runOf("c", 3, 300, { ...option(1), samples: 3 }),
    ];
    expect(compute.choices(runs)["sequential"]).toEqual(["rounds"]);
    expect(computed(runs, { sequential: "rounds" }).at(-1)!.title).toBe(
      "Right by samples and rounds, picked by majority",
    );
    // Samples alone give no map.
    expect(computed([one, majority]).map(({ kind }) => kind)).toEqual(["table", "points", "points"]);
  });

  it("requires two runs", () => {
    expect(compute.missing!([one])).toContain("samples: [1, 2, 4, 8]");
    expect(compute.missing!([one, majority])).toBeUndefined();
  });
});
