import { describe, expect, test } from "vitest";
import type { TableFigure } from "../../source/engine/figure.ts";
import { compare } from "../../analyses/compare.ts";
import { prompting } from "../../analyses/prompting.ts";
import { pairedProportion } from "../../source/engine/statistics/paired-proportion.ts";
import { at, madeRun, madeSpec, texts, type MadeRow } from "./made-run.ts";

const easy = { level: "easy" };
const hard = { level: "hard" };
/** Twenty easy tasks, of which flat prompting loses eight; hard tasks of which only some can be paired. */
const before: MadeRow[] = [
  ...Array.from({ length: 20 }, (_, index) => ({ task: `e${index}`, facets: easy, right: 1 })),
  { task: "h1", facets: hard, right: 0, metrics: { waste: 4 } },
  { task: "h2", facets: hard, right: 1, metrics: { waste: 1 } },
  { task: "h3", facets: hard, right: null },
  { task: "h4", facets: hard, right: 1 },
  { task: "h5", facets: hard, right: 1 },
];
const after: MadeRow[] = [
  ...Array.from({ length: 20 }, (_, index) => ({ task: `e${index}`, facets: easy, right: index < 8 ? 0 : 1 })),
  { task: "h1", facets: hard, right: 1, metrics: { waste: 2 } },
  { task: "h2", facets: hard, right: 1, metrics: { waste: 1 } },
  { task: "h3", facets: hard, right: 1 },
  { task: "h4", facets: hard, failed: "model" },
];
const spec = (value: string, more = {}) => ({ ...madeSpec, options: { prompting: value, format: "plain" }, ...more });
const hierarchical = madeRun("hierarchical", before, { spec: spec("hierarchical") });
const flat = madeRun("flat", after, { spec: spec("flat") });

