import { describe, expect, test } from "vitest";
import { compare } from "../../../analyses/compare.ts";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { measureInterval } from "../../../source/engine/measures/measure-cell.ts";
import {
  comparedTasks,
  firstOf,
  isOfTrials,
  pairedTasks,
  rowsOf,
  taskValues,
} from "../../../source/engine/measures/task-pairs.ts";
import { clusteredMean } from "../../../source/engine/statistics/clustered-mean.ts";
import { wilson } from "../../../source/engine/statistics/interval.ts";
import { mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import { pairedPermutation } from "../../../source/engine/statistics/permutation.ts";
import type { Measure } from "../../../source/engine/suite.ts";
import { madeRun, madeSuite, texts, type MadeRow } from "../../analyses/made-run.ts";

const right = madeSuite.measures.find(({ name }) => name === "strict.right")!;
const waste = madeSuite.measures.find(({ name }) => name === "loose.waste")!;

/** Ten tasks per trial; `wrong` lists the tasks that are not right in it. */
const trial = (...wrong: readonly number[]): MadeRow[] =>
  Array.from({ length: 10 }, (_, task) => ({ task: `t${task}`, right: wrong.includes(task) ? 0 : 1 }));

/** Trials are separate runs whose rows are combined. */
function madeTrials(label: string, ...trials: readonly (readonly MadeRow[])[]): RunRows {
  return { ...madeRun(label, []), rows: trials.flatMap((rows, index) => madeRun(`${label} ${index}`, rows).rows) };
}

const compared = (before: RunRows, after: RunRows, measure: Measure) =>
  comparedTasks(pairedTasks(before, after), measure);

describe("two runs on the same tasks", () => {
  test("with one trial each are compared by McNemar's test, with that test's interval", () => {
    const [before, after] = [madeRun("before", trial(0, 1, 2, 3, 4)), madeRun("after", trial())];
    const found = compared(before, after, right)!;
    expect(found).toMatchObject({ n: 10, p: mcnemarExact(5, 0), interval: pairedProportion(5, 0, 10) });
    expect(found.p).toBe(0.0625);
    expect(found.interval!.low).toBeLessThan(0);
  });

  test("with several trials are compared by task means, which may lie between 0 and 1", () => {
    const before = madeTrials("before", trial(0, 1, 2, 3), trial(0, 1, 2, 4));
    const after = madeTrials("after", trial(0), trial(1), trial());
    const found = compared(before, after, right)!;
    // Before: t0 to t2 never right, t3 and t4 in one of two trials; after: t0 and t1 in two of three.
    const differences = [2 / 3, 2 / 3, 1, 0.5, 0.5, 0, 0, 0, 0, 0];
    expect(found).toMatchObject({ n: 10, gained: 5, lost: 0, test: "paired permutation" });
    expect(found.p).toBe(pairedPermutation(differences, right.name).p);
    expect(found.difference).toBeCloseTo(differences.reduce((sum, value) => sum + value, 0) / 10, 12);
  });

  test("are paired by task in any order of their rows, even if tasks are missing", () => {
    const rows = trial(0, 1, 2);
    const before = madeRun("before", rows);
    const names = (after: readonly MadeRow[]) => {
      const pairs = pairedTasks(before, madeRun("after", after));
      return pairs.before.map((own, at) => [
        firstOf(own).task,
        ...[own, pairs.after[at]!].flatMap(rowsOf).map(({ task }) => task),
      ]);
    };
    const whole = rows.map(({ task }) => [task, task, task]);
    expect(names(rows)).toEqual(whole);
    expect(pairedTasks(before, madeRun("after", rows)).areRows).toBe(true);
    expect(pairedTasks(before, madeTrials("after", rows, rows)).areRows).toBeUndefined();
    expect(names(rows.toReversed())).toEqual(whole);
    expect(names([...rows, { task: "more" }])).toEqual(whole);
    expect(names(rows.slice(0, 4))).toEqual(whole.slice(0, 4));
    expect(names(rows.slice(4))).toEqual(whole.slice(4));
    expect(names([...rows.slice(0, 4), ...rows.slice(5)])).toEqual(whole.toSpliced(4, 1));
  });

  test("are paired once for the same rows, without copies if both have the same tasks in the same order", () => {
    const [before, after] = [madeRun("before", trial(0)), madeRun("after", trial(1))];
    const pairs = pairedTasks(before, after);
    expect(pairs.before).toBe(before.rows);
    expect(pairs.after).toBe(after.rows);
    expect(pairedTasks(before, after)).toBe(pairs);
    expect(pairedTasks(before, madeRun("after", trial(1)))).not.toBe(pairs);
    const pooled = madeTrials("pooled", trial(0), trial(1));
    expect(pairedTasks(before, pooled)).toBe(pairedTasks(before, pooled));
    const [single, again] = [trial(0).slice(0, 1), trial().slice(0, 1)].map((rows) => madeTrials("few", rows, rows));
    expect(pairedTasks(single!, again!)).toBe(pairedTasks(single!, again!));
    const [one, two] = single!.rows;
    expect([one!, [one!], [one!, two!]].map((rows) => isOfTrials(rows))).toEqual([false, false, true]);
    expect([firstOf(one!), firstOf([two!, one!])]).toEqual([one, two]);
    expect(pairedTasks(madeRun("none", []), after)).toMatchObject({ before: [], after: [] });
    expect(pairedTasks(before, madeRun("none", []))).toMatchObject({ before: [], after: [] });
  });

  test("include all trials of the second run, even if its first trial has the tasks of the first run in order", () => {
    const rows = (right: number, ...tasks: readonly string[]): MadeRow[] => tasks.map((task) => ({ task, right }));
    const before = madeRun("before", rows(0, "a", "b"));
    const more = madeTrials("after", rows(1, "a", "b", "c"), rows(0, "a", "b", "c"));
    const equal = madeTrials("after", rows(1, "a", "b"), rows(0, "b", "a"));
    for (const after of [more, equal]) {
      const { after: own } = pairedTasks(before, after);
      expect(own.map((each) => rowsOf(each).length)).toEqual([2, 2]);
      expect(compared(before, after, right)).toMatchObject({ n: 2, difference: 0.5 });
      expect(compared(after, before, right)).toMatchObject({ n: 2, difference: -0.5 });
    }
  });

  test("have the values of a measure by task, computed once for the most recently used measure", () => {
    const before = madeTrials("before", trial(0, 1).slice(0, 3), trial(0).slice(0, 2));
    const after = madeRun("after", [
      { task: "t1", right: 1 },
      { task: "t0", failed: "model" },
      { task: "t2", right: 0 },
    ]);
    const pairs = pairedTasks(before, after);
    const values = taskValues(pairs, right.each!);
    expect(values).toEqual({ before: [0, 0.5, 1], after: [undefined, 1, 0] });
    expect(taskValues(pairs, right.each!)).toBe(values);
    const twice = taskValues(pairs, (row) => 2 * right.each!(row)!);
    expect(twice).toEqual({ before: [0, 1, 2], after: [undefined, 2, 0] });
    // A task that failed has no value, even if the measure would have one without a score.
    expect(taskValues(pairs, () => 7).after).toEqual([undefined, 7, 7]);
  });

  test("are not compared without a task that has a value in both, or by a measure without a value for each task", () => {
    const [before, after] = [madeRun("before", trial(0)), madeRun("after", trial(1))];
    const ratio = madeSuite.measures.find(({ name }) => name === "strict.argument-em")!;
    expect(compared(before, after, ratio)).toBeUndefined();
    expect(compared(before, madeRun("other", [{ task: "z", right: 1 }]), right)).toBeUndefined();
    expect(compared(before, madeRun("failed", [{ task: "t0", failed: "model" }]), right)).toBeUndefined();
    expect(compared(before, madeRun("one", [{ task: "t0", right: 1 }]), right)).toMatchObject({ n: 1, gained: 1 });
  });

  test("ignore a trial without a score, but include the task's other trials", () => {
    const before = madeRun("before", [
      { task: "a", right: 0 },
      { task: "a", failed: "model" },
      { task: "b", right: 1 },
    ]);
    const after = madeRun("after", [
      { task: "a", right: 1 },
      { task: "b", failed: "model" },
    ]);
    expect(compared(before, after, right)).toMatchObject({ n: 1, difference: 1 });
  });

  test("have notes that list the test of each group if the tests differ", () => {
    const wasteful = (level: string, ...values: readonly number[]): MadeRow[] =>
      values.map((waste, task) => ({ task: `${level}${task}`, facets: { level }, right: 1, metrics: { waste } }));
    const before = madeRun("before", [...wasteful("easy", 1, 0, 1), ...wasteful("hard", 0.5, 0.25, 1, 0.2, 0.7, 0.9)]);
    const after = madeRun("after", [...wasteful("easy", 0, 0, 0), ...wasteful("hard", 0.1, 0.2, 0.3, 0.1, 0.2, 0.4)]);
    const choices = { measures: "loose.waste", before: "before", by: "level" };
    const [table] = compare.compute([before, after], choices, { after: ["after"] });
    expect(table!.notes.slice(1)).toEqual([
      "p for zeros and ones is McNemar exact, two-sided; the interval is the hull of Tango's score interval and the exact conditional interval",
      "p for other values is from a paired permutation test, two-sided; the interval contains the differences that this test does not reject",
    ]);
    if (table?.kind !== "table") throw new Error("Expected a table");
    expect(table.rows.map((row) => row[7]!.note)).toEqual([
      "McNemar exact",
      "paired permutation",
      "paired permutation",
    ]);
    // Six of six tasks fell: p = 2/64; with six differences the limits are the largest and the smallest difference.
    expect(texts(table.rows)[1]!.slice(4, 8)).toEqual(["[-0.700, -0.050]", "6", "0", "0.0313"]);
  });

  test("have no value and no test for a group if the second run has none of its tasks", () => {
    const of = (task: string, level: string, value: number): MadeRow => ({ task, right: value, facets: { level } });
    const easy = (value: number) => [0, 1, 2, 3, 4].map((task) => of(`e${task}`, "easy", value));
    const before = madeRun("before", [...easy(0), of("h", "hard", 1)]);
    const [table] = compare.compute(
      [before, madeRun("after", easy(1))],
      { measures: "strict.right", before: "before", by: "level" },
      { after: ["after"] },
    );
    if (table?.kind !== "table") throw new Error("Expected a table");
    expect(texts(table.rows).map((line) => [...line.slice(0, 4), ...line.slice(5)])).toEqual([
      ["easy", "0.00", "100.00", "+100.00", "5", "0", "0.0625", "0.0625", "5"],
      ["hard", "-", "-", "-", "-", "-", "-", "-", "0"],
      ["all", "0.00", "100.00", "+100.00", "5", "0", "0.0625", "-", "5"],
    ]);
  });

  test("omit the interval if a test has no bound, and explain the omission in a note", () => {
    const halves = (value: number): MadeRow[] =>
      [0, 1, 2, 3].map((task) => ({ task: `t${task}`, right: 1, metrics: { waste: value * (task + 1) } }));
    const runs = [madeRun("before", halves(0.3)), madeRun("after", halves(0.1))];
    const [table] = compare.compute(runs, { measures: "loose.waste", before: "before", by: "" }, { after: ["after"] });
    if (table?.kind !== "table") throw new Error("Expected a table");
    expect(texts(table.rows)[0]![4]).toBe("-");
    expect(table.notes).toContain(
      "No interval if fewer than six tasks are compared or all differ by the same amount, because the permutation test cannot bound it",
    );
  });

  test("trials whose means differ only by rounding are equal", () => {
    const thirds = (label: string, ...values: readonly number[]) =>
      madeTrials(label, ...values.map((waste): MadeRow[] => [{ task: "a", right: 1, metrics: { waste } }]));
    const found = compared(thirds("before", 0.1, 0.2, 0.3), thirds("after", 0.3, 0.2, 0.1), waste)!;
    expect(found).toMatchObject({ gained: 0, lost: 0, difference: 0, p: 1 });
  });

  test("show the number of trials behind each value of a task whose success differs", () => {
    const before = madeTrials("before", trial(0), trial(0, 1), trial());
    const after = madeRun("after", trial(1));
    const choices = { measures: "strict.right", before: "before", by: "" };
    const [, flipped] = compare.compute([before, after], choices, { after: ["after"] });
    if (flipped?.kind !== "table") throw new Error("Expected a table");
    expect(texts(flipped.rows)).toEqual([
      ["t0", "33.33 (3 trials)", "100.00", "What about t0?"],
      ["t1", "66.67 (3 trials)", "0.00", "What about t1?"],
    ]);
  });
});

describe("the interval of a measure", () => {
  test("equals Wilson's interval for one row per task", () => {
    expect(measureInterval(right, madeRun("run", trial(0, 1)).rows)).toEqual(wilson(8, 10));
  });

  test("depends on the number of tasks, not on the number of trials", () => {
    const same = madeRun("run", [...trial(0, 1), ...trial(0, 1), ...trial(0, 1)]).rows;
    const interval = measureInterval(right, same)!;
    const clusters = same.map(({ task, score }) => ({ value: score!.value!, cluster: task }));
    expect(interval).toEqual(clusteredMean(clusters)!.interval);
    // Three equal trials contain no more information about other tasks than one.
    expect(interval.high - interval.low).toBeGreaterThan(0.9 * (wilson(8, 10)!.high - wilson(8, 10)!.low));
    expect(measureInterval(waste, same)).toBeUndefined();
  });
});
