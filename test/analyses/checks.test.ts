import { describe, expect, test } from "vitest";
import { checks } from "../../analyses/checks.ts";
import type { GridFigure } from "../../source/engine/figure.ts";
import { planRow, planRun, texts } from "./plan-rows.ts";

const run = planRun("a", [
  planRow("a", "1", {}, { result: 1, pgr: 1, SC: 1, TR: 1 }),
  planRow("a", "2", {}, { result: 0, pgr: 1, SC: 0 }),
  planRow("a", "3", { level: "hard" }, { result: 0, pgr: 1, SC: 0, TR: 0 }),
  planRow("a", "4", { level: "hard" }, { result: 0, pgr: 0 }),
]);

describe("the checks analysis", () => {
  test("shows each check by level, and counts only the tasks that have the check", () => {
    const [figure] = checks.compute([run], {}) as [GridFigure];
    expect(figure.x.ticks).toEqual(["easy", "hard", "all"]);
    const shown = texts(figure.cells);
    expect(figure.y.ticks.map((name, index) => [name, ...shown[index]!]).filter((line) => line[1] !== "")).toEqual([
      ["Result", "50.00", "0.00", "25.00"],
      ["PGR", "100.00", "50.00", "75.00"],
      ["SC", "50.00", "0.00", "33.33"],
      ["TR", "100.00", "0.00", "50.00"],
    ]);
    expect(figure.cells[2]![2]).toMatchObject({ n: 3, faint: true });
  });

  test("links a failed check to its tasks", () => {
    const [figure] = checks.compute([run], { by: "level", show: "broken" }) as [GridFigure];
    expect(figure.cells[2]![2]).toMatchObject({
      text: "66.67",
      tasks: [
        { run: "a", task: "2" },
        { run: "a", task: "3" },
      ],
    });
  });
});