describe("the prompting analysis", () => {
  test("compares group by group on the tasks scored in both runs", () => {
    const [figure] = prompting.compute([hierarchical, flat], { by: "level" }, { measures: ["strict.right"] });
    if (figure?.kind !== "table") throw new Error("Expected a table");
    expect(figure.title).toBe("Right: hierarchical against flat");
    expect(figure.columns.map(({ title }) => title)).toEqual([
      "Level",
      "hierarchical",
      "flat",
      "gap",
      "95 % interval",
      "gained",
      "lost",
      "p",
      "p (Holm)",
      "n",
    ]);
    const interval = pairedProportion(0, 8, 20)!;
    // McNemar: 8 lost, none gained: 2 x (1/2)^8. Of the hard tasks only h1 and h2 have a value in both.
    expect(texts(figure.rows)).toEqual([
      [
        "easy",
        "100.00",
        "60.00",
        "-40.00",
        `[${(interval.low * 100).toFixed(2)}, ${(interval.high * 100).toFixed(2)}]`,
        "0",
        "8",
        "0.0078",
        "0.0156",
        "20",
      ],
      // R 4.6.0, PropCIs scoreci.mp(0, 1, 2, 0.95): the wider of the two intervals here.
      ["hard", "50.00", "100.00", "+50.00", "[-48.64, 90.55]", "1", "0", "1.0000", "1.0000", "2"],
      ["all", "95.45", "63.64", "-31.82", expect.stringContaining("["), "1", "8", "0.0391", "-", "22"],
    ]);
    const [, , , gap, , gained, lost, p] = figure.rows[0]!;
    expect(gap!.value).toBeCloseTo(-0.4, 12);
    expect(p!.value).toBeCloseTo(2 / 2 ** 8, 12);
    expect(lost!.tasks).toEqual(at("flat", ...Array.from({ length: 8 }, (_, index) => `e${index}`)));
    expect(gained!.tasks).toEqual([]);
    expect(figure.rows[1]![1]).toMatchObject({ n: 2, tasks: at("hierarchical", "h1", "h2") });
    expect(figure.notes).toEqual([
      "Only tasks with a score in both runs; the gap is the second run's value minus the first's, in points",
      "p is McNemar exact, two-sided; the interval is the hull of Tango's score interval and the exact conditional interval",
    ]);
  });

  test("counts a decrease as a gain if lower is better", () => {
    const [figure] = prompting.compute([hierarchical, flat], { by: "level" }, { measures: ["loose.waste"] });
    if (figure?.kind !== "table") throw new Error("Expected a table");
    const hardLine = texts(figure.rows)[1]!;
    expect(hardLine.slice(0, 4)).toEqual(["hard", "2.500", "1.500", "-1"]);
    expect(hardLine.slice(5, 7)).toEqual(["1", "0"]);
    expect(figure.rows[1]![5]!.tasks).toEqual(at("flat", "h1"));
    // Nothing is corrected among the easy tasks, because nothing was tested there.
    expect(texts(figure.rows)[0]!.slice(7, 9)).toEqual(["-", "-"]);
    expect(figure.notes[1]).toContain("paired permutation");
  });

  test("shows a difference but no test for a measure that is not a mean over tasks", () => {
    const counted = (hits: number): MadeRow[] => [{ task: "1", facets: easy, right: 1, metrics: { hits, tries: 4 } }];
    const runs = [
      madeRun("a", counted(1), { spec: spec("hierarchical") }),
      madeRun("b", counted(3), { spec: spec("flat") }),
    ];
    const [figure] = prompting.compute(runs, { by: "level" }, { measures: ["strict.argument-em"] });
    if (figure?.kind !== "table") throw new Error("Expected a table");
    expect(texts(figure.rows)).toEqual([["easy", "25.00", "75.00", "+50.00", "-", "-", "-", "-", "-", "1"]]);
    expect(figure.notes[1]).toContain("no test is made");
  });

  test("reports that no run has a score, without a note about the measure", () => {
    const failed: MadeRow[] = [{ task: "1", facets: easy, failed: "model" }];
    const runs = [madeRun("a", failed, { spec: spec("hierarchical") }), madeRun("b", failed, { spec: spec("flat") })];
    const [figure] = prompting.compute(runs, { by: "level" }, { measures: ["strict.right"] });
    expect(figure!.notes[1]).toBe("No task has a value of this measure in both runs, so no test is made");
  });

  describe("the prompting analysis of two models", () => {
    const small = { model: "lab/small" };
    const large = { model: "lab/large" };
    const four = [
      madeRun("small hierarchical", before, { spec: spec("hierarchical", small) }),
      madeRun("small flat", after, { spec: spec("flat", small) }),
      // Swapped: the first pair decides the order.
      madeRun("large flat", before, { spec: spec("flat", large) }),
      madeRun("large hierarchical", before, { spec: spec("hierarchical", large) }),
    ];
    const tables = (by: string, runs = four) =>
      prompting.compute(runs, { by }, { measures: ["strict.right"] }) as readonly TableFigure[];

    test("has one table with a column per prompting and a row per model, and corrects the p values across the models", () => {
      const [table, ...others] = tables("nothing");
      expect(others).toEqual([]);
      expect(table!.title).toBe("Right by model: hierarchical against flat");
      expect(table!.columns.slice(0, 4).map(({ title }) => title)).toEqual(["Model", "hierarchical", "flat", "gap"]);
      expect(texts(table!.rows).map((line) => [...line.slice(0, 4), ...line.slice(5)])).toEqual([
        // 8 of 20 lost and 1 of 2 gained: McNemar 2 x (1 + 9) / 2^9, then twice that for two models.
        ["lab/small", "95.45", "63.64", "-31.82", "1", "8", "0.0391", "0.0781", "22"],
        ["lab/large", "95.83", "95.83", "0.00", "0", "0", "1.0000", "1.0000", "24"],
      ]);
      expect(table!.rows[0]![5]!.tasks).toEqual(at("small flat", "h1"));
      expect(table!.rows[1]![2]!.tasks).toHaveLength(24);
      expect(table!.rows[1]![2]!.tasks![0]).toEqual({ run: "large flat", task: "e0" });
      expect(table!.notes).toEqual([
        "Only tasks with a score in both runs of a pair; the gap is the second run's value minus the first's, in points; p (Holm) is corrected by Holm's method over the pairs",
        "p is McNemar exact, two-sided; the interval is the hull of Tango's score interval and the exact conditional interval",
      ]);
    });

    test("shows, for each pair, the rows of the table that the pair has alone, group by group", () => {
      const [table, ...others] = tables("level");
      expect(others).toEqual([]);
      expect(table!.columns.slice(0, 4).map(({ title }) => title)).toEqual(["Model", "Level", "hierarchical", "flat"]);
      const alone = [four.slice(0, 2), [four[3]!, four[2]!]].map((pair) => tables("level", pair)[0]!);
      expect(table!.rows.map(([, ...line]) => line)).toEqual(alone.flatMap(({ rows }) => rows));
      expect(table!.rows.map(([model]) => model!.text)).toEqual([
        ...Array.from({ length: 3 }, () => "lab/small"),
        ...Array.from({ length: 3 }, () => "lab/large"),
      ]);
      expect(table!.notes[0]).toContain("corrected by Holm's method over the groups of each pair");
    });

    test("lists the runs if no setting distinguishes the pairs", () => {
      const elder = (run: string, value: string) => madeRun(run, before, { spec: spec(value, { suiteRevision: 7 }) });
      const [table] = tables("nothing", [
        ...four.slice(0, 2),
        elder("old hierarchical", "hierarchical"),
        elder("old flat", "flat"),
      ]);
      expect(table!.title).toBe("Right by run: hierarchical against flat");
      expect(table!.rows.map(([run]) => run!.text)).toEqual(["small hierarchical", "old hierarchical"]);
    });
  });

  test("pairs runs that differ only in prompting, and explains which setting to change if there is no pair", () => {
    const more = madeRun("cot", before, { spec: spec("flat", { strategy: "cot" }) });
    const seeded = madeRun("seeded", before, { spec: spec("hierarchical", { strategy: "cot" }) });
    const wide = madeRun("wide", before, { spec: spec("wide") });
    expect(
      prompting.compute([hierarchical, more, flat, seeded, wide], { by: "level" }, { measures: ["strict.right"] }),
    ).toMatchObject([
      { title: "Right by strategy: hierarchical against flat" },
      { title: "Right: hierarchical against wide" },
      { title: "Right: flat against wide" },
    ]);
    expect(prompting.missing?.([hierarchical, more])).toContain("`prompting: [hierarchical, flat]`");
    expect(prompting.missing?.([hierarchical, flat])).toBeUndefined();
    expect(prompting.choices([hierarchical, flat])).toEqual({ by: ["level", "nothing"] });
    expect(prompting.lists!([hierarchical, flat])).toEqual({
      measures: { values: ["strict.right", "strict.argument-em", "loose.waste"], standard: ["strict.right"] },
    });
  });
});

