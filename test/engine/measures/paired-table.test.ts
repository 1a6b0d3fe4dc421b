/** Tables of two runs on the same tasks, with every cell computed by hand. */
import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { type LedPair, ledPairsTable, pairedTable, pairsTable } from "../../../source/engine/measures/paired-table.ts";
import { pairsBy, tablesOfPairs } from "../../../source/engine/measures/option-pairs.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import { mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { at, madeRun, type MadeRow, madeSpec, madeSuite, texts } from "../../analyses/made-run.ts";

const [right, ratio, waste] = madeSuite.measures;
/** Eight easy and four hard tasks; `wrong` lists the tasks that are not right. */
const rows = (...wrong: readonly number[]): MadeRow[] =>
  Array.from({ length: 12 }, (_, task) => ({
    task: `t${task}`,
    right: wrong.includes(task) ? 0 : 1,
    facets: { level: task < 8 ? "easy" : "hard" },
  }));
const [before, after] = [madeRun("one", rows(0, 1, 2, 3, 4, 5, 8)), madeRun("two", rows(6, 8, 9))];

describe("a table of two paired runs", () => {
  const table = pairedTable(before, after, right!, "level");

  it("compares the runs by group and overall, with differences in points and p values corrected over the groups", () => {
    expect(table.title).toBe("Right: one against two");
    expect(table.columns.map(({ title }) => title)).toEqual([
      "Level",
      "one",
      "two",
      "gap",
      expect.any(String),
      "gained",
      "lost",
      "p",
      "p (Holm)",
      "n",
    ]);
    expect(texts(table.rows).map((line) => [...line.slice(0, 4), ...line.slice(5)])).toEqual([
      ["easy", "25.00", "87.50", "+62.50", "6", "1", "0.1250", "0.2500", "8"],
      ["hard", "75.00", "50.00", "-25.00", "0", "1", "1.0000", "1.0000", "4"],
      ["all", "41.67", "75.00", "+33.33", "6", "2", "0.2891", "-", "12"],
    ]);
    const { low, high } = pairedProportion(6, 2, 12)!;
    expect([table.rows[2]![4]!.low, table.rows[2]![4]!.high]).toEqual([low, high]);
    expect(table.rows[2]![7]).toMatchObject({ value: mcnemarExact(6, 2), note: "McNemar exact" });
    expect(table.notes[0]).toBe(
      "Only tasks with a score in both runs; the gap is the second minus the first, in points",
    );
  });

  it("links each number to the tasks of its run", () => {
    const [, hard] = table.rows;
    const hardTasks = ["t8", "t9", "t10", "t11"];
    expect([hard![1]!.tasks, hard![2]!.tasks, hard![3]!.tasks, hard![9]!.tasks]).toEqual([
      at("one", ...hardTasks),
      at("two", ...hardTasks),
      at("two", ...hardTasks),
      at("two", ...hardTasks),
    ]);
    expect([table.rows[0]![5]!.tasks, table.rows[0]![6]!.tasks]).toEqual([
      at("two", "t0", "t1", "t2", "t3", "t4", "t5"),
      at("two", "t6"),
    ]);
  });

  it("counts a lower value as a gain if lower is better", () => {
    const wasted = (name: string, ...values: readonly number[]) =>
      madeRun(
        name,
        values.map((value, task) => ({ task: `t${task}`, right: 1, metrics: { waste: value } })),
      );
    const [line] = texts(pairedTable(wasted("a", 1, 1, 0), wasted("b", 0, 0, 1), waste!, "level").rows);
    expect(line!.slice(0, 4)).toEqual(["all", "0.667", "0.333", "-0.333"]);
    expect(line!.slice(5, 7)).toEqual(["2", "1"]);
  });

  it("has one row if all tasks are in one group, or in no group", () => {
    const easy = (name: string, made: readonly MadeRow[]) => madeRun(name, made.slice(0, 8));
    expect(
      texts(pairedTable(easy("a", rows(1)), easy("b", rows(2)), right!, "level").rows).map(([name]) => name),
    ).toEqual(["easy"]);
    expect(texts(pairedTable(before, after, right!, "parallel").rows).map(([name]) => name)).toEqual(["all"]);
  });

  it("omits tasks that one run did not execute, failed or did not score, and reports how many", () => {
    const holes = (change: Readonly<Record<number, Partial<MadeRow> | null>>) =>
      madeRun(
        "two",
        rows(6).flatMap((row, task) => {
          const own = change[task];
          return own === null ? [] : own === undefined ? [row] : [{ task: row.task, facets: row.facets!, ...own }];
        }),
      );
    const other = holes({ 0: null, 1: { failed: "model" }, 2: { right: null }, 9: { failed: "stopped" } });
    const [easy, hard] = pairedTable(before, other, right!, "level").rows;
    expect([easy![9]!.value, hard![9]!.value]).toEqual([5, 3]);
    expect(easy![1]!.rests).toEqual({ scored: 5, unscored: 1, failed: 1 });
    expect(hard![1]).not.toHaveProperty("rests");
  });

  it("reports why no test is made", () => {
    const hit = (name: string, hits: number) =>
      madeRun(name, [
        { task: "a", right: 1, metrics: { hits, tries: 4 } },
        { task: "b", right: 1, metrics: { hits: 1, tries: 4 } },
      ]);
    const sums = pairedTable(hit("x", 1), hit("y", 3), ratio!, "level");
    expect(texts(sums.rows)[0]).toEqual(["all", "25.00", "50.00", "+25.00", "-", "-", "-", "-", "-", "2"]);
    expect(sums.notes[1]).toBe("This measure is not a mean over tasks, so no test is made");
    const apart = pairedTable(before, madeRun("other", [{ task: "z", right: 1 }]), right!, "parallel");
    expect(texts(apart.rows)[0]).toEqual(["all", "-", "-", "-", "-", "-", "-", "-", "-", "0"]);
    expect(apart.notes[1]).toBe("No task has a value of this measure in both runs, so no test is made");
  });

  it("uses the mean of the trials of a task, and reports this", () => {
    const trials: RunRows = {
      ...madeRun("trials", []),
      rows: [rows(0), rows(1)].flatMap((own, t) => madeRun(`${t}`, own).rows),
    };
    const table_ = pairedTable(trials, after, right!, "parallel");
    expect(table_.notes.at(-1)).toBe("Trials of one task are averaged before tasks are compared; n counts tasks");
    expect(texts(table_.rows)[0]!.slice(1, 4)).toEqual(["91.67", "75.00", "-16.67"]);
    expect(pairedTable(before, after, right!, "level").notes.join()).not.toContain("Trials");
  });
});

