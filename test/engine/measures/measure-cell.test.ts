import { describe, expect, it } from "vitest";
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import {
  byFacet,
  countCell,
  endedRows,
  endedRowsOf,
  facetOrder,
  facetTitle,
  firstKnown,
  fractionOf,
  groupedBy,
  groupings,
  inOrder,
  intervalCell,
  isCovered,
  isKnown,
  isScored,
  isValued,
  meanCell,
  measureCell,
  measureInterval,
  measureNamed,
  measureNotes,
  measuresOf,
  overruled,
  printedCell,
  reportedCell,
  rowsInterval,
  shortfall,
  shownValue,
  usableFacets,
  valueCell,
  withPrintedDecimals,
  withTasks,
} from "../../../source/engine/measures/measure-cell.ts";
import { lookedCell } from "../../../source/engine/measures/unfinished.ts";
import type { Cell, Figure } from "../../../source/engine/figure.ts";
import { figureText } from "../../../source/engine/figures/figure-text.ts";
import { briefInterval, intervalText } from "../../../source/engine/figures/interval-text.ts";
import { exportFigure } from "../figures/exported-figure.ts";
import { clusteredMean } from "../../../source/engine/statistics/clustered-mean.ts";
import { intervalOf } from "../../../source/engine/statistics/mean-interval.ts";
import type { Measure, Reported } from "../../../source/engine/suite.ts";
import type { Row } from "../../../source/engine/types.ts";
import { madeRow, type MadeRow, madeRun, madeSuite } from "../../analyses/made-run.ts";

const hits = meanMeasure("hits", { name: "hits", title: "Hits", mode: "m" });
const rows = [madeRow("r", { task: "a", right: 1, metrics: { hits: 1 } })];

it("a cell shows the score of perfect answers if it is below the maximum", () => {
  expect(measureCell({ ...hits, ceiling: () => 0.9 }, rows)).toMatchObject({ value: 1, ceiling: 0.9 });
  expect(measureCell({ ...hits, ceiling: () => 1 }, rows)).not.toHaveProperty("ceiling");
  expect(measureCell(hits, rows)).not.toHaveProperty("ceiling");
  expect(measureCell({ ...hits, ceiling: () => 0.9 }, [])).not.toHaveProperty("ceiling");
});

it("a cell shows a paper's value as a share, a lost value as lost, and a missing value as a dash", () => {
  expect(printedCell(83.2)).toEqual({ text: "83.2", value: 0.832, reported: true });
  expect(printedCell(3, "number")).toEqual({ text: "3", value: 3, reported: true });
  expect(printedCell("lost")).toEqual({ text: "lost", reported: true });
  expect(printedCell(undefined)).toEqual({ text: "-", reported: true });
});

it("a cell marks rough intervals, whose coverage is too low, in text, tables and bars", () => {
  const measures = [hits, { ...hits, rough: true as const }];
  const values = Array.from({ length: 10 }, (_, at) =>
    madeRow("r", { task: `${at}`, right: 1, metrics: { hits: at / 10 } }),
  );
  const [plain, rough] = measures.map((measure) => lookedCell(measure, values, []));
  expect(plain).not.toHaveProperty("rough");
  expect(rough).toMatchObject({ rough: true, low: plain!.low, high: plain!.high, value: plain!.value });
  expect(intervalText(rough!)).toBe(`~${intervalText(plain!)}`);
  expect(briefInterval(rough!, false)).toBe(`~${briefInterval(plain!, false)}`);
  const column = { title: "Hits", align: "right" as const };
  const table = (cell: Cell): Figure => ({ kind: "table", title: "t", notes: [], columns: [column], rows: [[cell]] });
  const note = "~[a, b]: approximate 95 % interval; with 10 tasks, its actual coverage is below 88 %";
  const text = (figure: Figure) => figureText(figure, { width: 200, ascii: false });
  expect(text(table(rough!))).toContain(note);
  expect(text(table(plain!))).not.toContain("rough");
  expect(exportFigure(table(rough!), "md")).toContain("| 45.00 ~\\[");
  const bars = (cell: Cell): Figure => ({
    kind: "bars",
    title: "b",
    notes: [],
    unit: "%",
    bars: [{ label: "r", cell, low: cell.low!, high: cell.high! }],
  });
  expect(text(bars(rough!))).toContain("whiskers: 95 % interval, approximate: with 10 tasks, its");
  expect(text(bars(plain!))).not.toContain("rough");
});

