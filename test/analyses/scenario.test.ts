import { describe, expect, test } from "vitest";
import { scenario } from "../../analyses/scenario.ts";
import type { GridFigure, TableFigure } from "../../source/engine/figure.ts";
import { planRow, planRun, texts } from "./plan-rows.ts";

const many = (run: string, name: string, results: readonly number[]) =>
  results.map((result, index) => planRow(run, `${name}${index}`, { scenario: name }, { result }));
const strong = planRun("strong", [
  ...many("strong", "10_diet", [1, 1, 1, 1, 0]),
  ...many("strong", "2_entertainment", [1, 1, 0, 0, 0]),
  ...many("strong", "1_travel", [1]),
]);
const weak = planRun("weak", many("weak", "2_entertainment", [1, 0, 0, 0, 0]));

describe("the scenario analysis", () => {
  test("overlays the profiles of several runs, in the paper's order of scenarios", () => {
    const [grid, table] = scenario.compute([strong, weak], { measures: "result" }) as [GridFigure, TableFigure];
    expect(grid.x.ticks).toEqual(["travel", "entertainment", "diet"]);
    expect(grid.y.ticks).toEqual(["strong", "weak"]);
    expect(texts(grid.cells)).toEqual([
      ["100.00", "40.00", "80.00"],
      ["", "20.00", ""],
    ]);
    expect(grid.cells[0]![0]).toMatchObject({ faint: true, n: 1 });
    expect(texts(table.rows)).toEqual([
      ["strong", "diet 80.00", "entertainment 40.00", "40.00"],
      ["weak", "entertainment 20.00", "entertainment 20.00", "0.00"],
    ]);
  });

  test("shows the shape of a profile relative to its own mean", () => {
    const [grid] = scenario.compute([strong], { measures: "result", against: "mean" }) as [GridFigure];
    expect(texts(grid.cells)).toEqual([["+36.36", "-23.64", "+16.36"]]);
    expect(grid.range[0]).toBe(-grid.range[1]);
  });
});
