/** A task that was stopped has not ended: it changes no number of any figure, and no value counts it. */
import { describe, expect, test } from "vitest";
import { difficulty } from "../../analyses/difficulty.ts";
import { efficiency } from "../../analyses/efficiency.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { type Figure, type TableFigure } from "../../source/engine/figure.ts";
import { figureJson } from "../../source/engine/figures/figure-json.ts";
import type { Row } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { exportFigure } from "../engine/figures/exported-figure.ts";
import { figuresOf, runsOf } from "./every-figure.ts";
import { at, madeRun, texts } from "./made-run.ts";

/** Adds a stopped and a running task for every task: of the same kind, and with its usage. */
function withOpen(run: RunRows): RunRows {
  const open = run.rows.flatMap((row): readonly Row[] => {
    const { cause: _, ...known } = row;
    const begun = { ...known, score: undefined };
    return [
      { ...begun, task: `${row.task} again`, state: "failed", failure: { kind: "stopped", message: "no" } },
      { ...begun, task: `${row.task} still`, state: "running", failure: undefined },
    ];
  });
  return { ...run, rows: [...run.rows, ...open] };
}

/** All figures except sums of effort, which include the usage of stopped tasks. */
const shown = (runs: readonly RunRows[]) =>
  figuresOf(runs)
    .filter(({ figure }) => figure.title !== "Effort in total")
    .map(({ name, figure }) => {
      const figureOfRuns = { ...figure, notes: [] } as Figure;
      return [name, exportFigure(figureOfRuns, "csv"), JSON.stringify(figureJson(figureOfRuns))];
    });

describe.each(suites.filter(({ ofFile }) => ofFile === undefined).map((suite) => [suite.name, suite] as const))(
  "stopped tasks of %s",
  (_, suite) => {
    test("change no figure", async () => {
      const runs = await runsOf(suite);
      expect(shown(runs.map(withOpen))).toEqual(shown(runs));
    });
  },
);

describe("a run with one ended and six stopped tasks", () => {
  const easy = { facets: { level: "easy" } };
  const stopped = Array.from({ length: 6 }, (_, index) => ({ task: `s${index}`, failed: "stopped", ...easy }) as const);
  const run = madeRun("r", [{ task: "done", right: 1, ...easy }, ...stopped]);

  test("counts one task in its score, both for its group and overall", () => {
    const [table] = difficulty.compute([run], { by: "level", mode: "strict", intervals: "off" }) as [TableFigure];
    expect(texts(table.rows).map((row) => row.slice(1))).toEqual([["easy", "100.00", "1"]]);
    expect(table.rows[0]!.flatMap(({ tasks = [] }) => tasks)).toEqual(at("r", "done", "done", "done"));
    expect(table.notes).toContain("r: 6 stopped; these tasks have no score and are left out");
  });

  test("averages effort over the ended task, and adds up effort over all seven", () => {
    const [mean] = efficiency.compute([run], { per: "task" }) as [TableFigure];
    const [sum] = efficiency.compute([run], { per: "total" }) as [TableFigure];
    const requests = mean.columns.findIndex(({ title }) => title === "Requests");
    expect(texts(mean.rows)[0]![requests]).toBe("1.00");
    expect(texts(sum.rows)[0]![requests]).toBe("7.00");
    expect([mean, sum].map(({ rows }) => rows[0]!.at(-1)!.value)).toEqual([1, 1]);
    expect(mean.notes).toContain("r: 6 stopped; these tasks have no score and are left out");
    expect(sum.notes).toContain("r: 6 stopped; these tasks have no score, but their usage counts");
  });

  test("is empty in the efficiency analysis while all of its tasks are stopped", () => {
    expect(efficiency.missing!([madeRun("r", stopped)])).toBe("No task has ended yet");
    expect(efficiency.missing!([run])).toBeUndefined();
  });
});