describe("the text of a value", () => {
  it("has the decimals of its unit", () => {
    const texts = (value: number | undefined, digits?: number) =>
      (["percent", "price", "number", "seconds"] as const).map((unit) => shownValue(value, unit as never, digits));
    expect(texts(undefined)).toEqual(["-", "-", "-", "-"]);
    expect(texts(0.12345)).toEqual(["12.35", "0.1235", "0.123", "0.1"]);
    expect(texts(2)).toEqual(["200.00", "2.0000", "2", "2"]);
    expect(texts(0.5, 1)[0]).toBe("50.0");
    expect(valueCell(0.5, "percent", 4)).toEqual({ text: "50.00", value: 0.5, n: 4 });
    expect(valueCell(undefined, "percent", 0)).toEqual({ text: "-", n: 0 });
    expect(intervalCell({ low: 0.1, high: 0.25 }, "percent")).toEqual({ text: "[10.00, 25.00]", low: 0.1, high: 0.25 });
    expect(intervalCell(undefined, "percent")).toEqual({ text: "-" });
  });

  it("has the decimals, source and caveat that the paper printed", () => {
    const reported = (more: object) => reportedCell({ source: "Table 3", ...more } as Reported, "percent");
    expect(reported({ value: 0.5, digits: 1 })).toEqual({ text: "50.0", value: 0.5, reported: true, note: "Table 3" });
    expect(reported({ caveat: "two runs" })).toEqual({ text: "lost", reported: true, note: "Table 3; two runs" });
    expect(reportedCell(undefined, "percent")).toEqual({ text: "-", reported: true });
    expect(fractionOf(83.2)).toBe(0.832);
    expect(fractionOf(100 / 3)).toBe(0.333333333333);
    expect(printedCell(83.2, "percent", 2)).toEqual({ text: "83.20", value: 0.832, reported: true });
  });

  it("has as many decimals as the most precise percentage that a paper printed in its column", () => {
    const own = (value: number): Cell => ({ text: shownValue(value, "percent"), value });
    const printed = (text: string): Cell => ({ text, value: fractionOf(Number(text)), reported: true });
    const texts = (...cells: readonly Cell[]) =>
      withPrintedDecimals(cells.map((cell) => [cell])).map(([cell]) => cell!.text);
    expect(texts(own(0.5), printed("83.2"), printed("1.25"))).toEqual(["50.00", "83.2", "1.25"]);
    expect(texts(own(0.5), printed("1.25"), printed("83.2"))).toEqual(["50.00", "1.25", "83.2"]);
    expect(texts(own(0.5), printed("83.2"), printed("7"))).toEqual(["50.0", "83.2", "7"]);
    expect(texts(own(0.5), printed("83.125"))).toEqual(["50.000", "83.125"]);
    expect(texts(own(0.5), printed("7"), { text: "-", reported: true })).toEqual(["50.00", "7", "-"]);
    const short: Cell = { text: "50.00", value: 0.5, reported: true };
    expect(texts(own(0.5), printed("83.125"), short)).toEqual(["50.000", "83.125", "50.00"]);
    // A number that is not a percentage keeps its text, like a cell without a value.
    expect(texts({ text: "0.5", value: 0.5 }, { text: "-" }, printed("8.1"))).toEqual(["0.5", "-", "8.1"]);
    expect(texts(own(0.5))).toEqual(["50.00"]);
  });

  it("takes its decimals from its own column, and without a printed percentage there from the rest of the table", () => {
    const own = (value: number): Cell => ({ text: shownValue(value, "percent"), value });
    const printed = (text: string): Cell => ({ text, value: fractionOf(Number(text)), reported: true });
    const mean: Cell = { text: "0.500", value: 0.5, reported: true };
    const none: Cell = { text: "-", reported: true };
    const rows = [
      [own(0.5), own(0.25), own(1), { text: "0.375", value: 0.375 }],
      [printed("83.2"), printed("7.125"), none, mean],
    ];
    const texts = (table: readonly (readonly Cell[])[]) =>
      withPrintedDecimals(table).map((row) => row.map(({ text }) => text));
    expect(texts(rows)[0]).toEqual(["50.0", "25.000", "100.000", "0.375"]);
    // A printed mean of 0.500 is no percentage, so it sets no decimals.
    expect(
      texts([
        [own(0.5), own(0.25)],
        [mean, printed("83.2")],
      ])[0],
    ).toEqual(["50.0", "25.0"]);
    expect(texts([[own(0.5)], [mean]])).toEqual([["50.00"], ["0.500"]]);
  });
});

