/** Titles that neighbouring columns of a table share, and the mark of a row that a paper reports. */
import { describe, expect, it } from "vitest";
import type { TableColumn } from "../../../source/engine/figure.ts";
import { columnHeads, columnName, foldedTitle, markedOnce } from "../../../source/engine/figures/column-heads.ts";

const column = (title: string, ...under: readonly string[]): TableColumn => ({
  title,
  align: "right",
  ...(under.length > 0 && { under }),
});

describe("the heads of columns", () => {
  it("do not exist if no column has a title above its own", () => {
    expect(columnHeads([column("a"), column("b")])).toEqual([]);
    expect(columnHeads([])).toEqual([]);
  });

  it("cover neighbours with the same title, and each column without one alone", () => {
    const columns = [
      column("Model"),
      column("a", "Easy"),
      column("b", "Easy"),
      column("a", "Hard"),
      column("n"),
      column("m"),
    ];
    expect(columnHeads(columns)).toEqual([
      [
        { title: "", from: 0, count: 1 },
        { title: "Easy", from: 1, count: 2 },
        { title: "Hard", from: 3, count: 1 },
        { title: "", from: 4, count: 1 },
        { title: "", from: 5, count: 1 },
      ],
    ]);
  });

  it("are the outermost first, and separate equal titles under different outer titles", () => {
    const columns = [
      column("a", "Easy", "F1"),
      column("b", "Easy", "F1"),
      column("c", "Hard", "F1"),
      column("d", "Hard"),
    ];
    expect(columnHeads(columns)).toEqual([
      [
        { title: "Easy", from: 0, count: 2 },
        { title: "Hard", from: 2, count: 2 },
      ],
      [
        { title: "F1", from: 0, count: 2 },
        { title: "F1", from: 2, count: 1 },
        { title: "", from: 3, count: 1 },
      ],
    ]);
  });

  it("are part of a column's name", () => {
    expect([columnName(column("a", "Easy", "F1")), columnName(column("a"))]).toEqual(["Easy F1 a", "a"]);
  });
});

describe("a title", () => {
  it("is folded at its words to 14 columns, to the widest text below it, or to its longest word", () => {
    const title = "Share of right tool calls";
    expect(foldedTitle(title, 4)).toEqual(["Share of right", "tool calls"]);
    expect(foldedTitle(title, 15)).toEqual(["Share of right", "tool calls"]);
    expect(foldedTitle(title, 19)).toEqual(["Share of right tool", "calls"]);
    expect(foldedTitle(title, 25)).toEqual([title]);
    expect(foldedTitle("Fourteen signs", 0)).toEqual(["Fourteen signs"]);
    expect(foldedTitle("Fifteen letters", 0)).toEqual(["Fifteen", "letters"]);
    expect(foldedTitle("Overgeneralisation of it", 0)).toEqual(["Overgeneralisation", "of it"]);
  });
});

describe("the mark of reported cells", () => {
  const reported = (text: string) => ({ text, reported: true });

  it("is on the first cell alone if all cells are reported or empty", () => {
    const row = markedOnce([reported("GPT-4"), reported("0.5"), { text: "" }, reported("0.7")]);
    expect(row.map((cell) => cell.reported)).toEqual([true, false, false, false]);
    expect(row.map(({ text }) => text)).toEqual(["GPT-4", "0.5", "", "0.7"]);
  });

  it("stays on each reported cell if another one has a value of its own", () => {
    const row = [reported("GPT-4"), { text: "0.5" }, reported("0.7")];
    expect(markedOnce(row)).toBe(row);
  });
});
