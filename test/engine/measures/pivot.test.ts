import { describe, expect, test } from "vitest";
import type { RunRows } from "../../../source/engine/analysis.ts";
import { type Cell, tableColumns } from "../../../source/engine/figure.ts";
import { rankNote, MarkCount } from "../../../source/engine/figures/drawing/table-outline.ts";
import { columnName } from "../../../source/engine/figures/column-heads.ts";
import type { PivotPlan } from "../../../source/engine/measures/pivot/pivot.ts";
import { measureLists, measuresNamed, variedFields } from "../../../source/engine/measures/pivot/pivot-choices.ts";
import type { Measure, Reported, Suite } from "../../../source/engine/suite.ts";
import type { RunSpec } from "../../../source/engine/types.ts";
import { at, madeRun, madeSpec, madeSuite, texts } from "../../analyses/made-run.ts";
import {
  easy,
  grid,
  hard,
  hits,
  large,
  largeFlat,
  made,
  right,
  rows,
  run,
  small,
  smallFlat,
  suite,
  waste,
} from "./tabulated-runs.ts";

describe("measures laid out as a table", () => {
  test("columns of a facet are above the measures, in the order of the suite; each run is a row", () => {
    const {
      columns,
      texts: lines,
      lines: cells,
    } = made([small, large], { columns: ["level"], measures: [right!, hits!] });
    expect(columns).toEqual([
      { title: "Run", align: "left" },
      { title: "Right", align: "right", under: ["easy"] },
      { title: "Hits", align: "right", under: ["easy"] },
      { title: "Right", align: "right", under: ["hard"] },
      { title: "Hits", align: "right", under: ["hard"] },
      { title: "n", align: "right" },
    ]);
    expect(lines).toEqual([
      ["small", "50.00", "50.00", "0.00", "25.00", "4"],
      ["large", "100.00", "50.00", "50.00", "25.00", "4"],
    ]);
    expect(cells[0]![1]!.tasks).toEqual(at("small", "e1", "e2"));
  });

  test("n counts the tasks to which a measure applies, including tasks that lack its value", () => {
    const about: Measure = { ...right!, applies: ({ facets }) => facets["level"] === "easy" };
    const own = { ...about, each: (row) => (row.facets["level"] === "easy" ? row.score?.value : undefined) } as Measure;
    const lacking = run("lacking", {}, [...rows(1, 0), { task: "e3", facets: easy }]);
    expect(made([lacking], { measures: [own] }).texts).toEqual([["lacking", "50.00", "3"]]);
    const both = made([lacking], { measures: [own, hits!] });
    expect(both.texts[0]!.at(-1)).toBe("3 to 5");
    expect(both.lines[0]!.at(-1)!.tasks).toHaveLength(5);
  });

  test("n counts the ten tasks of each value, not the thirty tasks of three columns", () => {
    const ten = Array.from({ length: 10 }, (_, index) => ({ task: `t${index}`, right: 1 }));
    const three = ["a", "b", "c"].map((prompting) => run(prompting, { options: { prompting } }, ten));
    const { texts: lines, lines: cells } = made(three, { columns: ["prompting"] });
    expect(lines).toEqual([["lab/small", "100.00", "100.00", "100.00", "10"]]);
    expect(cells[0]!.map(({ n }) => n)).toEqual([undefined, 10, 10, 10, undefined]);
    expect(cells[0]!.at(-1)!.tasks).toHaveLength(30);
  });

  test("columns of a setting put runs that differ only in that setting into one row, labelled by the model", () => {
    const { names, texts: lines } = made(grid, { columns: ["prompting"] });
    expect(names).toEqual(["Run", "hierarchical", "flat", "n"]);
    expect(lines).toEqual([
      ["lab/small", "25.00", "25.00", "4"],
      ["lab/large", "75.00", "100.00", "4"],
    ]);
  });

  test("a setting and a facet form two levels of columns for one measure, and models label the rows", () => {
    const { columns, texts: lines } = made(grid, { rows: ["model"], columns: ["prompting", "level"] });
    expect(columns.slice(0, 3)).toEqual([
      { title: "Model", align: "left" },
      { title: "easy", align: "right", under: ["hierarchical"] },
      { title: "hard", align: "right", under: ["hierarchical"] },
    ]);
    expect(lines).toEqual([
      ["lab/small", "50.00", "0.00", "0.00", "50.00", "4"],
      ["lab/large", "100.00", "50.00", "100.00", "100.00", "4"],
    ]);
  });

  test("facets as rows and models as columns leave no name of a run in the labels", () => {
    const { names, texts: lines } = made([small, large], { rows: ["level"], columns: ["model"] });
    expect(names).toEqual(["Level", "lab/small", "lab/large", "n"]);
    expect(lines).toEqual([
      ["easy", "50.00", "100.00", "2"],
      ["hard", "0.00", "50.00", "2"],
      ["all", "25.00", "75.00", "4"],
    ]);
  });

  test("runs that differ in another setting are never mixed, but have separate rows labelled by that setting", () => {
    const warm = run("warm", { temperature: 1 }, rows(2, 2));
    const { texts: lines } = made([small, smallFlat, warm], { rows: ["model"], columns: ["prompting"] });
    expect(lines).toEqual([
      ["temperature 0", "lab/small", "25.00", "25.00", "4"],
      ["temperature 1", "lab/small", "100.00", "-", "4"],
    ]);
  });

  test("a setting that has its own column is omitted from the label", () => {
    const react = run("react", { strategy: "react", options: { tries: "3" } }, rows(1, 0));
    const warm = run("warm", { strategy: "react", temperature: 1, options: { tries: "3" } }, rows(1, 1));
    const labels = (runs: readonly RunRows[]) =>
      made(runs, { rows: ["strategy"], columns: ["prompting"] }).texts.map(([label]) => label);
    expect(labels([small, react, smallFlat])).toEqual(["direct", "react"]);
    expect(labels([small, react, warm])).toEqual(["temperature 0", "temperature 0", "temperature 1"]);
  });

  test("columns of suites and splits form two levels, and runs of one method are in one row", () => {
    const other: Suite = {
      ...madeSuite,
      name: "other",
      options: [{ name: "cache", title: "Cache", values: ["on"], default: "on" }],
    };
    const at = (of: Suite, split: string, spec: Partial<RunSpec>) =>
      madeRun(
        split,
        rows(2, 2).map((each) => ({ ...each, task: `${split} ${each.task}` })),
        { suite: of, spec: { ...madeSpec, suite: of.name, split, ...spec } },
      );
    const runs = [
      at(suite, "a", { options: { prompting: "flat" }, judge: "lab/judge" }),
      at(other, "b", { options: { cache: "on" }, data: "published" }),
      at(other, "c", { options: { cache: "on" }, data: "published" }),
    ];
    const { names, texts: lines } = made(runs, { rows: ["strategy"], columns: ["suite", "split"] });
    expect(names).toEqual(["Strategy", "made a", "other b", "other c", "n"]);
    expect(lines).toHaveLength(1);
    // The average has no suite, so runs of several suites stay apart.
    expect(made(runs, { rows: ["strategy"], columns: ["split"] }).texts).toHaveLength(2);
  });

  test("runs of several benchmarks are labelled by cells or differences, never by settings that one of the benchmarks lacks", () => {
    const other: Suite = { ...madeSuite, name: "other", options: [] };
    const of = (label: string, from: number, to: number, spec: Partial<RunSpec>, by = suite) =>
      madeRun(label, rows(2, 2).slice(from, to), { suite: by, spec: { ...madeSpec, suite: by.name, ...spec } });
    const flat = { options: { prompting: "flat" } };
    const parts = [
      of("app: easy", 0, 2, { split: "easy", ...flat }),
      of("app: hard", 2, 4, { split: "hard", ...flat }),
    ];
    const labels = (...more: readonly RunRows[]) =>
      made([...parts, ...more], { together: true }).texts.map(([label]) => label);
    expect(labels(of("ultra", 0, 4, { judge: "lab/judge" }, other))).toEqual(["app", "ultra"]);
    const cold = [
      of("app: easy, 0.5", 0, 2, { split: "easy", temperature: 0.5, ...flat }),
      of("app: hard, 0.5", 2, 4, { split: "hard", temperature: 0.5, ...flat }),
    ];
    const ultra = of("ultra", 0, 4, { judge: "lab/judge" }, other);
    expect(labels(ultra, ...cold)).toEqual(["app · temperature 0", "ultra", "app · temperature 0.5"]);
    const large = of("large", 0, 4, { judge: "lab/judge", model: "lab/large" }, other);
    expect(labels(large)).toEqual(["lab/small", "lab/large"]);
  });

  test("answers without their wrapping have a column next to every suite's score, and on request even before any exist", () => {
    const wrapped = run("wrapped", {}, [
      { task: "a", right: 0, metrics: { unwrapped: 1 } },
      { task: "b", right: 1 },
    ]);
    const columns = measuresNamed([wrapped], [right!.name, "unwrapped"], "strict");
    expect(made([wrapped], { measures: columns }).texts).toEqual([["wrapped", "50.00", "100.00", "2"]]);
    const plain = run("plain", {}, [{ task: "b", right: 1 }]);
    expect(measureLists([plain]).measures.values).toContain("unwrapped");
    expect(measuresNamed([plain], ["unwrapped"], "strict").map(({ name }) => name)).toEqual(["unwrapped"]);
    expect(measuresNamed([plain], ["all"], "strict").map(({ name }) => name)).not.toContain("unwrapped");
  });

  test("the number of tasks alone does not make an axis", () => {
    expect(variedFields([run("few", { limit: 2 }, []), run("many", { limit: 9, temperature: 1 }, [])])).toEqual([
      "temperature",
    ]);
  });

  test("an average is the unweighted mean of the columns, and absent if a column is empty", () => {
    const uneven = run("uneven", {}, rows(1, 2).slice(0, 3));
    const onlyEasy = run("easy", { temperature: 1 }, rows(1, 0).slice(0, 2));
    const { columns, lines } = made([uneven, onlyEasy], { columns: ["level"], average: true });
    expect(columns.map(columnName)).toEqual(["Run", "easy", "hard", "Average", "n"]);
    expect(texts(lines)).toEqual([
      ["uneven", "50.00", "100.00", "75.00", "3"],
      ["easy", "50.00", "-", "-", "2"],
    ]);
    expect(lines[0]![3]).toMatchObject({ n: 3, tasks: at("uneven", "e1", "e2", "h1") });
    // A single column is its own average.
    expect(made([onlyEasy], { columns: ["level"], average: true }).columns.map(columnName)).not.toContain("Average");
  });

  test("an average counts the tasks of its columns, and a paper's value without a group is shown in its column", () => {
    const reported = (where: Reported["where"], value: number): Reported => ({
      source: "The paper, Table 1",
      row: "GPT",
      measure: right!.name,
      value,
      where,
    });
    const unscored = run("half", {}, [...rows(1, 0).slice(0, 3), { task: "h2", facets: hard, failed: "model" }]);
    const { lines } = made([unscored], {
      columns: ["level"],
      average: true,
      reported: [reported(easy, 0.7), reported({}, 0.6)],
    });
    expect(lines[0]![3]).toMatchObject({ faint: true, rests: { scored: 3, unscored: 0, failed: 1 } });
    expect(texts(lines)[1]).toEqual(["GPT", "70.00", "-", "60.00", ""]);
  });

  test("lines by split have each split's own tasks", () => {
    const splits = ["easy", "hard"].map((name, at) => run(name, { split: name }, rows(1, 0).slice(2 * at, 2 * at + 2)));
    for (const plan of [{ together: true }, { columns: ["prompting"] }, {}])
      expect(made(splits, { rows: ["split"], ...plan }).texts).toEqual([
        ["easy", "50.00", "2"],
        ["hard", "0.00", "2"],
      ]);
  });

  test("splits without common tasks are one row, and splits with common tasks are separate rows", () => {
    const easyOnly = run("easy", { split: "easy" }, rows(1, 0).slice(0, 2));
    const hardOnly = run("hard", { split: "hard" }, rows(1, 1).slice(2));
    expect(made([easyOnly, hardOnly], { columns: ["level"] }).texts).toEqual([["lab/small", "50.00", "50.00", "4"]]);
    expect(made([easyOnly, small], { columns: ["level"] }).texts).toEqual([
      ["easy", "50.00", "-", "2"],
      ["small", "50.00", "0.00", "4"],
    ]);
  });

  test("a run listed twice is counted once", () => {
    expect(made([small, { ...small, label: "again" }], { columns: ["level"] }).texts).toHaveLength(1);
  });

  test("columns and rows of `shots` are in numeric order", () => {
    const ten = run("ten", { shots: 10 }, rows(2, 2));
    const three = run("three", { shots: 3 }, rows(1, 1));
    expect(made([ten, three], { columns: ["shots"] }).names).toEqual(["Run", "shots 3", "shots 10", "n"]);
    expect(made([ten, three], { rows: ["shots"] }).texts).toEqual([
      ["10", "100.00", "4"],
      ["3", "50.00", "4"],
    ]);
  });

  test("values have intervals on request", () => {
    const [line] = made([small], { intervals: true }).lines;
    // Wilson's interval of 1 of 4.
    expect(line![1]!.low).toBeCloseTo(0.0456, 4);
    expect(line![1]!.high).toBeCloseTo(0.6994, 4);
  });
});

