/** The columns of PlanningArena's tables, and what is said about rows that a paper reports. */
import { describe, expect, it } from "vitest";
import {
  checkColumns,
  columnChoices,
  columnsOf,
  hasChecks,
  reportedNotes,
  tableColumns,
} from "../../analyses/plan-checks.ts";
import type { RunRows } from "../../source/engine/analysis.ts";
import { meanMeasure } from "../../source/engine/measures/measure.ts";
import type { Reported, Suite } from "../../source/engine/suite.ts";
import { bareSpec } from "../bare-spec.ts";

const measures = ["SC", "extra", ...tableColumns.filter((name) => name !== "SC")].map((name, at) =>
  meanMeasure(name, { name, title: name.toUpperCase(), mode: at === 1 ? "other" : "checks" }),
);
const run = (own: typeof measures): RunRows => ({
  run: "a",
  label: "a",
  rows: [],
  reported: { values: [], tables: [] },
  warnings: [],
  readsAnswerKey: false,
  suite: { name: "made", strategies: [], measures: own, facets: [], options: [] } as unknown as Suite,
  spec: bareSpec("made"),
});

describe("the columns of plan checks", () => {
  it("exist only for a benchmark with every one of them", () => {
    expect([hasChecks(run(measures)), hasChecks(run(measures.slice(1)))]).toEqual([true, false]);
  });

  it("are in the paper's order, or those of one mode", () => {
    expect(columnsOf([run(measures)], "table").map(({ name }) => name)).toEqual(tableColumns);
    expect(columnsOf([run(measures)], "other").map(({ name }) => name)).toEqual(["extra"]);
    expect(columnChoices([run(measures), run([])])).toEqual(["table", "checks", "other"]);
  });

  it("are under the paper's groups of checks", () => {
    const under = checkColumns(columnsOf([run(measures)], "table")).map(({ title, under: heads }) => [title, heads]);
    expect(under).toEqual([
      ["RESULT", undefined],
      ["PGR", undefined],
      ...["SC", "SR", "TD"].map((name) => [name, ["LPR"]]),
      ...["FD-APP", "OSC", "FD-API", "PC", "TR"].map((name) => [name, ["SMAR"]]),
    ]);
  });
});

describe("the notes of reported rows", () => {
  const value = (row: string, caveat?: string) =>
    ({ row, measure: "m", value: 1, source: "s", where: {}, ...(caveat && { caveat }) }) as Reported;

  it("name each reason once: first those of all rows, then those of some with their rows", () => {
    expect(reportedNotes([value("x"), value("y")])).toEqual([]);
    expect(reportedNotes([value("x", "other tasks"), value("x", "other tasks"), value("y", "other tasks")])).toEqual([
      "The paper's rows are not comparable with the measured rows: other tasks",
    ]);
    expect(
      reportedNotes([value("x", "other tasks; a judge"), value("y", "a judge"), value("z", "a judge; old")]),
    ).toEqual(["The paper's rows are not comparable with the measured rows: a judge", "x: other tasks", "z: old"]);
    expect(reportedNotes([value("x", "old"), value("y", "old"), value("z")])).toEqual([
      "The paper's rows are not comparable with the measured rows",
      "x, y: old",
    ]);
  });
});
