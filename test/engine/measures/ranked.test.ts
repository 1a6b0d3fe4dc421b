import { describe, expect, it } from "vitest";
import type { Cell } from "../../../source/engine/figure.ts";
import { effortMeasures } from "../../../source/engine/measures/effort.ts";
import { ranked, taskClasses } from "../../../source/engine/measures/ranked.ts";
import { madeRow, madeSuite } from "../../analyses/made-run.ts";

const [right, , waste] = madeSuite.measures;
const cell = (value: number | undefined, more: Partial<Cell> = {}): Cell => ({
  text: value === undefined ? "-" : value.toFixed(1),
  ...(value !== undefined && { value }),
  ...more,
});
const line = (cells: readonly Cell[], of: string | undefined = "0") => ({ class: of, cells });
const ranks = (lines: Parameters<typeof ranked>[0], measures = [right!]) =>
  ranked(lines, measures).map((cells) => cells.map(({ rank }) => rank ?? 0).join(""));

describe("the best and second best of a column", () => {
  it("are the highest values, or the lowest if lower is better", () => {
    const lines = [
      [0.5, 0.5],
      [0.9, 0.9],
      [0.1, 0.1],
      [0.7, 0.7],
    ].map((values) => line(values.map((value) => cell(value))));
    expect(ranks(lines, [right!, waste!])).toEqual(["02", "10", "01", "20"]);
  });

  it("include values that are displayed as equal; the next value after two equal values is second", () => {
    expect(ranks([0.91, 0.93, 0.5, 0.49].map((value) => line([cell(value)])))).toEqual(["1", "1", "2", "2"]);
  });

  it("are undefined if all values are equal, or if only one cell has a value", () => {
    expect(ranks([0.5, 0.5].map((value) => line([cell(value)])))).toEqual(["0", "0"]);
    expect(ranks([0.5, undefined].map((value) => line([cell(value)])))).toEqual(["0", "0"]);
  });

  it("exclude cells of few tasks, and effort", () => {
    const lines = [line([cell(0.9, { faint: true })]), line([cell(0.5)]), line([cell(0.4)])];
    expect(ranks(lines)).toEqual(["0", "1", "2"]);
    const [calls] = effortMeasures([]);
    expect(ranks([line([cell(1)]), line([cell(2)])], [calls!])).toEqual(["0", "0"]);
  });

  it("are ranked only among rows of one class", () => {
    const lines = [0.9, 0.8, 0.2, 0.1].map((value, at) => line([cell(value)], at < 2 ? "0" : "1"));
    expect(ranks(lines)).toEqual(["1", "2", "1", "2"]);
    expect(ranks([{ class: undefined, cells: [cell(0.9)] }, line([cell(0.5)]), line([cell(0.4)])])).toEqual([
      "0",
      "1",
      "2",
    ]);
  });
});

describe("the class in which a row of a table is ranked", () => {
  const rows = (...tasks: readonly string[]) => tasks.map((task) => madeRow("r", { task, right: 1 }));

  it("is the same for rows of the same group and the same tasks, in any order and with any number of trials", () => {
    expect(
      taskClasses([
        { group: "easy", rows: rows("a", "b") },
        { group: "easy", rows: rows("b", "a") },
        { group: "easy", rows: rows("a", "b", "a", "b") },
        { group: "easy", rows: rows("a") },
        { group: "hard", rows: rows("a", "b") },
        { group: "easy", rows: rows("a", "c") },
        { group: "hard", rows: rows("a", "b") },
        { group: "easy" },
      ]),
    ).toEqual(["0", "0", "0", "1", "2", "3", "2", undefined]);
  });

  it("distinguishes tasks with the same id by their questions", () => {
    const other = rows("a").map((row) => ({ ...row, question: "other" }));
    expect(
      taskClasses([
        { group: "", rows: rows("a") },
        { group: "", rows: other },
      ]),
    ).toEqual(["0", "1"]);
  });
});