describe("the floors of a table by level", () => {
  const trivial = (right: readonly string[]) => ({
    floors: [
      {
        name: "filler",
        scores: new Map(
          ["e1", "e2", "h1", "h2"].map((task) => {
            const value = right.includes(task) ? 1 : 0;
            return [task, { value, metrics: { right: value }, checks: [], errors: [] }] as const;
          }),
        ),
      },
    ],
    unscored: [],
  });
  const floored = (label: string, more: Partial<RunSpec>) => ({
    ...run(label, more, rows(2, 1)),
    floors: trivial(["e1"]),
  });

  test("are below its rows, one for each level, and have no value in a column of settings", () => {
    const [one, other] = [floored("one", {}), floored("other", { temperature: 1 })];
    expect(made([one, other], { rows: ["level", "temperature"], floors: true }).texts.slice(-3)).toEqual([
      ["easy", "floor (filler)", "50.00", ""],
      ["hard", "floor (filler)", "0.00", ""],
      ["all", "floor (filler)", "25.00", ""],
    ]);
    expect(made([one], { rows: ["level"], columns: ["model"], floors: true }).texts.slice(-3)).toEqual([
      ["floor (filler): easy", "50.00", ""],
      ["floor (filler): hard", "0.00", ""],
      ["floor (filler): all", "25.00", ""],
    ]);
    // The name takes the first place that has no value, or precedes the first value.
    const last = (...axes: readonly string[]) =>
      made([one, other], { rows: axes, floors: true }).texts.at(-1)!.slice(0, -2);
    expect(last("temperature", "level")).toEqual(["floor (filler)", "all"]);
    expect(last("temperature", "model")).toEqual(["floor (filler)", ""]);
    const doubled = { ...one, rows: one.rows.map((row) => ({ ...row, facets: { ...row.facets, parallel: 1 } })) };
    expect(made([doubled], { rows: ["level", "parallel"], columns: ["model"], floors: true }).texts.at(-2)).toEqual([
      "floor (filler): easy",
      "1",
      "50.00",
      "",
    ]);
    expect(made([one, other], { rows: ["level"], floors: true }).texts.at(-1)).toEqual([
      "floor (filler)",
      "all",
      "25.00",
      "",
    ]);
  });
});