describe("the mean of cells", () => {
  const part = (value: number | undefined, n: number, rests?: Cell["rests"]): Cell =>
    withTasks({ text: "", ...(value !== undefined && { value }), n, ...(rests && { rests }) }, [
      madeRow("r", { task: `${value}`, right: 1 }),
    ]);

  it("weights the cells equally, and keeps the tasks of all cells", () => {
    const mean = meanCell(hits, [part(0.5, 3), part(1, 1)]);
    expect(mean).toMatchObject({ text: "75.00", value: 0.75, n: 4 });
    expect(mean.tasks).toEqual([
      { run: "r", task: "0.5" },
      { run: "r", task: "1" },
    ]);
    expect(mean).not.toHaveProperty("rests");
  });

  it("counts no tasks for a cell whose number of tasks is unknown", () => {
    expect(meanCell(hits, [{ text: "", value: 1 }, part(0.5, 3)])).toMatchObject({ value: 0.75, n: 3 });
    const rests = { scored: 19, unscored: 0, failed: 1 };
    expect(meanCell(hits, [{ text: "", value: 1 }, part(0.5, 19, rests)]).rests).toEqual(rests);
  });

  it("is missing if one cell is missing", () => {
    expect(meanCell(hits, [part(0.5, 3), part(undefined, 2)])).toMatchObject({ text: "-", n: 5 });
    expect(meanCell(hits, [part(0.5, 3), part(undefined, 2)])).not.toHaveProperty("value");
  });

  it("is counted with the sum of the numbers of tasks, and for a single value with its own tasks", () => {
    const some = { scored: 8, unscored: 1, failed: 2 };
    expect(meanCell(hits, [part(0.5, 8, some), part(1, 1)])).toMatchObject({
      rests: { scored: 9, unscored: 1, failed: 2 },
      faint: true,
    });
    expect(meanCell(hits, [part(0.5, 8, some), part(1, 3, { scored: 3, unscored: 0, failed: 1 })]).rests).toEqual({
      scored: 11,
      unscored: 1,
      failed: 3,
    });
    const most = { scored: 26, unscored: 1, failed: 2 };
    expect(meanCell(hits, [part(0.5, 26, most), part(1, 1)])).not.toHaveProperty("faint");
  });
});

describe("the tasks of a measure", () => {
  const row = (more: object) => madeRow("r", { task: "a", ...more });

  it("include tasks with a value, and ended tasks without a value", () => {
    expect(isCovered(hits, row({ right: 1, metrics: { hits: 1 } }))).toBe(true);
    expect(isCovered(hits, row({ right: 1 }))).toBe(false);
    expect(isCovered({ ...hits, applies: () => true }, row({ right: 1 }))).toBe(true);
    expect(isCovered(hits, row({ failed: "model" }))).toBe(true);
    expect(isCovered(hits, row({ failed: "stopped" }))).toBe(false);
    expect(isCovered(hits, row({ running: true }))).toBe(false);
    expect(isCovered({ ...hits, applies: () => false }, row({ failed: "model" }))).toBe(false);
    expect([row({ right: 1 }), row({ right: null }), row({ failed: "model" })].map(isScored)).toEqual([
      true,
      false,
      false,
    ]);
    expect(countCell([row({ right: 1 })])).toMatchObject({ text: "1", value: 1, tasks: [{ run: "r", task: "a" }] });
  });

  it("of several runs follow the order of the runs, and are those of a single run themselves", () => {
    const [one, two] = [
      madeRun("x", [
        { task: "a", right: 1 },
        { task: "b", running: true },
      ]),
      madeRun("y", [
        { task: "c", failed: "model" },
        { task: "d", failed: "stopped" },
      ]),
    ];
    expect(endedRowsOf([one, two]).map(({ task }) => task)).toEqual(["a", "c"]);
    expect(endedRowsOf([two])).toBe(endedRows(two.rows));
    expect(endedRowsOf([])).toEqual([]);
  });

  it("form one cluster per task if tasks have several trials", () => {
    const each = ({ score }: Row) => score?.metrics["hits"];
    const made = (task: string, value: number, question?: string) => ({
      ...row({ task, right: 1, metrics: { hits: value } }),
      ...(question !== undefined && { question }),
    });
    const once = [made("a", 0), made("b", 1), made("c", 1)];
    expect(rowsInterval(once, each)).toEqual(intervalOf([0, 1, 1]));
    expect(rowsInterval([...once, row({ task: "d", right: 1 })], each)).toEqual(intervalOf([0, 1, 1]));
    const twice = [...once, made("a", 1)];
    const clustered = [0, 1, 1, 1].map((value, at) => ({ value, cluster: "abca"[at]! }));
    expect(rowsInterval(twice, each)).toEqual(clusteredMean(clustered)!.interval);
    // Different splits may reuse a task's name.
    expect(rowsInterval([...once, made("a", 1, "other")], each)).toEqual(intervalOf([0, 1, 1, 1]));
    const parts = [made("a", 0.25), made("b", 0.5), made("a", 0.75, "other")];
    expect(rowsInterval(parts, each)).toEqual(intervalOf([0.25, 0.5, 0.75]));
    expect(measureInterval({ ...hits, kind: "ratio" } as never, [])).toBeUndefined();
  });
});

