/** Tables whose columns, headings and counts are given or derived: every cell by hand. */
import { describe, expect, test } from "vitest";
import { measuresNamed } from "../../../source/engine/measures/pivot/pivot-choices.ts";
import type { Reported, Suite } from "../../../source/engine/suite.ts";
import { at, madeRun, madeSpec } from "../../analyses/made-run.ts";
import { easy, hard, hits, large, made, right, rows, run, small, suite, waste } from "./tabulated-runs.ts";

describe("the parts of a table", () => {
  const reported = (row: string, value: number, more: Partial<Reported>): Reported => ({
    source: "The paper, Table 1",
    row,
    measure: "strict.right",
    value,
    where: {},
    ...more,
  });

  test("may be given columns, each with the tasks of its place, in which runs on several splits are one row", () => {
    const groups = [
      { titles: ["Easy"], place: easy },
      { titles: ["Hard"], place: hard },
      { titles: ["Neither"], place: { level: "odd" } },
    ];
    const { names, texts: lines } = made([small, large], { groups });
    expect(names).toEqual(["Run", "Easy", "Hard", "Neither", "n"]);
    expect(lines).toEqual([
      ["small", "50.00", "0.00", "-", "4"],
      ["large", "100.00", "50.00", "-", "4"],
    ]);
    const split = (name: string, from: number) => run(name, { split: name }, rows(1, 1).slice(from, from + 2));
    const splits = [split("easy", 0), split("hard", 2)];
    expect(made(splits, { groups: groups.slice(0, 2) }).texts).toEqual([["lab/small", "50.00", "50.00", "4"]]);
    expect(made(splits, {}).texts).toEqual([
      ["easy", "50.00", "2"],
      ["hard", "50.00", "2"],
    ]);
    expect(made(splits, { together: true }).texts).toEqual([["lab/small", "50.00", "4"]]);
    // A column may have runs of several suites, of which only some have the measure.
    const lacking = { ...suite, name: "other", measures: [hits!] } as unknown as Suite;
    const mixed = [
      small,
      madeRun("o", [{ task: "o", right: 1, facets: easy }], { suite: lacking, spec: { ...madeSpec, suite: "other" } }),
    ];
    for (const runs of [mixed, mixed.toReversed()])
      expect(made(runs, { columns: ["suite"], groups: groups.slice(0, 1) }).texts).toEqual([
        ["lab/small", "66.67", "1 to 4"],
      ]);
    expect(made([small], { groups: groups.slice(0, 1), average: true }).names).toEqual(["Run", "Easy", "n"]);
    expect(made([small], { groups: groups.slice(0, 2), average: true }).texts).toEqual([
      ["small", "50.00", "0.00", "25.00", "4"],
    ]);
  });

  test("show a value of a setting with its name if the value alone is unclear", () => {
    const of = (value: string | number) =>
      run(`${value}`, { options: { prompting: value as string } }, [{ task: `${value}`, right: 1 }]);
    expect(made(["on", "off", "3", "flat", 2].map(of), { columns: ["prompting"] }).names).toEqual([
      "Run",
      "prompting on",
      "prompting off",
      "prompting 3",
      "flat",
      "prompting 2",
      "n",
    ]);
  });

  test("have a row for each combination of two facets without a total, and no total for a single value", () => {
    const both = run("both", {}, [
      { task: "a", right: 1, facets: { level: "hard", parallel: 1 } },
      { task: "b", right: 0, facets: { level: "easy", parallel: 2 } },
      { task: "c", right: 1, facets: { level: "easy", parallel: 1 } },
      { task: "d", right: 1, facets: { level: "easy" } },
    ]);
    expect(made([both], { rows: ["level", "parallel"] }).texts).toEqual([
      ["both", "easy", "1", "100.00", "1"],
      ["both", "easy", "2", "0.00", "1"],
      ["both", "hard", "1", "100.00", "1"],
    ]);
    const easyOnly = run("easy", {}, rows(1, 0).slice(0, 2));
    expect(made([easyOnly], { rows: ["level"] }).texts).toEqual([["easy", "easy", "50.00", "2"]]);
    // The total includes the tasks without a value of the facet.
    expect(made([both], { rows: ["parallel"] }).texts).toEqual([
      ["both", "1", "100.00", "2"],
      ["both", "2", "0.00", "1"],
      ["both", "all", "75.00", "4"],
    ]);
  });

  test("are empty for a measure that the suite lacks, except for effort and answers without their wrapping", () => {
    const lacking = { ...suite, measures: [hits!] } as unknown as Suite;
    const without = madeRun("r", rows(1, 0), { suite: lacking, spec: madeSpec });
    const [calls] = measuresNamed([without], ["calls"], "strict");
    const [unwrapped] = measuresNamed([without], ["unwrapped"], "strict");
    const { texts: lines } = made([without, small], { measures: [right!, hits!, calls!, unwrapped!] });
    expect(lines).toEqual([
      ["r", "-", "37.50", "1", "25.00", "4"],
      ["small", "25.00", "37.50", "1", "25.00", "4"],
    ]);
  });

  test("count no tasks before any has ended, and the tasks of each column as a range", () => {
    const running = run("running", {}, [{ task: "a", running: true }]);
    const { lines, texts: shown } = made([running], {});
    expect(shown).toEqual([["running", "-", "0"]]);
    expect(lines[0]!.at(-1)).toMatchObject({ text: "0", value: 0, tasks: [] });
    const few = run("few", { options: { prompting: "flat" } }, rows(1, 0).slice(0, 3));
    const [line] = made([small, few], { columns: ["prompting"] }).lines;
    expect(line!.at(-1)).toMatchObject({ text: "3 to 4", value: 4 });
    expect(line!.at(-1)!.tasks).toHaveLength(7);
  });

  test("have a column of headings if the paper groups its rows, and sources at the paper's cells", () => {
    const values = [
      reported("GPT-4", 0.5, { group: "Two-stage" }),
      reported("Human", 0.9, { source: "Else, Table 2", caveat: "a sample" }),
    ];
    const { names, texts: shown, lines } = made([small], { rows: ["level"], reported: values });
    expect(names).toEqual(["Group", "Run", "Level", "Right", "n"]);
    expect(shown).toEqual([
      ["", "small", "easy", "50.00", "2"],
      ["", "small", "hard", "0.00", "2"],
      ["", "small", "all", "25.00", "4"],
      ["Two-stage", "GPT-4", "all", "50.00", ""],
      ["", "Human", "all", "90.00", ""],
    ]);
    expect(lines[3]!.slice(0, 3)).toEqual(
      ["Two-stage", "GPT-4", "all"].map((text) => ({ text, reported: true, note: "The paper, Table 1" })),
    );
    expect(lines[4]![3]).toEqual({ text: "90.00", value: 0.9, reported: true, note: "Else, Table 2; a sample" });
    expect(lines[0]![0]).toEqual({ text: "" });
    expect(lines[0]![2]!.tasks).toEqual(at("small", "e1", "e2"));
  });

  test("share a column whose parts are all missing as a single sign, and count the tasks of a part that lacks some", () => {
    const under = (part: string) => ({ under: ["X"], title: "R/W", part });
    const measures = [
      { ...right!, column: under("R") },
      { ...waste!, column: under("W") },
      { ...hits!, column: { under: ["X"], title: "H" } },
    ];
    const values = [reported("GPT-4", 0.25, {}), reported("Odd", 0.5, { measure: hits!.name })];
    const holes = run("holes", {}, [...rows(1, 0), { task: "f", failed: "model" }]);
    const { columns, texts: shown, lines } = made([holes], { measures, reported: values });
    expect(columns.slice(1, 3)).toEqual([
      { title: "R/W", align: "right", under: ["X"], parts: ["R", "W"] },
      { title: "H", align: "right", under: ["X"] },
    ]);
    expect(shown).toEqual([
      ["holes", "25.00/-", "37.50", "1 to 5"],
      ["GPT-4", "25.00/-", "-", ""],
      ["Odd", "-", "50.00", ""],
    ]);
    expect(lines[0]![1]).toMatchObject({ rests: { scored: 4, unscored: 0, failed: 1 } });
    expect(lines[0]![1]!.parts).toEqual([
      { text: "25.00", value: 0.25, n: 4 },
      { text: "-", n: 0 },
    ]);
    expect(lines[2]![1]).toEqual({ text: "-", reported: true, parts: [{ text: "-" }, { text: "-" }] });
    const behind = [measures[2]!, measures[0]!, measures[1]!];
    const wasted = [...values, reported("Waste", 2, { measure: waste!.name })];
    expect(made([holes], { measures: behind, reported: wasted }).texts).toEqual([
      ["holes", "37.50", "25.00/-", "1 to 5"],
      ["GPT-4", "-", "25.00/-", ""],
      ["Odd", "50.00", "-", ""],
      ["Waste", "-", "-/2", ""],
    ]);
    // Without numbers of the paper, each measure has its own column.
    expect(made([holes], { measures }).names).toEqual(["Run", "Right", "Waste", "Hits", "n"]);
  });

  test("name runs unless their settings tell them apart", () => {
    const again = run("again", { seed: 1 }, rows(1, 0));
    expect(made([small, large], { rows: ["model"] }).names).toEqual(["Model", "Right", "n"]);
    expect(made([small, again], { rows: ["model"] }).names).toEqual(["Run", "Model", "Right", "n"]);
    expect(made([small], { rows: ["level"] }).names).toEqual(["Run", "Level", "Right", "n"]);
    const value = [reported("GPT-4", 0.5, { setting: { shots: 0 } })];
    const easily = [reported("GPT-4", 0.5, { where: easy })];
    expect(made([small], { rows: ["model", "level"], reported: easily }).names).toEqual([
      "Model",
      "Level",
      "Right",
      "n",
    ]);
    expect(made([small], { rows: ["shots"], reported: value }).names[0]).toBe("Run");
    expect(made([small], { rows: ["model"], reported: value }).names).toEqual(["Model", "Right", "n"]);
  });
});