describe("best and second best", () => {
  const ranks = (runs: readonly RunRows[], plan: Partial<PivotPlan>) =>
    made(runs, plan).lines.map((line) => line.map(({ rank }) => rank ?? 0).join(""));

  test("are marked in each column, also if lower is better; equal values share a rank", () => {
    const alike = run("alike", { seed: 1 }, rows(2, 1));
    expect(ranks([small, large, alike], { columns: ["level"] })).toEqual(["0220", "0110", "0110"]);
    const wasteful = [3, 1, 2].map((amount) =>
      run(`waste ${amount}`, { seed: amount }, [{ task: "w", right: 1, metrics: { waste: amount } }]),
    );
    expect(ranks(wasteful, { measures: [waste!] })).toEqual(["000", "010", "020"]);
  });

  test("are ranked within a group of tasks, never across groups", () => {
    expect(ranks([small, large], { rows: ["level"] })).toEqual(["0020", "0020", "0020", "0010", "0010", "0010"]);
  });

  test("exclude runs on other tasks or on more tasks; order and number of trials do not matter", () => {
    const fewer = run("fewer", { seed: 1 }, rows(2, 2).slice(1));
    expect(ranks([small, large, fewer], {})).toEqual(["020", "010", "000"]);
    const again = run("again", { seed: 2 }, [...rows(2, 2).toReversed(), ...rows(2, 2)]);
    expect(ranks([small, again], {})).toEqual(["020", "010"]);
  });

  test("are absent if all values are equal, or if there is only one value", () => {
    expect(ranks([large, largeFlat], { columns: ["level"], measures: [hits!] })).toEqual(["0000", "0000"]);
    expect(ranks([small], { columns: ["level"] })).toEqual(["0000"]);
  });
});

