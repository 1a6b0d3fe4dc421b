import { expect, test } from "vitest";
import { depth } from "../../analyses/depth.ts";
import type { LinesFigure } from "../../source/engine/figure.ts";
import { made } from "./ultratool-rows.ts";

const runs = [
  made("en/tool_usage", "a/one", [
    { value: 1, facets: { depth: 2, steps: 5 } },
    { value: 0.5, facets: { depth: 2, steps: 7 } },
    { value: 0, facets: { depth: 3, steps: 12 } },
    { value: undefined, facets: { depth: 4, steps: 13 } },
  ]),
  made("en/planning", "a/one", [{ value: 0.8, facets: { depth: 2, steps: 5 } }]),
];
const lines = (chosen: Record<string, string>) => (depth.compute(runs, chosen)[0] as LinesFigure).series;

test("the depth analysis draws one line per ability, and one point per depth with scores", () => {
  const [planning, usage] = lines({ by: "depth" });
  expect(planning!.label).toBe("planning, a/one");
  expect(usage!.points.map(({ x, cell }) => [x, cell.value, cell.n])).toEqual([
    [2, 0.75, 2],
    [3, 0, 1],
  ]);
  expect(usage!.points[0]!.cell.tasks).toHaveLength(2);
});

test("the depth analysis groups steps by four, and can draw one line for all abilities", () => {
  const [all] = lines({ by: "steps", lines: "models" });
  expect(all!.points.map(({ x, cell }) => [x, cell.n])).toEqual([
    [4, 3],
    [12, 1],
  ]);
  expect(all!.points[0]!.cell.note).toBe("4 to 7");
});

test("the depth analysis can use the number of offered tools as size, grouped by five", () => {
  const offered = [
    made(
      "en/tool_selection",
      "m",
      [3, 4, 6].map((toolset) => ({ value: 1, facets: { toolset } })),
    ),
  ];
  expect(depth.choices(offered)["by"]).toEqual(["toolset"]);
  const [figure] = depth.compute(offered, { by: "toolset" }) as LinesFigure[];
  expect(figure!.x).toBe("Offered tools");
  expect(figure!.series[0]!.points.map(({ x, cell }) => [x, cell.n])).toEqual([
    [0, 2],
    [5, 1],
  ]);
});

test("the depth analysis offers only abilities that the tasks have", () => {
  expect(depth.choices(runs)["by"]).toEqual(["depth", "steps"]);
  expect(depth.missing!([made("en/planning", "m", [{ value: 1 }])])).toContain("no facets for plan size");
});
