import { describe, expect, test } from "vitest";
import { detectableAgainst } from "../../../source/engine/session/detectable.ts";
import { detectableMean, detectableShare } from "../../../source/engine/statistics/detectable-difference.ts";
import { madeRow, madeSuite } from "../../analyses/made-run.ts";

const { measures } = madeSuite;
const tasks = Array.from({ length: 100 }, (_, task) => `t${task}`);
/** A saved run of the first `n` tasks; `valueOf` gives the score of each. */
const saved = (label: string, n: number, valueOf: (task: number) => number | null) => ({
  run: label,
  label,
  rows: () => Promise.resolve(tasks.slice(0, n).map((task, at) => madeRow(label, { task, right: valueOf(at) }))),
});

describe("the difference that a planned run can detect", () => {
  test("follows from how often two saved runs differ on the planned tasks", async () => {
    const first = saved("first", 100, (task) => (task < 50 ? 1 : 0));
    const second = saved("second", 100, (task) => (task >= 10 && task < 60 ? 1 : 0));
    // They differ on tasks 0 to 9 and 50 to 59.
    expect(await detectableAgainst(tasks, [first, second], measures)).toEqual({
      against: "second",
      measure: "Right",
      unit: "percent",
      tasks: 100,
      difference: detectableShare(100, 0.2),
      spread: { kind: "disagreement", value: 0.2 },
      observed: true,
    });
  });

  test("is computed on the planned tasks with scores, against the saved run that scored most of those tasks", async () => {
    const large = saved("large", 100, (task) => (task % 2 === 0 ? 1 : task === 99 ? null : 0));
    const small = saved("small", 20, () => 1);
    const found = (await detectableAgainst(tasks.slice(10), [large, small], measures))!;
    // Task 99 was not scored. Tasks 10 to 19 are in both saved runs, and every second one differs.
    expect(found).toMatchObject({ against: "large", tasks: 89, spread: { kind: "disagreement", value: 0.5 } });
    expect(found.difference).toBe(detectableShare(89, 0.5));
  });

  test("assumes independent runs if there is only one saved run, and reports that assumption", async () => {
    const alone = saved("alone", 100, (task) => (task < 30 ? 1 : 0));
    const found = (await detectableAgainst(tasks, [alone], measures))!;
    expect(found.observed).toBe(false);
    expect(found.spread.value).toBeCloseTo(2 * 0.3 * 0.7, 12);
  });

  test("follows from the variance of the differences if scores are graded", async () => {
    const first = saved("first", 4, (task) => task / 4);
    const second = saved("second", 4, (task) => (task === 0 ? 0.5 : task / 4));
    const found = (await detectableAgainst(tasks, [first, second], measures))!;
    // Differences of -0.5, 0, 0, 0: a standard deviation of 0.25.
    expect(found).toMatchObject({ tasks: 4, spread: { kind: "deviation", value: 0.25 } });
    expect(found.difference).toBe(detectableMean(4, 0.25));
  });

  test("is undefined if no saved run scored the planned tasks, or if no measure has a per-task value", async () => {
    expect(await detectableAgainst(["other"], [saved("first", 100, () => 1)], measures)).toBeUndefined();
    expect(await detectableAgainst(tasks, [], measures)).toBeUndefined();
    const noEach = measures.filter(({ each }) => each === undefined);
    expect(await detectableAgainst(tasks, [saved("first", 100, () => 1)], noEach)).toBeUndefined();
  });

  test("is undefined if runs hardly differ", async () => {
    const same = [saved("first", 20, () => 1), saved("second", 20, () => 1)];
    expect(await detectableAgainst(tasks, same, measures)).toMatchObject({
      difference: undefined,
      spread: { value: 0 },
    });
  });
});
