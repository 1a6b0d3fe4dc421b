/** A table of hundreds of thousands of rows is drawn without looking at all of them. */
import { describe, expect, it } from "vitest";
import { chartOf, mostBars } from "../../../source/engine/figures/chart-of.ts";
import { figureParts, textFormats } from "../../../source/engine/figures/export-figure.ts";
import { figureJson } from "../../../source/engine/figures/figure-json.ts";
import { figureSvg } from "../../../source/engine/figures/figure-svg.ts";
import { drawFigure, signTexts } from "../../../source/engine/figures/drawing/draw-figure.ts";
import { lineText } from "../../../source/engine/figures/drawing/line.ts";
import { prepared, lookedThrough } from "../../../source/engine/figures/prepared-figure.ts";
import { wantedColumns } from "../../../source/engine/figures/drawing/wanted-columns.ts";
import type { Cell, TableFigure } from "../../../source/engine/figure.ts";
import { jsonText } from "../../../source/engine/text/json-text.ts";

/** More than the arguments of one call. */
const tasks = 150_000;

/** The tasks on which two runs differ, and a count of the cells read since the last call. */
function large(): { readonly figure: TableFigure; looked(): number } {
  let count = 0;
  const seen = (text: string, more: Partial<Cell> = {}): Cell =>
    Object.defineProperty({ text, ...more }, "text", { enumerable: true, get: () => ((count += 1), text) });
  const share = (value: number) => seen((value * 100).toFixed(2), { value });
  const figure: TableFigure = {
    kind: "table",
    title: "Tasks whose Succ differs",
    columns: [
      { title: "Task", align: "left" },
      { title: "one", align: "right" },
      { title: "other", align: "right" },
      { title: "Question", align: "left" },
    ],
    rows: Array.from({ length: tasks }, (_, index) => [
      seen(`lab/t${index}`),
      share(index % 2),
      share((index + 1) % 2),
      seen(index === tasks - 1 ? "What is the longest question of them all, by far and away?" : "What now?"),
    ]),
    notes: [],
  };
  const looked = () => {
    const before = count;
    count = 0;
    return before;
  };
  return { figure, looked };
}

describe("a table of very many rows", () => {
  const { figure, looked } = large();

  it.each(textFormats.filter((format) => format !== "vega"))("is written as %s, a few rows at a time", (format) => {
    const some = { ...figure, rows: figure.rows.slice(0, 5_000) };
    looked();
    let [most, all] = [0, 0];
    const parts = figureParts(some, format);
    looked();
    for (const _ of parts) {
      const now = looked();
      most = Math.max(most, now);
      all += now;
    }
    expect(all).toBeGreaterThanOrEqual(5_000 * 4);
    // Reads a thousand rows at a time, some cells twice; a picture reads each cell of its fewer rows several times.
    expect(most).toBeLessThanOrEqual(1000 * 4 * 3);
  });

  it("has the same JSON if it is written in parts or at once, also for the tasks behind one cell", () => {
    const refs = Array.from({ length: 450 }, (_, index) => ({ run: "r", task: `t"${index}\n\u001b` }));
    const cell: Cell = { text: "1", value: 1, tasks: refs, reported: true };
    const rows = [
      [cell],
      [],
      ...Array.from({ length: 401 }, (_, at): Cell[] => [{ text: `${at}`, value: Number.NaN }]),
    ];
    const table: TableFigure = { ...figure, rows, columns: [], drawsTable: undefined! };
    const known = `${jsonText({ warnings: [], ...(figureJson(table) as object) }, 2)}\n`;
    expect([...figureParts(table, "json")].join("")).toBe(known);
  });

  it("draws its visible rows at the width that all rows need, after one pass, at any cursor position", () => {
    lookedThrough([figure]);
    looked();
    expect(wantedColumns(figure, false)).toBe(4 * 2 + 11 + 6 + 6 + 48);
    expect(signTexts(figure, { ascii: false })).toEqual(["values in %"]);
    for (const row of [0, tasks >> 1, tasks - 1]) {
      const { body } = drawFigure(figure, {
        width: 60,
        ascii: false,
        at: { row, column: 1 },
        window: [row - 20, row + 21],
      });
      expect(body).toHaveLength(tasks);
      expect(lineText(body[row]!)).toContain(`lab/t${row}`);
      expect(prepared(figure).stops.row(row)[1]).toMatchObject({ label: `lab/t${row}, one` });
    }
    expect(looked()).toBeLessThanOrEqual(3 * 41 * 4 * 3);
  });

  it("has no bar chart, and shows every task; the longest question is cut in the middle", () => {
    expect(mostBars).toBeLessThan(tasks);
    expect(chartOf(figure, { row: 0, column: 1 })).toBeUndefined();
    const { body } = drawFigure(figure, { width: 200, ascii: false });
    expect(lineText(body.at(-1)!)).toMatch(/What is the longest.*far and away\?/);
  });

  it("is drawn with all its rows in a picture", () => {
    const rows = Array.from({ length: tasks }, (_, index) => [{ text: `t${index}` }]);
    const picture = figureSvg({ ...figure, columns: [{ title: "Task", align: "left" }], rows }, []);
    expect(picture.includes(`t${tasks - 1}</text>`)).toBe(true);
  });

  it("looks the same without an earlier pass", () => {
    const few = { ...figure, rows: figure.rows.slice(0, 600) };
    const drawn = (of: TableFigure) => drawFigure(of, { width: 70, ascii: true }).body.map(lineText);
    const before = drawn(few);
    const again = { ...few };
    lookedThrough([again]);
    expect(drawn(again)).toEqual(before);
  });
});
