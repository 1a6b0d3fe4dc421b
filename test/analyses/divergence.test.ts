import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { divergence, firstDifference } from "../../analyses/divergence.ts";
import { answerKey, type RunRows } from "../../source/engine/analysis.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { randomFrom } from "../../source/engine/statistics/random.ts";
import { alignedCalls, changeAt } from "../../source/engine/measures/aligned-calls.ts";
import { temporaryFolder, typed } from "../commands/typed.ts";
import { madeRun } from "./made-run.ts";

const folder = temporaryFolder();

/** A run with right or wrong tasks, and the calls of each. */
function run(label: string, tasks: readonly (readonly [0 | 1, ...string[]])[]): RunRows {
  const made = madeRun(
    label,
    tasks.map(([right], index) => ({ task: `t${index}`, right })),
  );
  return { ...made, calls: new Map(made.rows.map((row, at) => [answerKey(row), tasks[at]!.slice(1) as string[]])) };
}

const texts = (figure: TableFigure) => figure.rows.map((row) => row.map(({ text }) => text));
const tables = (runs: readonly RunRows[], show = "parted") =>
  divergence.compute(runs, { show }) as readonly TableFigure[];

describe("the step at which runs diverge", () => {
  const one = run("a", [
    [1, "find {}", "book 1", "pay 1"],
    [1, "find {}", "book 1"],
    [0, "find {}", "book 2"],
    [1, "find {}"],
  ]);
  const other = run("b", [
    [1, "find {}", "book 1", "pay 1"],
    [0, "find {}", "cancel 1"],
    [0, "find {}", "book 3", "pay 3"],
    [0, "find {}", "find {}"],
  ]);

  test("is the first call whose name or arguments differ, or that only one run makes", () => {
    const [steps] = tables([one, other]);
    // Step, tasks, other tool, other arguments, one ends; then each run's share right.
    expect(texts(steps!)).toEqual([
      ["2", "3", "1", "1", "1", "66.67", "0.00"],
      ["never", "1", "-", "-", "-", "100.00", "100.00"],
      ["all", "4", "1", "1", "1", "75.00", "25.00"],
    ]);
  });

  test("is listed by task with the differing calls, and each call opens its trajectory", () => {
    const [, tasks] = tables([one, other]);
    expect(texts(tasks!)).toEqual([
      ["t1", "2", "✓ book 1", "✗ cancel 1"],
      ["t2", "2", "✗ book 2", "✗ book 3"],
      ["t3", "2", "✓ (no more calls)", "✗ find {}"],
    ]);
    expect(tasks!.rows[0]![3]!.tasks).toEqual([{ run: other.run, task: "t1" }]);
    expect(tables([one, other], "all")[1]!.rows).toHaveLength(4);
  });

  test("is the first step at which any of three runs differs", () => {
    expect(
      firstDifference([
        ["a", "b"],
        ["a", "b"],
        ["a", "c"],
      ]),
    ).toBe(1);
    expect(firstDifference([["a"], ["a"], ["a"]])).toBeUndefined();
    expect(firstDifference([[], ["a"]])).toBe(0);
    expect(tables([one, other, one])[0]!.rows).toHaveLength(3);
  });

  test("requires two to four runs whose tasks call tools and whose logs have been read", () => {
    expect(divergence.missing!([one])).toContain("two to 4 runs");
    expect(divergence.missing!([one, one, one, one, one])).toContain("got 5");
    expect(divergence.missing!([one, { ...other, calls: undefined } as unknown as RunRows])).toBe(
      "Reading the calls ...",
    );
    expect(divergence.missing!([run("a", [[1]]), run("b", [[0]])])).toBe("No task of these runs calls a tool");
  });

  test("is compared only for tasks that ended in all runs", () => {
    expect(tables([one, run("b", [[1, "find {}"]])])[0]!.rows.map((row) => row[1]!.text)).toEqual(["1"]);
  });
});

describe("the aligned calls of one task", () => {
  const steps = (...lists: readonly (readonly string[])[]) =>
    alignedCalls(lists).map((step) => [changeAt(step), ...step.map((call) => call ?? "")]);

  test("are matched by name and arguments, then by name; other calls are inserted or removed", () => {
    expect(steps(["find 1", "book 1", "mail 1", "pay 1"], ["find 1", "check 1", "book 2", "pay 1", "mail 2"])).toEqual([
      ["same", "find 1", "find 1"],
      ["inserted", "", "check 1"],
      ["changed", "book 1", "book 2"],
      ["removed", "mail 1", ""],
      ["same", "pay 1", "pay 1"],
      ["inserted", "", "mail 2"],
    ]);
  });

  test("share a step if several of four trajectories contain the same additional call", () => {
    expect(steps(["a", "b"], ["a", "x", "b"], ["a", "y", "x", "b"], ["b"])).toEqual([
      ["removed", "a", "a", "a", ""],
      ["inserted", "", "", "y", ""],
      ["inserted", "", "x", "x", ""],
      ["same", "b", "b", "b", "b"],
    ]);
  });

  test("contain every call exactly once, in the original order, for any lists of calls", () => {
    const random = randomFrom(7);
    for (let round = 0; round < 200; round++) {
      const lists = [1, 2, 3, 4].map(() =>
        Array.from(
          { length: Math.floor(random() * 8) },
          () => `${"abc"[Math.floor(random() * 3)]} ${Math.floor(random() * 2)}`,
        ),
      );
      const aligned = alignedCalls(lists);
      for (const [at, list] of lists.entries()) expect(aligned.flatMap((step) => step[at] ?? [])).toEqual(list);
    }
  });

  test("are shown from the logs for the chosen task, with the first difference marked", async () => {
    mkdirSync(folder("mine"));
    const cell = "suite: tau2\ndata: sample\nmodel: [builtin/oracle, builtin/slips?rate=0.8]";
    const text = `\`\`\`run main\n${cell}\n\`\`\`\n\n\`\`\`analysis parts\npane: divergence\ntask: "0"\n\`\`\`\n`;
    writeFileSync(folder("mine/session.md"), text);
    const { out } = await typed("run", folder("mine"), "--json");
    const { cells } = JSON.parse(out) as { readonly cells: readonly { readonly figures?: readonly TableFigure[] }[] };
    const aligned = cells.at(-1)!.figures!.at(-1)!;
    expect(aligned.title).toBe("Calls of 0, step by step");
    expect(aligned.rows.map(([change]) => change!.text)).toEqual(["same", "same", "first: removed"]);
    expect(aligned.rows.at(-1)!.map(({ text: each }) => each)[1]).toContain("cancel_reservation");
  });
});
