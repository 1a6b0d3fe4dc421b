import { describe, expect, it } from "vitest";
import type { Cell, Figure } from "../../../source/engine/figure.ts";
import { CellsByTask, filledText } from "../../../source/engine/measures/filled-share.ts";
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
const scoredRow = (task: string) => ({ task, state: "scored" as const });
const share = (figure: Figure, scored: readonly string[]) =>
  new CellsByTask([figure]).shares(new Map([["r", scored.map(scoredRow)]]))[0];

describe("the filled share of a figure", () => {
  it("counts the cells in columns of numbers, and which of them are complete or begun", () => {
    const rows = [
      [cell("z"), cell("a", "b"), cell("a", "z")],
      [cell("a"), cell("z"), cell()],
      [cell("a"), { ...cell("a"), reported: true }, cell("a")],
    ];
    expect(share(table(rows), ["a", "b"])).toEqual({ title: "T", cells: 4, filled: 2, begun: 1 });
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
    expect(share(map, ["a", "b"])).toEqual({ title: "M", cells: 1, filled: 1, begun: 0 });
    const bars: Figure = { kind: "bars", title: "B", notes: [], unit: "", bars: [{ label: "r", cell: cell("a") }] };
    expect(share(bars, ["a", "b"])).toBeUndefined();
    expect(share(table([[cell("a"), cell(), cell()]]), ["a", "b"])).toBeUndefined();
  });

  it("is counted anew from the scored tasks given, each in the cells of its own run", () => {
    const cells = new CellsByTask([
      table([[cell("z"), cell("a"), cell("a", "b")]]),
      table([[cell(), cell("b"), cell()]]),
    ]);
    const filledOf = (scored: readonly (readonly [string, readonly string[]])[]) =>
      cells
        .shares(new Map(scored.map(([run, tasks]) => [run, tasks.map(scoredRow)])))
        .map(({ filled, begun }) => [filled, begun]);
    expect(filledOf([["r", ["a"]]])).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect(filledOf([["r", ["a", "b", "c"]]])).toEqual([
      [2, 0],
      [1, 0],
    ]);
    expect(
      filledOf([
        ["other", ["a", "b"]],
        ["r", ["b"]],
      ]),
    ).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(filledOf([])).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("reads the tasks of a figure once, however often its share is counted", () => {
    let read = 0;
    const tasks = Array.from({ length: 50 }, (_, index) => ({
      run: "r",
      get task() {
        read += 1;
        return `t${index}`;
      },
    }));
    const cells = new CellsByTask([table([[cell("z"), { text: "", tasks }, { text: "", tasks }]])]);
    expect(read).toBe(50);
    expect(cells.shares(new Map([["r", [scoredRow("t0")]]]))).toEqual([{ title: "T", cells: 2, filled: 0, begun: 2 }]);
    expect(read).toBe(50);
  });

  it("is shown in whole percent, rounded down", () => {
    expect(filledText({ title: "T", cells: 3, filled: 2, begun: 0 })).toBe("T: 2 of 3 cells filled (66 %)");
    expect(filledText({ title: "T", cells: 8, filled: 7, begun: 1 })).toBe(
      "T: 7 of 8 cells filled (87 %), 1 partly filled",
    );
    expect(filledText({ title: "T", cells: 2, filled: 2, begun: 0 })).toBe("T: 2 of 2 cells filled (100 %)");
  });

  it("counts no task without a score, and no task of another run", () => {
    const cells = new CellsByTask([table([[cell("z"), cell("a"), cell("a", "b")]])]);
    const failed = { task: "a", state: "failed" as const };
    const running = { task: "b", state: "running" as const };
    expect(cells.shares(new Map([["r", [failed, running]]]))).toMatchObject([{ filled: 0, begun: 0 }]);
    expect(cells.shares(new Map([["s", [scoredRow("a")]]]))).toMatchObject([{ filled: 0, begun: 0 }]);
    expect(cells.shares(new Map([["r", [failed, scoredRow("b")]]]))).toMatchObject([{ filled: 0, begun: 1 }]);
  });
});
