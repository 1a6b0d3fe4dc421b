import { meanMeasure } from "../../source/engine/measures/measure.ts";
import { describe, expect, test } from "vitest";
import { consistency } from "../../analyses/consistency.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import type { Suite } from "../../source/engine/suite.ts";
import { at, madeRun, madeSpec, madeSuite, texts, type MadeRow } from "./made-run.ts";

/** Six tasks in five trials, task by task; the same numbers as in the test of the clustered mean. */
const results = [
  [1, 1, 0, 1, 0],
  [0, 0, 0, 0, 1],
  [1, 1, 1, 1, 1],
  [0, 1, 0, 1, 1],
  [0, 0, 0, 0, 0],
  [1, 1, 1, 0, 1],
];
const trialRows = (trial: number, user: (task: number) => string = () => "one"): MadeRow[] =>
  results.map((values, task) => ({ task: `t${task}`, right: values[trial]!, facets: { user: user(task) } }));
const trials = [0, 1, 2, 3, 4].map((trial) =>
  madeRun(`run${trial + 1}`, trialRows(trial), {
    label: `trial ${trial + 1}`,
    spec: { ...madeSpec, trial: trial + 1, temperature: 0.7 },
  }),
);
const chosen = { measures: "strict.right", tasks: "differing" };
const tables = (runs: Parameters<typeof consistency.compute>[0], choices = chosen) =>
  consistency.compute(runs, choices) as readonly TableFigure[];

