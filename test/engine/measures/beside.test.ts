import { describe, expect, test } from "vitest";
import { Beside, besideTexts, numbersBeside, numbersSlowly } from "../../../source/engine/measures/beside.ts";
import type { Row } from "../../../source/engine/types.ts";
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import { bareRow } from "../../bare-row.ts";

test("a run's score and measures are computed again whenever 1 % more tasks have ended, and when the run ends", () => {
  const rows: Row[] = [];
  let looks = 0;
  const offered = {
    name: "offered",
    title: "APIs offered",
    mode: "official",
    unit: "number",
    better: "higher",
    of: (given: readonly Row[]) => ((looks += 1), { value: given.length, n: given.length }),
  } as const;
  const beside = new Beside();
  const texts = (isRunning: boolean, given: () => readonly Row[]) => {
    const sums = () => ({ right: rows.length, wrong: 0, unscored: 0 });
    const store = { hasRows: true, table: { sums, rows: given } };
    return beside.numbers({ beside: [offered], measures: [] }, store, isRunning).beside;
  };
  for (let task = 1; task <= 5000; task++) {
    rows.push(bareRow("r", `t${task}`));
    const [text] = texts(true, () => [...rows])!;
    expect(Number(/\d+/.exec(text!)![0])).toBeGreaterThan(task / 1.02);
    const before = looks;
    // Frames in between read no row, except during the first hundred tasks.
    texts(true, () => rows);
    if (task > 100) expect(looks).toBe(before);
  }
  expect(looks).toBeLessThan(700);
  expect(texts(false, () => [...rows])).toEqual(["APIs offered 5000"]);
});

test("a run's score and measures are computed in a thread if there are many tasks and a screen is open", () => {
  const rows = Array.from({ length: 5000 }, (_, task) => ({
    ...bareRow("r", `t${task}`),
    state: "scored" as const,
    score: { value: 1, metrics: { success: task % 4 === 0 ? 0 : 1 }, checks: [], errors: [] },
  }));
  const measures = [meanMeasure("success", { name: "success", title: "Succ", mode: "official" })];
  const sums = () => ({ right: 5000, wrong: 0, unscored: 0 });
  const store = { hasRows: true, table: { sums, rows: () => rows } };
  const beside = new Beside(true);
  expect(beside.numbers({ measures }, store, false)).toEqual({ beside: undefined });
  expect(beside.lacking).toBe(true);
  beside.take(numbersBeside({ measures }, rows));
  expect(beside.lacking).toBe(false);
  expect(beside.numbers({ measures }, store, false)).toEqual(new Beside().numbers({ measures }, store, false));
  expect(beside.numbers({ measures }, store, false).score).toMatchObject({ value: 0.75, n: 5000 });
});

test("the score of an active run is the first measure with a value, with the interval that the overview shows", () => {
  const scored = (task: string, success: number): Row => ({
    ...bareRow("r", task),
    state: "scored",
    score: { value: success, metrics: { success }, checks: [], errors: [] },
  });
  const rows = [scored("a", 1), scored("b", 1), scored("c", 0), bareRow("r", "d")];
  const measures = ["judged", "success"].map((name) => meanMeasure(name, { name, title: name, mode: "official" }));
  const store = { hasRows: true, table: { sums: () => ({ right: 2, wrong: 1, unscored: 0 }), rows: () => rows } };
  const { score } = new Beside().numbers({ measures }, store, true);
  // Wilson's interval of 2 of 3 (Wilson 1927), computed independently of our code.
  expect(score).toMatchObject({ name: "success", unit: "percent", value: 2 / 3, n: 3 });
  expect([score?.low, score?.high].map((end) => end?.toFixed(4))).toEqual(["0.2077", "0.9385"]);
  expect(new Beside().numbers({ measures }, { ...store, hasRows: false }, true)).toEqual({ beside: undefined });
});

test("a run's score and measures are computed in parts if there are many tasks, and can be aborted", async () => {
  const rows = Array.from({ length: 5_500 }, (_, task) => ({
    ...bareRow("r", `t${task}`),
    state: "scored" as const,
    score: { value: task % 2, metrics: { right: task % 2 }, checks: [], errors: [] },
  }));
  const measures = [meanMeasure("right", { name: "right", title: "Right", mode: "own" })];
  const wanted = new AbortController();
  const numbers = await numbersSlowly(wanted.signal, { measures }, rows);
  expect(numbers).toEqual(numbersBeside({ measures }, [...rows]));
  expect(numbers.score).toMatchObject({ value: 0.5, n: 5_500 });
  wanted.abort(new Error("Left"));
  await expect(numbersSlowly(wanted.signal, { measures }, [...rows])).rejects.toThrow("Left");
});