describe("the paper's numbers in a table", () => {
  const reported = (row: string, value: number, more: Partial<Reported>): Reported => ({
    source: "The paper, Table 1",
    row,
    measure: "strict.right",
    value,
    where: {},
    ...more,
  });

  test("have their own columns, even if the user's runs have no task in these columns", () => {
    const easyOnly = run("easy", {}, rows(1, 0).slice(0, 2));
    const values = [reported("GPT-4", 0.25, { where: hard }), reported("GPT-4", 0.75, { where: easy })];
    const { names, lines, texts: shown } = made([easyOnly], { columns: ["level"], reported: values });
    expect(names).toEqual(["Run", "easy", "hard", "n"]);
    expect(shown).toEqual([
      ["easy", "50.00", "-", "2"],
      ["GPT-4", "75.00", "25.00", ""],
    ]);
    expect(lines[1]!.every((cell) => cell.reported === true)).toBe(true);
  });

  test("are in one cell with another measure if the paper prints both in one cell, even if both are equal", () => {
    const under = (part: string) => ({ under: [], title: "R/H", part });
    const measures = [
      { ...right!, column: under("R") },
      { ...hits!, column: under("H") },
    ];
    const values = [reported("GPT-4", 0.25, { where: easy })];
    const { texts: shown, lines } = made([small], { rows: ["level"], measures, reported: values, intervals: true });
    expect(shown.map((line) => line.slice(0, 3))).toEqual([
      ["small", "easy", "50.00/50.00"],
      ["small", "hard", "0.00/25.00"],
      ["small", "all", "25.00/37.50"],
      ["GPT-4", "easy", "25.00/-"],
    ]);
    // Each part has its own value, tasks and interval: Wilson's of 1 of 2 is from 9.45 to 90.55 %.
    const [part] = lines[0]![2]!.parts!;
    expect(part).toMatchObject({ text: "50.00", value: 0.5, n: 2 });
    expect([part!.low, part!.high].map((end) => end!.toFixed(4))).toEqual(["0.0945", "0.9055"]);
    expect(lines[3]![2]!.parts).toEqual([{ text: "25.00", value: 0.25 }, { text: "-" }]);
    expect(lines[3]![2]!.reported).toBe(true);
    expect(lines[0]![2]!.tasks).toEqual(at("small", "e1", "e2"));
  });

  test("show a shared caveat below the table, and other caveats only at the cursor", () => {
    const noted = (...caveats: readonly (string | undefined)[]) => {
      const values = caveats.map((caveat, at) => reported(`GPT-${at}`, 0.5, caveat === undefined ? {} : { caveat }));
      return made([small], { reported: values }).notes;
    };
    expect(noted("other tasks", "other tasks")).toEqual(["Numbers printed in the paper: other tasks"]);
    expect(noted("other tasks", "a sample")).toEqual([]);
    expect(noted("other tasks", undefined)).toEqual([]);
    expect(noted(undefined)).toEqual([]);
  });

  test("are not ranked, neither with the user's runs, whose tasks can differ, nor with each other", () => {
    const values = [reported("GPT-4", 0.25, {}), reported("GPT-5", 0.75, {}), reported("Old", 0.9, { source: "Else" })];
    const { lines, texts: shown } = made([small, large], { reported: values });
    expect(shown.map(([name], index) => [name, lines[index]![1]!.rank])).toEqual([
      ["small", 2],
      ["large", 1],
      ["GPT-4", undefined],
      ["GPT-5", undefined],
      ["Old", undefined],
    ]);
    const noted = (of: readonly (readonly Cell[])[]) => {
      const marks = new MarkCount();
      for (const cell of of.flat()) marks.add(cell);
      return rankNote(marks, "* best");
    };
    expect(noted(lines)).toBe("* best, on the same tasks");
    expect(noted(lines.slice(2))).toBeUndefined();
    expect(noted(lines.slice(0, 2))).toBe("* best, on the same tasks");
    expect(noted([])).toBeUndefined();
  });

  test("list several settings across the columns of the chosen setting, and the other settings after the name", () => {
    const values = [0, 3].flatMap((shots) => [
      reported("GPT-4", shots / 10, { setting: { shots } }),
      reported("GPT-4", shots / 5, { setting: { shots, prompting: "flat" } }),
    ]);
    const { names, texts: shown } = made([small], { columns: ["shots"], reported: values });
    expect(names).toEqual(["Run", "shots 0", "shots 3", "n"]);
    expect(shown.slice(1)).toEqual([
      ["GPT-4 (plain)", "0.00", "30.00", ""],
      ["GPT-4 (prompting flat)", "0.00", "60.00", ""],
    ]);
  });

  test("have their own rows if the table has a row for each value of a setting", () => {
    const values = [reported("GPT-4", 0.3, { setting: { shots: 3 } })];
    const { names, texts: shown } = made([small], { rows: ["shots"], reported: values });
    expect(names).toEqual(["Run", "Demonstrations", "Right", "n"]);
    expect(shown).toEqual([
      ["small", "0", "25.00", "4"],
      ["GPT-4", "3", "30.00", ""],
    ]);
  });

  test("are omitted if no axis contains them", () => {
    const values = [reported("GPT-4", 0.3, { where: { level: "easy", parallel: 2 } }), reported("GPT-4", 0.3, {})];
    expect(made([small], { columns: ["level"], reported: values }).lines).toHaveLength(1);
  });
});

test("table columns have names on the left and numbers on the right", () => {
  expect(tableColumns(["Run"], ["Success", "n"])).toEqual([
    { title: "Run", align: "left" },
    { title: "Success", align: "right" },
    { title: "n", align: "right" },
  ]);
});
