import { describe, expect, it } from "vitest";
import type { Cell, Figure } from "../../../source/engine/figure.ts";
import { filledShare, filledText } from "../../../source/engine/measures/filled-share.ts";
import { at } from "../../analyses/made-run.ts";

const cell = (...tasks: readonly string[]): Cell => ({ text: "", tasks: at("r", ...tasks) });
const table = (rows: readonly (readonly Cell[])[]): Figure => ({
  kind: "table",
  title: "T",
  notes: [],
  columns: [
    { title: "Model", align: "left" },
    { title: "A", align: "right" },
    { title: "B", align: "right" },
  ],
  rows,
});
const isScored = ({ task }: { readonly task: string }) => task < "m";

describe("the filled share of a figure", () => {
  it("counts the cells in columns of numbers, and which of them are complete or begun", () => {
    const rows = [
      [cell("z"), cell("a", "b"), cell("a", "z")],
      [cell("a"), cell("z"), cell()],
      [cell("a"), { ...cell("a"), reported: true }, cell("a")],
    ];
    expect(filledShare(table(rows), isScored)).toEqual({ title: "T", cells: 4, filled: 2, begun: 1 });
  });

  it("counts only the cells inside a map, and is absent if no cell can be counted", () => {
    const map: Figure = {
      kind: "grid",
      title: "M",
      notes: [],
      x: { label: "x", ticks: ["1", "2"] },
      y: { label: "y", ticks: ["1"] },
      cells: [[cell("a"), undefined]],
      range: [0, 1],
      unit: "percent",
    } as unknown as Figure;
    expect(filledShare(map, isScored)).toEqual({ title: "M", cells: 1, filled: 1, begun: 0 });
    const bars: Figure = { kind: "bars", title: "B", notes: [], unit: "", bars: [{ label: "r", cell: cell("a") }] };
    expect(filledShare(bars, isScored)).toBeUndefined();
    expect(filledShare(table([[cell("a"), cell(), cell()]]), isScored)).toBeUndefined();
  });

  it("is shown in whole percent, rounded down", () => {
    expect(filledText({ title: "T", cells: 3, filled: 2, begun: 0 })).toBe("T: 2 of 3 cells filled (66 %)");
    expect(filledText({ title: "T", cells: 8, filled: 7, begun: 1 })).toBe("T: 7 of 8 cells filled (87 %), 1 in part");
    expect(filledText({ title: "T", cells: 2, filled: 2, begun: 0 })).toBe("T: 2 of 2 cells filled (100 %)");
  });
});
