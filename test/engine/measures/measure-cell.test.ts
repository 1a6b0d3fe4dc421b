import { expect, it } from "vitest";
import { meanMeasure } from "../../../source/engine/measures/measure.ts";
import { measureCell, printedCell } from "../../../source/engine/measures/measure-cell.ts";
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
