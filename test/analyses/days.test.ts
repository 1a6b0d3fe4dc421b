import { expect, test } from "vitest";
import { days } from "../../analyses/days.ts";
import type { GridFigure } from "../../source/engine/figure.ts";
import { tripRow, tripRun } from "./trip-rows.ts";

const row = (task: string, level: string, length: number, finalPass: number) =>
  tripRow(task, { level, days: length }, { metrics: { delivered: 1, finalPass } });

test("the days analysis has one cell per level and number of days, and mutes a cell with few plans", () => {
  const many = Array.from({ length: 5 }, (_, index) => row(`e${index}`, "easy", 7, index === 0 ? 1 : 0));
  const run = tripRun("mine", [row("h", "hard", 3, 0), row("m", "medium", 3, 1), ...many]);
  const [grid] = days.compute([run], { measures: "final" }) as GridFigure[];
  expect([grid!.x.ticks, grid!.y.ticks]).toEqual([
    ["3", "7"],
    ["easy", "medium", "hard"],
  ]);
  expect(grid!.cells.map((line) => line.map((cell) => [cell?.value, cell?.n, cell?.faint]))).toEqual([
    [
      [undefined, undefined, undefined],
      [0.2, 5, undefined],
    ],
    [
      [1, 1, true],
      [undefined, undefined, undefined],
    ],
    [
      [0, 1, true],
      [undefined, undefined, undefined],
    ],
  ]);
  expect(grid!.cells[0]![1]!.tasks).toHaveLength(5);
});

test("the days analysis offers every measure of the suite, the final pass rate first", () => {
  const run = tripRun("mine", [row("a", "easy", 3, 1)]);
  expect(days.choices([run])["measures"]!.slice(0, 2)).toEqual(["final", "delivery"]);
  expect(days.compute([run], {})[0]!.title).toBe("Final: mine");
});

test("the days analysis reports suites without trips", () => {
  expect(days.missing!([])).toBe("None of these suites groups its tasks by level and days");
});