describe("the consistency analysis", () => {
  test("groups runs that differ only in their trial, and shows the uncertainty of the group's mean", () => {
    const [means] = tables(trials);
    expect(means!.columns.map(({ title }) => title)).toEqual([
      "Run",
      "trials",
      "mean",
      "s.e. by task",
      "95 % interval",
      "best",
      "worst",
      "disagree",
      "tasks",
    ]);
    // Standard error and interval: statsmodels 0.15.0, as in the test of the clustered mean. Two trials of the tasks differ
    // in 6, 4, 0, 6, 0 and 4 of 10 pairs. Trials have 3, 4, 2, 3 and 4 of 6 right.
    expect(texts(means!.rows)).toEqual([
      ["lab/small", "5", "53.33", "15.20", "[27.75, 77.27]", "66.67", "33.33", "33.33", "6"],
    ]);
    expect(means!.rows[0]![2]).toMatchObject({ n: 30 });
    expect(means!.rows[0]![6]!.tasks).toEqual(at("run3", "t0", "t1", "t2", "t3", "t4", "t5"));
  });

  test("uses the first measure with a value if none is chosen", () => {
    const [right, ...others] = madeSuite.measures;
    const unknown = meanMeasure("never", { name: "strict.plan", title: "Plan", mode: "strict" });
    const suite: Suite = { ...madeSuite, measures: [unknown, right!, ...others] };
    const runs = trials.map((run) => ({ ...run, suite }));
    const { measures } = consistency.choices(runs);
    expect(measures!.slice(0, 3)).toEqual(["main", "strict.plan", "strict.right"]);
    const [means] = tables(runs, { measures: measures![0]!, tasks: "differing" });
    expect(means!.title).toBe("Right over trials");
    expect(texts(means!.rows)[0]![2]).toBe("53.33");
    const named = tables(runs, { measures: "strict.plan", tasks: "differing" });
    expect(texts(named[0]!.rows)[0]![2]).toBe("-");
  });

  test("treats the trials of a cell with repeats as one run, with the same figures as separate runs", () => {
    const pooled = madeRun("run1", [], { label: "lab/small", rows: trials.flatMap(({ rows }) => rows) });
    const numbers = (figures: readonly TableFigure[]) => figures.map(({ title, rows }) => ({ title, rows }));
    expect(numbers(tables([pooled]))).toEqual(numbers(tables(trials)));
    expect(tables([pooled])[0]!.notes.at(-1)).toBe("lab/small: 5 trials pooled; intervals are clustered by task");
  });

  test("averages the unbiased estimators of pass@k and pass^k over tasks", () => {
    const [means, tries] = tables(trials);
    // By hand, with c of 5 trials right (3, 1, 5, 3, 0, 4): k = 2 gives C(c, 2) / 10 = 3, 0, 10, 3, 0, 6 tenths, and of the
    // failing ones 1, 6, 0, 1, 10, 0 tenths.
    expect(tries!.rows.map((row) => [row[1]!.text, row[2]!.text, row[4]!.text, row[6]!.text])).toEqual([
      ["1", "53.33", "53.33", "6"],
      ["2", "70.00", "36.67", "6"],
      ["3", "76.67", "26.67", "6"],
      ["4", "80.00", "20.00", "6"],
      ["5", "83.33", "16.67", "6"],
    ]);
    // k = 1 equals the mean in the first table, with the same interval.
    expect(tries!.rows[0]![3]!.text).toBe(means!.rows[0]![4]!.text);
    expect(tries!.notes[1]).toBe("Right: Right is 1");
  });

  test("lists the tasks with differing outcomes and their trials, with the least certain task first", () => {
    const [, , tasks] = tables(trials);
    expect(tasks!.title).toBe("Tasks whose trials differ: lab/small");
    expect(texts(tasks!.rows)).toEqual([
      ["t0", "100.00", "0.00", "60.00", "60.00", "5", "What about t0?"],
      ["t3", "100.00", "0.00", "60.00", "60.00", "5", "What about t3?"],
      ["t1", "100.00", "0.00", "20.00", "40.00", "5", "What about t1?"],
      ["t5", "100.00", "0.00", "80.00", "40.00", "5", "What about t5?"],
    ]);
    expect(tasks!.rows[0]![0]!.tasks).toEqual(trials.map(({ run }) => ({ run, task: "t0" })));
    expect(tasks!.notes).toEqual([
      "The results of trials differ in 4 of 6 tasks; the column `disagree` has the percentage of pairs of trials that differ",
    ]);
    expect(tables(trials, { measures: "strict.right", tasks: "all" })[2]!.rows).toHaveLength(6);
  });

  test("clusters the standard error by groups of tasks if there are any", () => {
    const suite = {
      ...madeSuite,
      facets: [{ name: "user", title: "User" }],
      groupFacet: "user",
    } as unknown as Suite;
    const grouped = trials.map((run, trial) => ({
      ...madeRun(
        run.run,
        trialRows(trial, (task) => `u${task >> 1}`),
        { label: run.label, spec: run.spec },
      ),
      suite,
    }));
    const [means] = tables(grouped);
    expect(means!.columns[4]!.title).toBe("s.e. by user");
    // statsmodels 0.15.0, OLS(y, np.ones(30)).fit(cov_type="cluster", cov_kwds={"groups": users}): bse 0.13333333333333333.
    expect(means!.rows[0]![4]!.value).toBeCloseTo(0.13333333333333333, 12);
    expect(means!.rows[0]![4]!.n).toBe(3);
  });

  test("omits a task's failed trials, and notes the omission", () => {
    const failing = madeRun("run6", [{ task: "t0", failed: "model" }, ...trialRows(0).slice(1)], {
      label: "trial 6",
      spec: { ...madeSpec, trial: 6, temperature: 0.7 },
    });
    const [means, tries] = tables([...trials, failing]);
    expect(means!.rows[0]![2]).toMatchObject({ n: 35 });
    expect(tries!.rows.map((row) => row[6]!.text)).toEqual(["6", "6", "6", "6", "6"]);
    expect(means!.notes.at(-1)).toContain("trial 6: 1 failed");
  });

  test("separates runs that differ in more than the trial", () => {
    const other = trials.map((run) => ({ ...run, label: `b: ${run.label}`, spec: { ...run.spec, temperature: 1 } }));
    const both = trials.map((run) => ({ ...run, label: `a: ${run.label}` }));
    expect(tables([...both, ...other])[0]!.rows.map(([first]) => first!.text)).toEqual(["a", "b"]);
  });

  test("shows nothing for a single trial", () => {
    expect(consistency.missing?.([trials[0]!])).toContain("`repeats: 5`");
    expect(consistency.missing?.(trials)).toBeUndefined();
    expect(consistency.choices(trials)["measures"]!.slice(0, 2)).toEqual(["main", "strict.right"]);
  });

  test("reports mean and spread without a standard error for a measure that is not a mean over tasks", () => {
    const counted = trials.map((run, trial) =>
      madeRun(run.run, [{ task: "a", right: 1, metrics: { hits: trial, tries: 4 } }], {
        label: run.label,
        spec: run.spec,
      }),
    );
    const [means] = tables(counted, { measures: "strict.argument-em", tasks: "differing" });
    expect(texts(means!.rows)).toEqual([["lab/small", "5", "50.00", "-", "-", "100.00", "0.00", "-", "0"]]);
  });
});