describe("groups of tasks", () => {
  it("follow the suite's order, then number or text", () => {
    const sorted = (values: readonly (string | number)[], order: readonly (string | number)[] = []) =>
      values.toSorted(inOrder(order));
    expect(sorted(["hard", "easy", "odd", "even"], ["easy", "hard"])).toEqual(["easy", "hard", "even", "odd"]);
    expect(sorted([10, 9, 1])).toEqual([1, 9, 10]);
    expect(sorted([0.5, 0.25, 3, -1])).toEqual([-1, 0.25, 0.5, 3]);
    // Of two suites with other orders the first one's counts.
    expect(sorted(["b", "a"], ["a", "b", "b", "a"])).toEqual(["a", "b"]);
    expect(sorted(["t10", "t9", 1])).toEqual([1, "t9", "t10"]);
    const of = (task: string, level?: string) => madeRow("r", { task, ...(level && { facets: { level } }) });
    const groups = byFacet([of("a", "hard"), of("b", "easy"), of("c"), of("d", "hard")], "level", ["easy", "hard"]);
    expect([...groups].map(([value, own]) => [value, own.map(({ task }) => task)])).toEqual([
      ["easy", ["b"]],
      ["hard", ["a", "d"]],
    ]);
  });

  it("are labelled by the facets that the rows have, or by all of the suite's facets", () => {
    const plain = madeRun("r", [{ task: "a", right: 1 }]);
    const levels = madeRun("r", [{ task: "a", right: 1, facets: { level: "easy", "code.x": "yes", "code.y": "no" } }]);
    expect(usableFacets([plain])).toEqual(["level", "parallel", "sequential"]);
    expect(usableFacets([plain, levels])).toEqual(["level", "code.x"]);
    expect(groupings([levels])).toEqual(["level", "code.x", "nothing"]);
    expect(groupedBy([levels], "level")).toBe(" by level");
    expect(groupedBy([levels], "nothing")).toBe("");
    expect(facetTitle([levels], "parallel")).toBe("Parallel");
    expect([facetTitle([levels], "nothing"), facetTitle([levels], "odd")]).toEqual(["Tasks", "odd"]);
    expect(facetOrder([levels], "level")).toEqual(["easy", "hard"]);
    expect(facetOrder([levels], "parallel")).toEqual([]);
  });
});