describe("a table of one run against others", () => {
  it("has a row for each other run, with p values corrected over all rows", () => {
    const table = pairsTable(before, [after, madeRun("three", rows())], right!);
    expect(table.title).toBe("Right: one against 2 others");
    expect(texts(table.rows).map((line) => [...line.slice(0, 4), ...line.slice(7, 9)])).toEqual([
      ["two", "41.67", "75.00", "+33.33", "0.2891", "0.2891"],
      ["three", "41.67", "100.00", "+58.33", "0.0156", "0.0313"],
    ]);
    expect(table.notes[0]).toContain("the other minus the first");
  });

  it("prints a p value too small for four decimals as `<` and a bound", () => {
    const many = (wrong: boolean) =>
      madeRun(
        `${wrong}`,
        Array.from({ length: 20 }, (_, task) => ({ task: `t${task}`, right: wrong ? 0 : 1 })),
      );
    expect(texts(pairsTable(many(true), [many(false)], right!).rows)[0]![7]).toBe("<0.0001");
  });
});

describe("a table of several pairs", () => {
  const pair = (lead: string): LedPair => ({ lead: [lead], before, after });
  const heads = { title: "T", leads: ["Model"], sides: ["off", "on"] };

  it("has a row for each pair, and a row for each group if there are groups", () => {
    const grouped = ledPairsTable([pair("a"), pair("b")], heads, right!, "level");
    expect(texts(grouped.rows).map((line) => line.slice(0, 3))).toEqual([
      ["a", "easy", "25.00"],
      ["a", "hard", "75.00"],
      ["a", "all", "41.67"],
      ["b", "easy", "25.00"],
      ["b", "hard", "75.00"],
      ["b", "all", "41.67"],
    ]);
    expect(grouped.columns.slice(0, 4).map(({ title }) => title)).toEqual(["Model", "Level", "off", "on"]);
    expect(grouped.notes[0]).toContain("Holm over the groups of each pair");
    const whole = ledPairsTable([pair("a"), pair("b")], heads, right!, "parallel");
    expect(texts(whole.rows).map((line) => [line[0], line[1], line[8]])).toEqual([
      ["a", "41.67", "0.5781"],
      ["b", "41.67", "0.5781"],
    ]);
    expect(whole.notes[0]).toContain("Holm over the pairs");
  });

  const optional = (name: string, hints: string | undefined, spec: Partial<RunSpec> = {}) =>
    madeRun(name, rows(1), { spec: { ...madeSpec, ...spec, options: hints === undefined ? {} : { hints } } });

  it("contains the pairs of runs that differ in exactly one option, in the order of the runs", () => {
    const runs = [
      optional("a", "on"),
      optional("b", "off"),
      optional("c", "on", { seed: 1 }),
      optional("d", undefined),
    ];
    const names = pairsBy(runs, "hints").map((own) => own.map(({ run }) => run).join("-"));
    expect(names).toEqual(["a-b", "a-d", "b-d"]);
  });

  it("has one table for pairs that differ in the same option and have the same values, in the order listed", () => {
    const runs = [
      optional("a", "on"),
      optional("b", "off"),
      optional("c", "off", { model: "lab/large" }),
      optional("d", "on", { model: "lab/large" }),
    ];
    const [table, ...more] = tablesOfPairs(pairsBy(runs, "hints"), "hints", right!, "parallel");
    expect(more).toEqual([]);
    expect(table!.title).toBe("Right by model: on against off");
    expect(table!.columns.slice(0, 3).map(({ title }) => title)).toEqual(["Model", "on", "off"]);
    expect(texts(table!.rows).map(([lead]) => lead)).toEqual(["lab/small", "lab/large"]);
    expect(table!.rows[1]![1]!.tasks![0]!.run).toBe("d");
    const single = tablesOfPairs(pairsBy(runs.slice(0, 2), "hints"), "hints", right!, "parallel");
    expect(single[0]!.title).toBe("Right: a against b");
    const three = [optional("a", "on"), optional("b", "off"), optional("c", undefined)];
    expect(tablesOfPairs(pairsBy(three, "hints"), "hints", right!, "parallel")).toHaveLength(3);
  });
});
