import { expect, test } from "vitest";
import { lineText, lineWidth } from "../../../source/engine/figures/drawing/line.ts";
import type { Figure } from "../../../source/engine/figure.ts";
import { titleLine, titleLines } from "../../../source/terminal/notebook/figure-title.ts";

const run = "builtin/slips?rate=0.2, hierarchical";
const figure: Figure = {
  kind: "table",
  title: `Argument EM by scale: ${run}`,
  columns: [],
  rows: [],
  notes: ["a", "b"],
};
const title = (room?: number) => titleLine(figure, ["[1]"], (label) => (label === run ? 0 : undefined), room);

test("a title has the marks of warnings and the number of notes behind it", () => {
  expect(lineText(title())).toBe(`Argument EM by scale: ${run} [1]  3 notes`);
});

test("where there is little room what is measured and the run are cut, not what stands behind them", () => {
  expect(lineText(title(60))).toBe("Argument EM by scale: builtin/slip…hierarchical [1]  3 notes");
  for (const room of [30, 45, 60]) {
    expect(lineWidth(title(room))).toBeLessThanOrEqual(room);
    expect(lineText(title(room))).toMatch(/ \[1\] {2}3 notes$/);
  }
});

test("in the notebook it takes the lines it needs, and the number of its notes stays beside their name", () => {
  const lines = (columns: number) =>
    titleLines(figure, ["[1]"], (label) => (label === run ? 0 : undefined), columns).map(lineText);
  expect(lines(80)).toEqual([`Argument EM by scale: ${run} [1]  3 notes`]);
  expect(lines(66)).toEqual([`Argument EM by scale: ${run} [1]`, "3 notes"]);
  expect(lines(50).at(-1)).toBe("hierarchical [1]  3 notes");
});
