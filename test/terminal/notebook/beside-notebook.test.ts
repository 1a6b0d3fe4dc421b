/** The pane next to the notebook in a wide window follows the cell under the cursor. */
import { describe, expect, it } from "vitest";
import type { CellState, SessionCell } from "../../../source/engine/workbench/workbench.ts";
import { besideNotebook } from "../../../source/terminal/notebook/beside-notebook.ts";
import { openDouble, runState } from "../double-workbench.ts";

const note: CellState = { kind: "note", problems: [] };
const drawn = openDouble().state("c3");
const empty = { ...(drawn as Extract<CellState, { kind: "analysis" }>), figures: [] };
const runs = (...totals: readonly number[]): CellState => ({
  kind: "run",
  problems: [],
  runs: totals.map((total, at) => runState({ run: `r${at}`, total })),
});

/** Opens a notebook of these cells, with the cursor at the given position. */
function beside(states: readonly CellState[], at: number) {
  const cells = states.map(({ kind }, index): SessionCell => ({
    id: `c${index}`,
    kind,
    name: `n${index}`,
    source: "",
  }));
  return besideNotebook(cells, new Map(states.map((state, index) => [`c${index}`, state])), cells[at]);
}
const tasks = (at: number, ...of: readonly string[]) => ({
  kind: "tasks",
  title: `run n${at}`,
  tasks: { cell: `c${at}`, runs: of },
});
const figure = (at: number) => ({ kind: "figure", cell: `c${at}`, figure: 0 });

describe("the pane next to a notebook", () => {
  const all = [note, runs(31, 31), drawn, note, runs(5), empty];

  it("shows the selected cell: the tasks of its runs, or its first figure", () => {
    expect(beside(all, 1)).toEqual(tasks(1, "r0", "r1"));
    expect(beside(all, 2)).toEqual(figure(2));
    expect(beside(all, 4)).toEqual(tasks(4, "r0"));
  });

  it("shows the figure of the next cell that has one, or of the last such cell before", () => {
    expect(beside(all, 0)).toEqual(tasks(1, "r0", "r1"));
    expect(beside(all, 3)).toEqual(tasks(4, "r0"));
    expect(beside(all, 5)).toEqual(tasks(4, "r0"));
    expect(beside([note, empty, drawn, note], 3)).toEqual(figure(2));
  });

  it("omits lists that take long to read unless they are open, and lists without a count", () => {
    expect(beside([runs(2_500, 2_500), drawn], 0)).toEqual(tasks(0, "r0", "r1"));
    expect(beside([runs(2_500, 2_501), drawn], 0)).toEqual(figure(1));
    expect(beside([runs(0), drawn], 0)).toEqual(figure(1));
  });

  it("shows all keys if no run has started", () => {
    expect(beside([], 0)).toEqual({ kind: "help", scope: "notebook" });
    expect(beside([note, empty], 0)).toEqual({ kind: "help", scope: "notebook" });
    expect(beside([runs()], 0)).toEqual({ kind: "help", scope: "notebook" });
  });
});