describe("the compare analysis", () => {
  test("lists the tasks whose success differs, for any choice of two runs", () => {
    const chosen = { measures: "strict.right", before: "flat", by: "level" };
    const figures = compare.compute([hierarchical, flat], chosen, { after: ["hierarchical"] });
    expect(figures[0]).toMatchObject({ title: "Right: flat against hierarchical" });
    const [, flipped] = figures;
    if (flipped?.kind !== "table") throw new Error("Expected a table");
    expect(texts(flipped.rows).slice(0, 2)).toEqual([
      ["e0", "0.00", "100.00", "What about e0?"],
      ["e1", "0.00", "100.00", "What about e1?"],
    ]);
    expect(flipped.rows[0]![0]!.tasks).toEqual([...at("flat", "e0"), ...at("hierarchical", "e0")]);
    // h3 and h4 differ only in that one side has no value: a visible difference, but not 0.
    expect(texts(flipped.rows).slice(-2)).toEqual([
      ["h3", "100.00", "-", "What about h3?"],
      ["h4", "-", "100.00", "What about h4?"],
    ]);
  });

  test("requires two runs, and offers the measures that can be paired first", () => {
    expect(compare.missing?.([flat])).toContain("Two runs are needed");
    expect(compare.missing?.([flat, hierarchical])).toBeUndefined();
    expect(compare.choices([hierarchical, flat])).toEqual({
      measures: ["strict.right", "loose.waste", "strict.argument-em"],
      before: ["hierarchical", "flat"],
      by: ["level", "nothing"],
    });
    expect(compare.lists!([hierarchical, flat])).toEqual({
      after: { values: ["flat", "hierarchical"], standard: ["flat"] },
    });
  });

  test("compares a run with several others: one row each, corrected p values, and all tasks whose success differs", () => {
    const rows = (right: number) =>
      Array.from({ length: 20 }, (_, index) => ({
        task: `t${index}`,
        right: index < right ? 1 : 0,
        facets: { level: index < 10 ? "easy" : "hard" },
      }));
    const runs = [madeRun("base", rows(2)), madeRun("better", rows(18)), madeRun("alike", rows(3))];
    const chosen = { measures: "strict.right", before: "base", by: "level" };
    const figures = compare.compute(runs, chosen, { after: ["better", "alike"] });
    expect(figures.map(({ title }) => title)).toEqual([
      "Right: base against 2 others",
      "Right by level: base against 2 others",
      "Tasks whose Right differs",
    ]);
    const [all, groups, flipped] = figures as TableFigure[];
    expect(texts(groups!.rows).map((line) => [0, 1, 2, 3, 4].map((at) => line[at]))).toEqual([
      ["better", "easy", "20.00", "100.00", "+80.00"],
      ["better", "hard", "0.00", "80.00", "+80.00"],
      ["better", "all", "10.00", "90.00", "+80.00"],
      ["alike", "easy", "20.00", "30.00", "+10.00"],
      ["alike", "hard", "0.00", "0.00", "0.00"],
      ["alike", "all", "10.00", "15.00", "+5.00"],
    ]);
    expect(texts(flipped!.rows)).toHaveLength(16);
    expect(texts(flipped!.rows)[0]).toEqual(["t2", "0.00", "100.00", "100.00", "What about t2?"]);
    expect(flipped!.rows[1]![0]!.tasks).toEqual(["base", "better", "alike"].flatMap((run) => at(run, "t3")));
    const bare = runs.map((run) => ({ ...run, rows: run.rows.map((row) => ({ ...row, facets: {} })) }));
    expect(compare.compute(bare, chosen, { after: ["better", "alike"] })).toHaveLength(2);
    expect(all!.columns.map(({ title }) => title)).toEqual([
      "Against",
      "base",
      "other",
      "gap",
      "95 % interval",
      "gained",
      "lost",
      "p",
      "p (Holm)",
      "n",
    ]);
    const [better, alike] = all!.rows;
    expect([better, alike].map((line) => [0, 1, 2, 3, 5, 6, 9].map((at) => line![at]!.text))).toEqual([
      ["better", "10.00", "90.00", "+80.00", "16", "0", "20"],
      ["alike", "10.00", "15.00", "+5.00", "1", "0", "20"],
    ]);
    // McNemar exact: 2 / 2^16, doubled by Holm; the larger p stays 1.
    expect(better![7]!.value).toBeCloseTo(2 / 2 ** 16, 10);
    expect(better![8]!.value).toBeCloseTo(4 / 2 ** 16, 10);
    expect(alike![8]!.value).toBe(1);
  });
});