describe("the measures of runs", () => {
  const [right, ratio, waste] = madeSuite.measures;
  const run = (...made: readonly MadeRow[]) => madeRun("r", made);

  it("include each name once, and a suite's `unwrapped` only if a run contains it", () => {
    const one = run({ task: "a", right: 1 });
    expect(measuresOf([one, one]).map(({ name }) => name)).toEqual(madeSuite.measures.map(({ name }) => name));
    const unwrapped = run({ task: "a", right: 1, metrics: { unwrapped: 1 } });
    expect(measuresOf([one, unwrapped]).at(-1)!.name).toBe("unwrapped");
    expect(measureNamed([one], "loose.waste")).toBe(waste);
  });

  it("are known once an ended row has a value; the first known measure is the default", () => {
    const wasteful = run({ task: "a", metrics: { waste: 1 }, right: null });
    expect([right!, ratio!, waste!].map((measure) => isKnown(measure, [wasteful]))).toEqual([false, false, true]);
    expect(firstKnown(madeSuite.measures, [wasteful])).toBe(waste);
    expect(firstKnown(madeSuite.measures, [run()])).toBe(right);
    expect(firstKnown(madeSuite.measures, [run({ task: "a", right: 1, running: true })])).toBe(right);
    expect(isKnown(right!, [run({ task: "a", right: 1, running: true })])).toBe(false);
    expect(isKnown({ ...right!, name: "foreign" }, [run({ task: "a", right: 1 })])).toBe(false);
    expect(isValued({ ...right!, name: "foreign" }, [run(), run({ task: "a", right: 1 })])).toBe(true);
    expect(isValued(right!, [run()])).toBe(false);
    // A sum is computed over a few rows first, then over all.
    const late = (count: number) =>
      run(...Array.from({ length: count }, (_, at) => ({ task: `${at}`, right: 1 })), {
        task: "z",
        right: 1,
        metrics: { hits: 1, tries: 2 },
      });
    expect([0, 19, 20, 21].map((count) => isKnown(ratio!, [late(count)]))).toEqual([true, true, true, true]);
    const never = run(...Array.from({ length: 25 }, (_, at) => ({ task: `${at}`, right: 1 })));
    expect(isKnown(ratio!, [never])).toBe(false);
    expect(isKnown(ratio!, [run({ task: "a", right: 1 })])).toBe(false);
  });

  it("share identical notes", () => {
    const noted = (title: string, note?: string) => ({ title, note }) as unknown as Measure;
    expect(measureNotes([noted("A", "x"), noted("B"), noted("C", "y"), noted("D", "x")])).toEqual(["A, D: x", "C: y"]);
  });
});

describe("the notes on what a figure omits", () => {
  const made = (task: string, more: Partial<MadeRow>): MadeRow => ({ task, ...more });
  const rows = [
    made("a", { right: 1 }),
    made("b", { failed: "model" }),
    made("c", { failed: "model" }),
    made("d", { failed: "stopped" }),
    made("e", { running: true }),
    made("f", { right: null }),
    made("g", { right: 0, failed: "context" }),
  ];

  it("report for each run the tasks that failed, were stopped, are running or have no score", () => {
    const full =
      "r: 1 task ended because a prompt exceeded the model's context, and is scored on the steps before this prompt";
    expect(shortfall([madeRun("r", rows)])).toEqual([
      "r: 2 failed, 1 stopped, 1 still running, 1 could not be scored; these tasks have no score and are left out",
      full,
    ]);
    expect(shortfall([madeRun("r", rows, { isAtRest: true })])).toEqual([
      "r: 2 failed, 2 stopped, 1 could not be scored; these tasks have no score and are left out",
      full,
    ]);
    expect(shortfall([madeRun("r", rows)], { failed: "as wrong", unscored: "apart" })).toEqual([
      "r: 2 failed; as wrong",
      "r: 1 stopped, 1 still running; these tasks have no score and are left out",
      "r: 1 could not be scored; apart",
      full,
    ]);
    expect(shortfall([madeRun("r", rows)], { stopped: "in sums" })[1]).toBe("r: 1 stopped; in sums");
    expect(shortfall([madeRun("r", rows.slice(0, 1))])).toEqual([]);
  });

  it("report pooled trials and corrections by a person", () => {
    const trials = { ...madeRun("r", []), rows: ["x", "y"].flatMap((id) => madeRun(id, rows.slice(0, 1)).rows) };
    expect(shortfall([trials])).toEqual(["r: 2 trials pooled; intervals are clustered by task"]);
    const corrected = (changed: number, overridden: number) => {
      const row = madeRow("r", {
        task: "a",
        right: 0,
        errors: ["app", "key"],
        metrics: { "errors.overridden": overridden },
      });
      const errors = row.score!.errors.map((error, at) => (at < changed ? { ...error, override: {} as never } : error));
      return overruled([{ ...madeRun("r", []), rows: [{ ...row, score: { ...row.score!, errors } }] }]);
    };
    expect(corrected(0, 0)).toEqual([]);
    expect(corrected(1, 1)).toEqual(["r: labels corrected by a person: 1 of 2 errors"]);
    expect(corrected(1, 3)).toEqual(["r: labels corrected by a person: 3 of 4 errors, 2 of them to `no mistake`"]);
  });
});
