import { expect, test } from "vitest";
import { formatting } from "../../analyses/formatting.ts";
import type { BarsFigure, TableFigure } from "../../source/engine/figure.ts";
import { made, type Made } from "./ultratool-rows.ts";

const answer = (form: string, repair: string, official: number, strict: number): Made => ({
  value: official,
  labels: { form, repair },
  metrics: {
    "tool_usage.sum": official,
    "tool_usage.steps": 1,
    "strict.tool_usage.sum": strict,
    "strict.tool_usage.steps": 1,
  },
});
const run = made("en/tool_usage", "a/one", [
  answer("json", "as is", 1, 1),
  answer("python", "as is", 0.8, 0),
  answer("repaired", "insert }", 0.6, 0),
  answer("unreadable", "failed", 0, 0),
]);

test("the formatting analysis shows the strict score, the official score and the difference", () => {
  const [strict, forms] = formatting.compute([run], {}) as [TableFigure, TableFigure, BarsFigure];
  expect(strict.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["a/one", "Tool usage", "60.00", "25.00", "35.00", "4"],
  ]);
  expect(forms.rows.map((row) => row.map(({ text }) => text))).toEqual([
    ["a/one", "tool usage", "1", "0", "1", "1", "1", "4"],
  ]);
  expect(forms.rows[0]![4]!.tasks).toEqual([{ run: run.run, task: "1" }]);
});

test("the formatting analysis shows each repair with the answers that needed it", () => {
  const bars = formatting.compute([run], { repairs: "needed" })[2] as BarsFigure;
  expect(bars.bars.map(({ label, cell }) => [label, cell.text, cell.n])).toEqual([
    ["insert }", "1", 4],
    ["failed", "1", 4],
  ]);
  expect(bars.notes[0]).toContain("2 of them read unchanged");
  const all = formatting.compute([run], { repairs: "all readings" })[2] as BarsFigure;
  expect(all.bars[0]).toMatchObject({ label: "as is", cell: { text: "2" } });
});

test("the formatting analysis does not parse plans", () => {
  expect(formatting.missing!([made("en/planning", "m", [{ labels: { judge: "read" } }])])).toContain(
    "plans are read as text",
  );
});
