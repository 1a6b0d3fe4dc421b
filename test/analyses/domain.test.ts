import { expect, test } from "vitest";
import { domain } from "../../analyses/domain.ts";
import type { GridFigure } from "../../source/engine/figure.ts";
import { made } from "./ultratool-rows.ts";

const of = (name: string, value: number | undefined) => ({ value, facets: { domain: name } });
const runs = [
  made("en/planning", "a/one", [of("Train", 0.5), of("Train", 1), of("Health", undefined)]),
  made("en/tool_usage", "a/one", [of("Train", 1), of("Alarm", 0.25)]),
];
const grid = (chosen: Record<string, string> = {}) => domain.compute(runs, chosen)[0] as GridFigure;

test("the domain analysis shows domains by abilities, the most frequent domain first", () => {
  const figure = grid();
  expect(figure.x.ticks).toEqual(["planning", "tool usage"]);
  expect(figure.y.ticks[0]).toBe("Train");
  expect(figure.cells[0]!.map((cell) => cell?.text)).toEqual(["75.00", "100.00"]);
  expect(figure.cells[0]![0]).toMatchObject({ n: 2, faint: true, value: 0.75 });
  expect(figure.cells[0]![0]!.tasks).toHaveLength(2);
});

test("the domain analysis has no value in an unscored cell, and no cell for a missing combination", () => {
  const figure = grid({ order: "by name" });
  expect(figure.y.ticks).toEqual(["Alarm", "Health", "Train"]);
  expect(figure.cells[0]).toEqual([undefined, expect.objectContaining({ text: "25.00" })]);
  expect(figure.cells[1]).toEqual([expect.objectContaining({ text: "-", n: 0 }), undefined]);
  expect(figure.notes.join()).toContain("1 could not be scored");
});

test("the domain analysis can show whole answers only, the worst domain first", () => {
  const figure = grid({ score: "whole answers", order: "worst first" });
  expect(figure.y.ticks).toEqual(["Alarm", "Train", "Health"]);
  expect(figure.cells[1]!.map((cell) => cell?.text)).toEqual(["50.00", "100.00"]);
});

test("the domain analysis draws no map for runs without domains", () => {
  const other = made("ss", "b/two", [{ value: 1, facets: { category: "SS" } }]);
  expect(domain.compute([other, ...runs], {})).toHaveLength(1);
});