test("a run's score and measures include tasks without a verdict, and wait for a thread from 1,000 rows on", () => {
  const measures = [meanMeasure("success", { name: "success", title: "Succ", mode: "official" })];
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, task) => ({
      ...bareRow("r", `t${task}`),
      state: "scored" as const,
      score: { value: 1, metrics: { success: 1 }, checks: [], errors: [] },
    }));
  const patient = (count: number, unscored = 0) => {
    const rows = rowsOf(count);
    const beside = new Beside(true);
    const sums = () => ({ right: count - unscored, wrong: 0, unscored });
    beside.numbers({ measures }, { hasRows: true, table: { sums, rows: () => rows } }, false);
    return beside.lacking;
  };
  expect([patient(999), patient(1_000)]).toEqual([false, true]);
  // Half of them have no verdict, which must not hide the numbers.
  expect(patient(1_002, 501)).toBe(true);
});

describe("the numbers beside an active run", () => {
  const counted = {
    name: "rows",
    title: "Rows",
    mode: "official",
    unit: "number",
    better: "higher",
    of: (rows: readonly Row[]) => ({ value: rows.length, n: rows.length }),
  } as const;
  const rowsOf = (count: number) => Array.from({ length: count }, (_, task) => bareRow("r", `t${task}`));
  /** The text after each number of scored tasks; the rows are one more each time they are read. */
  const texts = (...scored: readonly (readonly [right: number, wrong: number, unscored: number])[]) => {
    const beside = new Beside();
    let read = 0;
    return scored.map(([right, wrong, unscored]) => {
      const table = { sums: () => ({ right, wrong, unscored }), rows: () => rowsOf((read += 1)) };
      return beside.numbers({ beside: [counted], measures: [] }, { hasRows: true, table }, true).beside?.[0];
    });
  };

  test("are absent without a scored task, whatever its verdict would be", () => {
    expect(texts([0, 0, 0], [1, 0, 0])).toEqual([undefined, "Rows 1"]);
    expect(texts([0, 1, 0])).toEqual(["Rows 1"]);
    expect(texts([0, 0, 1])).toEqual(["Rows 1"]);
    expect(texts([2, 2, 0])).toEqual(["Rows 1"]);
  });

  test("are computed anew when one percent more tasks are scored, from 5,000 tasks on when ten percent are", () => {
    expect(texts([2_000, 1_000, 1_000], [2_020, 1_010, 1_009], [2_020, 1_010, 1_010])).toEqual([
      "Rows 1",
      "Rows 1",
      "Rows 2",
    ]);
    expect(texts([4_900, 0, 0], [4_948, 0, 0], [4_949, 0, 0])).toEqual(["Rows 1", "Rows 1", "Rows 2"]);
    expect(texts([4_999, 0, 0], [5_049, 0, 0])).toEqual(["Rows 1", "Rows 2"]);
    expect(texts([5_000, 0, 0], [5_499, 0, 0], [5_501, 0, 0])).toEqual(["Rows 1", "Rows 1", "Rows 2"]);
    expect(texts([5_001, 0, 0], [5_052, 0, 0], [5_502, 0, 0])).toEqual(["Rows 1", "Rows 1", "Rows 2"]);
    // Fewer scored tasks than before: some run again.
    expect(texts([100, 0, 0], [99, 0, 0])).toEqual(["Rows 1", "Rows 2"]);
  });

  test("are computed once for the same rows, and are not lacking at first", () => {
    const beside = new Beside(true);
    expect(beside.lacking).toBe(false);
    let looks = 0;
    const looking = { ...counted, of: (rows: readonly Row[]) => ((looks += 1), counted.of(rows)) };
    const rows = rowsOf(3);
    const store = { hasRows: true, table: { sums: () => ({ right: 3, wrong: 0, unscored: 0 }), rows: () => rows } };
    for (let frame = 0; frame < 3; frame++)
      expect(beside.numbers({ beside: [looking], measures: [] }, store, false)).toEqual({ beside: ["Rows 3"] });
    expect(looks).toBe(1);
  });

  test("are absent if the suite has neither measures to show there nor findings, and otherwise the texts of both", () => {
    expect(besideTexts({}, rowsOf(2))).toBeUndefined();
    expect(besideTexts({ findings: () => [] }, rowsOf(2))).toBeUndefined();
    expect(besideTexts({ findings: (rows) => [`${rows.length} found`] }, rowsOf(2))).toEqual(["2 found"]);
    expect(besideTexts({ beside: [counted] }, rowsOf(2))).toEqual(["Rows 2"]);
    const share = { ...counted, unit: "percent", of: () => ({ value: 0.5, n: 1 }) } as const;
    const empty = { ...counted, of: () => ({ value: undefined, n: 0 }) } as const;
    expect(besideTexts({ beside: [share, empty], findings: () => ["found"] }, rowsOf(2))).toEqual([
      "Rows 50.00 % of 1 task",
      "found",
    ]);
    expect(besideTexts({ beside: [empty] }, rowsOf(2))).toBeUndefined();
  });
});
