import { expect, it } from "vitest";
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import { boundedCell, measureCell, printedCell } from "../../../source/engine/measures/measure-cell.ts";
import type { Cell, Figure } from "../../../source/engine/figure.ts";
import { figureText } from "../../../source/engine/figures/figure-text.ts";
import { briefInterval, intervalText } from "../../../source/engine/figures/interval-text.ts";
import { exportFigure } from "../figures/exported-figure.ts";
import { madeRow } from "../../analyses/made-run.ts";

const hits = meanMeasure("hits", { name: "hits", title: "Hits", mode: "m" });
const rows = [madeRow("r", { task: "a", right: 1, metrics: { hits: 1 } })];

it("shows the score of perfect answers if it is below the maximum", () => {
  expect(measureCell({ ...hits, ceiling: () => 0.9 }, rows)).toMatchObject({ value: 1, ceiling: 0.9 });
  expect(measureCell({ ...hits, ceiling: () => 1 }, rows)).not.toHaveProperty("ceiling");
  expect(measureCell(hits, rows)).not.toHaveProperty("ceiling");
  expect(measureCell({ ...hits, ceiling: () => 0.9 }, [])).not.toHaveProperty("ceiling");
});

it("shows a printed value as a share, a lost one as lost and a missing one as a dash", () => {
  expect(printedCell(83.2)).toEqual({ text: "83.2", value: 0.832, reported: true });
  expect(printedCell(3, "number")).toEqual({ text: "3", value: 3, reported: true });
  expect(printedCell("lost")).toEqual({ text: "lost", reported: true });
  expect(printedCell(undefined)).toEqual({ text: "-", reported: true });
});

it("marks the interval of a measure whose intervals cover too little, in text, tables and bars", () => {
  const measures = [hits, { ...hits, rough: true as const }];
  const values = Array.from({ length: 10 }, (_, at) =>
    madeRow("r", { task: `${at}`, right: 1, metrics: { hits: at / 10 } }),
  );
  const [plain, rough] = measures.map((measure) => boundedCell(measure, values));
  expect(plain).not.toHaveProperty("rough");
  expect(rough).toMatchObject({ rough: true, low: plain!.low, high: plain!.high, value: plain!.value });
  expect(intervalText(rough!)).toBe(`~${intervalText(plain!)}`);
  expect(briefInterval(rough!, false)).toBe(`~${briefInterval(plain!, false)}`);
  const column = { title: "Hits", align: "right" as const };
  const table = (cell: Cell): Figure => ({ kind: "table", title: "t", notes: [], columns: [column], rows: [[cell]] });
  const note = "~[a, b]: rough: of 10 tasks it contains the mean of all in fewer than 88 % of draws";
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
  expect(text(bars(rough!))).toContain("whiskers: 95 % interval, rough: of 10 tasks");
  expect(text(bars(plain!))).not.toContain("rough");
});
