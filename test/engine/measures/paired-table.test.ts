/** Tables of two runs on the same tasks, with every cell computed by hand. */
import { describe, expect, it } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { type LedPair, ledPairsTable, pairedTable, pairsTable } from "../../../source/engine/measures/paired-table.ts";
import { pairsBy, tablesOfPairs } from "../../../source/engine/measures/option-pairs.ts";
import { pairedProportion } from "../../../source/engine/statistics/paired-proportion.ts";
import { mcnemarExact } from "../../../source/engine/statistics/paired.ts";
import type { Suite } from "../../../source/engine/suite.ts";
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
      "Only tasks with a score in both runs; the gap is the second run's value minus the first's, in points",
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

  it("has no gap if a run has no value, no sign for a gap of zero, and no tasks that changed without a value per task", () => {
    const hit = (name: string, hits: number, tries: number) =>
      madeRun(name, [{ task: "a", right: 1, metrics: { hits, tries } }]);
    const line = (one: RunRows, other: RunRows) => pairedTable(one, other, ratio!, "level").rows[0]!;
    expect(texts([line(hit("x", 0, 0), hit("y", 1, 2))])[0]!.slice(1, 4)).toEqual(["-", "50.00", "-"]);
    expect(texts([line(hit("x", 1, 2), hit("y", 0, 0))])[0]!.slice(1, 4)).toEqual(["50.00", "-", "-"]);
    const equal = line(hit("x", 1, 2), hit("y", 2, 4));
    expect(texts([equal])[0]!.slice(1, 4)).toEqual(["50.00", "50.00", "0.00"]);
    expect(equal[1]).toMatchObject({ value: 0.5, n: 2, tasks: at("x", "a") });
    expect([equal[5]!.tasks, equal[6]!.tasks]).toEqual([[], []]);
    expect(equal[9]).toMatchObject({ text: "1", value: 1, tasks: at("y", "a") });
    for (const column of [7, 8]) expect(equal[column]).toEqual({ text: "-" });
  });

  it("counts tasks that failed or have no score in either run, also for a measure without a value per task", () => {
    const made = (name: string, ...more: readonly Partial<MadeRow>[]) =>
      madeRun(
        name,
        more.map((each, task) => ({ task: `t${task}`, right: 1, metrics: { hits: 1, tries: 2 }, ...each })),
      );
    const none = { right: undefined as never };
    const [failed, unscored, stopped] = [
      { ...none, failed: "model" } as const,
      { right: null, metrics: {} },
      { ...none, failed: "stopped" } as const,
    ];
    const rests = (measure: typeof right, one: RunRows, other: RunRows) => {
      const [line] = pairedTable(one, other, measure!, "level").rows;
      return [line![1]!.rests, line![9]!.value];
    };
    for (const measure of [right, ratio]) {
      expect(rests(measure, made("x", {}, {}), made("y", {}, failed))).toEqual([
        { scored: 1, unscored: 0, failed: 1 },
        1,
      ]);
      expect(rests(measure, made("x", failed, {}), made("y", {}, {}))).toEqual([
        { scored: 1, unscored: 0, failed: 1 },
        1,
      ]);
      expect(rests(measure, made("x", {}, {}), made("y", {}, stopped))).toEqual([undefined, 1]);
    }
    expect(rests(right, made("x", unscored, {}), made("y", {}, {}))).toEqual([
      { scored: 1, unscored: 1, failed: 0 },
      1,
    ]);
    expect(rests(right, made("x", unscored, {}), made("y", failed, {}))).toEqual([
      { scored: 1, unscored: 0, failed: 1 },
      1,
    ]);
  });

  it("shows the means of all trials, and as the gap the mean difference of the tasks, which is tested", () => {
    const of = (label: string, ...trials: readonly MadeRow[][]): RunRows => ({
      ...madeRun(label, []),
      rows: trials.flatMap((own, trial) => madeRun(`${label} ${trial}`, own).rows),
    });
    const task = (name: string, value: number, level = "easy"): MadeRow => ({
      task: name,
      right: value,
      facets: { level },
    });
    // Two of three trials and none of one: the mean of four trials is 1/2, that of two tasks 1/3.
    const uneven = of("uneven", [task("a", 1), task("b", 0)], [task("a", 1)], [task("a", 0)]);
    const sure = madeRun("sure", [task("a", 1), task("b", 1)]);
    const shown = (one: RunRows, other: RunRows, by = "parallel") =>
      texts(pairedTable(one, other, right!, by).rows).map((line) => [...line.slice(0, 4), line[9]]);
    expect(shown(uneven, sure)).toEqual([["all", "50.00", "100.00", "+66.67", "2"]]);
    expect(shown(sure, uneven)).toEqual([["all", "100.00", "50.00", "-66.67", "2"]]);
    expect(shown(uneven, sure, "level")).toEqual([["easy", "50.00", "100.00", "+66.67", "2"]]);
    // Trials may be in several groups, and a task of which only one trial has a score counts once.
    const mixed = of("mixed", [task("a", 1), task("c", 1)], [task("a", 0, "hard"), { task: "c", failed: "model" }]);
    const plain = madeRun("plain", [task("a", 1), task("c", 0)]);
    expect(shown(mixed, plain, "level")).toEqual([
      ["easy", "66.67", "50.00", "-25.00", "2"],
      ["hard", "50.00", "100.00", "+50.00", "1"],
      ["all", "66.67", "50.00", "-25.00", "2"],
    ]);
    const once = of("once", [task("c", 1)], [{ task: "c", failed: "model" }]);
    const table_ = pairedTable(once, plain, right!, "parallel");
    expect(texts(table_.rows)[0]!.slice(1, 4)).toEqual(["100.00", "0.00", "-100.00"]);
    expect(table_.notes.at(-1)).toContain("Trials of one task are averaged");
    const partly = of("partly", [task("a", 1), task("b", 1, "hard")], [task("a", 0)]);
    const other = madeRun("other", [task("a", 1), task("b", 1, "hard")]);
    expect(pairedTable(partly, other, right!, "level").notes.at(-1)).toContain("Trials of one task are averaged");
    const never = of("never", [{ task: "c", failed: "model" }, task("a", 1)], [{ task: "c", failed: "model" }]);
    expect(shown(never, plain)).toEqual([["all", "100.00", "100.00", "0.00", "1"]]);
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
    expect(table.notes[0]).toContain("the other run's value minus the first's");
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
    expect(grouped.notes[0]).toContain("corrected by Holm's method over the groups of each pair");
    const whole = ledPairsTable([pair("a"), pair("b")], heads, right!, "parallel");
    expect(texts(whole.rows).map((line) => [line[0], line[1], line[8]])).toEqual([
      ["a", "41.67", "0.5781"],
      ["b", "41.67", "0.5781"],
    ]);
    expect(whole.notes[0]).toContain("corrected by Holm's method over the pairs");
  });

  it("is grouped if any pair has groups, even a single one, and has the group title of the first pair", () => {
    const easy = (name: string, wrong: number) => madeRun(name, rows(wrong).slice(0, 8));
    const bare = (name: string, wrong: number) =>
      madeRun(
        name,
        rows(wrong).map(({ task, right: value }) => ({ task, right: value! })),
        {
          suite: { ...madeSuite, facets: [{ name: "level", title: "Difficulty" }] } as unknown as Suite,
        },
      );
    const pairs: readonly LedPair[] = [
      { lead: ["easy"], before: easy("a", 1), after: easy("b", 2) },
      { lead: ["bare"], before: bare("c", 1), after: bare("d", 2) },
    ];
    const table = ledPairsTable(pairs, heads, right!, "level");
    expect(texts(table.rows).map((line) => line.slice(0, 2))).toEqual([
      ["easy", "easy"],
      ["bare", "all"],
    ]);
    expect(table.columns.slice(0, 2).map(({ title }) => title)).toEqual(["Model", "Level"]);
    const single = ledPairsTable(pairs.slice(0, 1), heads, right!, "level");
    expect(single.columns[1]!.title).toBe("Level");
    expect(texts(single.rows)[0]!.slice(0, 2)).toEqual(["easy", "easy"]);
    expect(ledPairsTable(pairs.slice(1), heads, right!, "level").columns[1]!.title).toBe("off");
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
