import { describe, expect, test } from "vitest";
import { compare } from "../../analyses/compare.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import type { Row } from "../../source/engine/types.ts";
import { madeRun, type MadeRow } from "./made-run.ts";

const tasks = 15_000;

/** Tasks of three levels with right and wrong answers, some without a score, and costs that all differ. */
function large(label: string): RunRows {
  const random = randomFrom(label);
  const rows = Array.from({ length: tasks }, (_, index): MadeRow => {
    const task = `t${index}`;
    const facets = { level: ["easy", "hard", "medium"][index % 3]! };
    if (random() < 0.01) return { task, facets, failed: "model" };
    return { task, facets, right: random() < 0.6 ? 1 : 0, metrics: { waste: random() } };
  });
  return madeRun(label, rows);
}

/** The runs, and how often their rows' scores were read since the last call. */
function watched(runs: readonly RunRows[]): { readonly runs: readonly RunRows[]; asked(): number } {
  let count = 0;
  const watch = (row: Row): Row => {
    const { score } = row;
    return Object.defineProperty({ ...row }, "score", { get: () => ((count += 1), score), enumerable: true });
  };
  const asked = () => {
    const before = count;
    count = 0;
    return before;
  };
  return { runs: runs.map((run) => ({ ...run, rows: run.rows.map(watch) })), asked };
}

describe("a comparison of two large runs", () => {
  const [before, after] = [large("before"), large("after")];
  test("reads hardly more scores for a table of four rows than for a table of one row, except for means and flips", () => {
    const looks = (by: string) => {
      const { runs, asked } = watched([before, after]);
      compare.compute(runs, { measures: "strict.right", before: "before", by }, { after: ["after"] });
      return asked();
    };
    const means = 2 * tasks;
    // The reason why two of a hundred have no score in both runs is read for each line.
    expect(looks("level")).toBeLessThanOrEqual(looks("") + means + 0.1 * tasks);
  });

  test("lists the tasks behind a number only on request, and only a single time", () => {
    let listed = 0;
    const counting = (run: RunRows): RunRows => {
      const rows = run.rows.map((row) =>
        Object.defineProperty({ ...row }, "task", { get: () => ((listed += 1), row.task), enumerable: true }),
      );
      return { ...run, rows };
    };
    const [runs, chosen] = [
      [counting(before), counting(after)],
      { measures: "strict.right", before: "before", by: "" },
    ];
    const [table, flipped] = compare.compute(runs, chosen, { after: ["after"] });
    if (table?.kind !== "table" || flipped?.kind !== "table") throw new Error("Expected two tables");
    expect(flipped.rows.length).toBeGreaterThan(0.4 * tasks);
    // To pair the rows. Long lists of tasks that flipped are made row by row when they are read.
    expect(listed).toBe(2 * tasks);
    const last = flipped.rows.at(-1)!;
    expect(listed).toBe(2 * tasks + 3);
    const { task } = after.rows.findLast(({ score }, at) => score?.value !== before.rows[at]!.score?.value)!;
    expect(last[0]).toEqual({ text: task, tasks: ["before", "after"].map((run) => ({ run, task })) });
    listed = 0;
    const cell = table.rows.at(-1)![1]!;
    expect(cell.tasks).toEqual(cell.tasks);
    expect(cell.tasks!.length).toBeGreaterThan(0.9 * tasks);
    expect(listed).toBe(cell.tasks!.length);
  });
});

test("the compare analysis shows the cause of an unread answer in the list of tasks that differ", () => {
  const run = (label: string, right: number): RunRows => madeRun(label, [{ task: "t", right }]);
  const after = run("after", 0);
  const cut = { cause: "cut", detail: "maxTokens 20" } as const;
  const runs = [run("before", 1), { ...after, rows: after.rows.map((row) => ({ ...row, cause: cut })) }];
  const chosen = { measures: "strict.right", before: "before", by: "" };
  const [, flipped] = compare.compute(runs, chosen, { after: ["after"] });
  if (flipped?.kind !== "table") throw new Error("Expected a table");
  expect(flipped.rows[0]!.map(({ text }) => text)).toEqual(["t", "100.00", "0.00 (cut at 20 tokens)", "What about t?"]);
});
