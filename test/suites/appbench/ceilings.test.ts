import { beforeAll, describe, expect, test } from "vitest";
import { difficulty } from "../../../analyses/difficulty.ts";
import { overview } from "../../../analyses/overview.ts";
import { scale } from "../../../analyses/scale.ts";
import type { BarsFigure, Figure, GridFigure } from "../../../source/engine/figure.ts";
import type { AppTask } from "../../../suites/appbench/data/gold.ts";
import type { LoadedSuite } from "../../../source/engine/loaded-suite.ts";
import type { Row } from "../../../source/engine/types.ts";
import { describePublished } from "../../shared.ts";
import { emptyRun, openPublished, percent, perfectAnswer, rowOf, scoreAnswer } from "./sample-rows.ts";

const measuresByMode = {
  official: [
    "official.f1-app",
    "official.f1-api",
    "official.success",
    "official.em-app",
    "official.em-api",
    "official.argument-em",
  ],
  analysis: ["analysis.f1-app", "analysis.f1-api"],
  paper: ["paper.f1-app", "paper.f1-api", "paper.success", "paper.em-app", "paper.em-api", "paper.argument-em"],
};

describePublished("perfect plans for all published tasks", () => {
  let loaded: LoadedSuite<AppTask, "stages">;
  let rows: Row[];
  const of = (category: string) => rows.filter((row) => row.facets["category"] === category);
  const numbers = (category: string, mode: keyof typeof measuresByMode) =>
    measuresByMode[mode].map((name) => percent(name, of(category)));

  beforeAll(async () => {
    loaded = await openPublished();
    rows = [];
    for (const task of await loaded.tasks("all")) {
      rows.push(rowOf(task, await scoreAnswer(loaded, task, perfectAnswer(loaded, task))));
    }
  });

  test("exist for all 801 tasks", () => {
    expect(["SS", "SM", "MS", "MM"].map((category) => of(category).length)).toEqual([200, 200, 201, 200]);
  });

  test.each([
    ["SS", [100, 100, 100, 100, 100, 100]],
    ["SM", [45.15, 45.15, 100, 100, 100, 83.07]],
    ["MS", [36.61, 36.61, 100, 100, 100, 100]],
    ["MM", [27.47, 27.43, 99.5, 100, 99.5, 86.68]],
  ])(
    "%s: reach the published ceilings of official F1 app, F1 API, Succ, EM app, EM API and argument EM",
    (category, expected) => {
      expect(numbers(category, "official")).toEqual(expected);
    },
  );

  test.each([
    ["SS", [100, 100]],
    ["SM", [46.5, 85.08]],
    ["MS", [100, 100]],
    ["MM", [65.02, 89.29]],
  ])("%s: have a lower macro F1 of apps and APIs in analysis mode if names repeat", (category, expected) => {
    expect(numbers(category, "analysis")).toEqual(expected);
  });

  test.each([
    ["SS", [100, 100, 100, 100, 100, 100]],
    ["SM", [100, 100, 100, 100, 100, 100]],
    ["MS", [100, 100, 100, 100, 100, 100]],
    // The calls of mm-010 cannot be distinguished by app: 5 of 726.
    ["MM", [100, 99.86, 99.5, 100, 99.5, 99.31]],
  ])("%s: get full marks in paper mode", (category, expected) => {
    expect(numbers(category, "paper")).toEqual(expected);
  });

  describe("the ceilings on the scale map", () => {
    const mapOf = (of: readonly Row[], chosen?: string) => {
      const run = { ...emptyRun, rows: of };
      const { measures } = scale.choices([run]);
      const [figure] = scale.compute([run], { measures: chosen ?? measures![0]! }) as [GridFigure];
      return {
        measures: chosen ?? measures![0]!,
        figure,
        cells: figure.cells.flat().filter((cell) => cell !== undefined),
      };
    };

    test("are 100 in every cell except the cell of mm-010", () => {
      const { measures, cells } = mapOf(rows);
      expect(measures).toBe("paper.argument-em");
      const short = cells.filter(({ value }) => value !== 1);
      expect(short.length).toBe(1);
      expect(short[0]!.tasks!.map(({ task }) => task)).toContain("mm-010");
      const others = mapOf(rows.filter(({ task }) => task !== "mm-010"));
      expect(others.cells.map(({ text }) => text)).toEqual(others.cells.map(() => "100.00"));
      expect(others.figure.notes).toContain("A perfect plan gets 100 in every cell");
    });

    test("equal the ceiling of every cell in official mode, which falls with the scale", () => {
      const { figure, cells } = mapOf(rows, "official.argument-em");
      expect(figure.x.ticks.slice(0, 1)).toEqual(["1"]);
      const first = figure.cells[0]!.map((cell, index) => [figure.x.ticks[index], cell?.text] as const);
      const whole = first.filter(([tick, text]) => /^[1-5]$/.test(tick!) && text !== undefined);
      expect(whole.map(([, text]) => text)).toEqual([
        "100/100 100%",
        "90.9/90.9 100%",
        "82.7/82.7 100%",
        "70/70 100%",
        "40/40 100%",
      ]);
      for (const { value, ceiling } of cells) expect(value).toBe(ceiling);
    });
  });

  describe("the ceilings as bars", () => {
    const barsOf = (figures: readonly Figure[]) =>
      figures.find((figure): figure is BarsFigure => figure.kind === "bars")!;

    test("equal the ceiling of every category in official mode", () => {
      const run = { ...emptyRun, rows };
      const figures = difficulty.compute([run], { by: "category" }, { measures: ["official.f1-app"] });
      const { bars } = barsOf(figures);
      expect(bars.map(({ label, cell }) => [label, cell.text, cell.ceiling === cell.value])).toEqual([
        ["SS", "100.00", false],
        ["SM", "45.15", true],
        ["MS", "36.61", true],
        ["MM", "27.47", true],
        ["all", "41.72", true],
      ]);
      expect(bars[0]!.cell.ceiling).toBe(undefined);
    });

    test("are not drawn if a perfect plan scores 100", () => {
      const run = { ...emptyRun, rows: of("SS") };
      const { bars } = barsOf(overview.compute([run], { mode: "official" }));
      expect(bars.map(({ cell }) => [cell.text, cell.ceiling])).toEqual([["100.00", undefined]]);
    });
  });

  test("have a mistake only in the task that has more call texts than apps: two calls are missing", () => {
    const faulty = rows.filter((row) => row.score!.errors.length > 0);
    expect(faulty.map((row) => row.task)).toEqual(["mm-010"]);
    expect(faulty[0]!.score!.errors.map((error) => [error.kind, error.step])).toEqual([
      ["missing-api", 5],
      ["missing-api", 6],
    ]);
    expect(
      rows.filter((row) => row.score!.checks.some((check) => check.kept === false)).map((row) => row.task),
    ).toEqual(["mm-010"]);
  });

  test("have facets that equal the specification's counts", () => {
    const sum = (category: string, facet: string) =>
      of(category).reduce((total, row) => total + Number(row.facets[facet]), 0);
    const categories = ["SS", "SM", "MS", "MM"];
    expect(categories.map((category) => sum(category, "calls"))).toEqual([200, 443, 549, 728]);
    expect(categories.map((category) => sum(category, "references"))).toEqual([0, 1079, 107, 1186]);
    expect(categories.map((category) => Math.round((sum(category, "apps") / of(category).length) * 100) / 100)).toEqual(
      [1, 1, 2.73, 2.37],
    );
    expect(
      categories.map((category) => Math.max(...of(category).map((row) => Number(row.facets["parallel"])))),
    ).toEqual([1, 1, 4, 4]);
  });

  test("match their reference step by step when drawn next to it", async () => {
    for (const task of await loaded.tasks("all")) {
      if (task.id === "mm-010") continue;
      const { reference, plan, matches } = loaded.describe!(task, perfectAnswer(loaded, task));
      expect(plan, task.id).toEqual(reference);
      expect(matches, task.id).toHaveLength(reference.length);
      for (const [left, right] of matches) expect(plan[right], task.id).toEqual(reference[left]);
      expect(loaded.describe!(task, undefined).plan).toEqual([]);
    }
  });
});
