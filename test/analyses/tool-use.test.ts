import { expect, test } from "vitest";
import { toolUse } from "../../analyses/tool-use.ts";
import { columnName } from "../../source/engine/figures/column-heads.ts";
import type { LinesFigure, TableFigure } from "../../source/engine/figure.ts";
import { travelplanner } from "../../suites/travelplanner/index.ts";
import { tripRow, tripRun } from "./trip-rows.ts";

const uses = (task: string, days: number, metrics: Record<string, number>, kind?: string) =>
  tripRow(task, { days, level: "easy" }, { metrics, errors: kind === undefined ? [] : [{ kind }] });
const rows = [
  uses("a", 3, { "tool:FlightSearch": 2, "tool:failed": 1 }),
  uses("b", 3, { "tool:FlightSearch": 1, "tool:NotebookWrite": 4 }),
  uses("c", 5, { "tool:NotebookWrite": 1 }, "same-action-loop"),
  uses("d", 5, {}, "same-action-loop"),
  uses("e", 5, {}, "max-step-limit"),
];
const texts = ({ rows: lines }: TableFigure) => lines.map((line) => line.map(({ text }) => text));

test("the tool-use analysis shows the mean number of uses of each tool by days, and the plans behind each number", () => {
  const [table] = toolUse.compute([tripRun("mine", rows)], { paper: "off" }) as TableFigure[];
  expect(table!.columns.map(({ title }) => title)).toEqual(["Tool", "3 days", "5 days"]);
  expect(texts(table!)).toEqual([
    ["FlightSearch", "1.5", "0.0"],
    ["NotebookWrite", "2.0", "0.3"],
    ["calls that failed", "0.5", "0.0"],
    ["n", "2", "3"],
  ]);
  expect(table!.rows[1]![1]!.tasks).toEqual([{ run: "r1", task: "b" }]);
});

test("the tool-use analysis draws a line per used tool over the days, from the table's numbers", async () => {
  const run = tripRun("mine", rows, await travelplanner.reported!());
  const [table, lines] = toolUse.compute([run], { paper: "on" }) as [TableFigure, LinesFigure];
  expect(lines.title).toBe("Mean uses of each tool by days: mine");
  expect(lines.series.map(({ label, points }) => [label, points.map(({ x }) => x)])).toEqual([
    ["FlightSearch", [3, 5]],
    ["NotebookWrite", [3, 5]],
    ["calls that failed", [3, 5]],
  ]);
  expect(lines.series[0]!.points.map(({ cell }) => cell)).toEqual(table.rows[0]!.slice(1, 3));
  const alike = tripRun("short", rows.slice(0, 2));
  expect(toolUse.compute([alike], { paper: "off" }).map(({ kind }) => kind)).toEqual(["table"]);
});

test("the tool-use analysis shows the paper's agent and reference next to the runs", async () => {
  const run = tripRun("mine", rows, await travelplanner.reported!());
  const [table, , endings] = toolUse.compute([run], { paper: "on" }) as TableFigure[];
  const column = table!.columns.findIndex((each) => columnName(each) === "reference 5");
  expect(table!.rows[0]![column]!.text).toBe("3.0");
  // The suite's tools in its order, used or not, then any others.
  expect(texts(table!).map(([tool]) => tool)).toEqual(
    "FlightSearch,GoogleDistanceMatrix,RestaurantSearch,AttractionSearch,AccommodationSearch,NotebookWrite,calls that failed,n".split(
      ",",
    ),
  );
  expect(texts(table!)[1]!.slice(1, 3)).toEqual(["0.0", "0.0"]);
  expect(texts(endings!)).toContainEqual(["GPT-4-Turbo", "56.7", "0.0", "37.3", "6.0", "-", ""]);
});

test("the tool-use analysis shows the paper's endings even if every run delivered a plan", async () => {
  const run = tripRun("mine", rows.slice(0, 2), await travelplanner.reported!());
  const titles = (paper: string) => toolUse.compute([run], { paper }).map(({ title }) => title);
  expect(titles("on")).toEqual(["Mean uses of each tool: mine", "How runs without a plan ended"]);
  expect(titles("off")).toHaveLength(1);
});

test("the tool-use analysis groups runs without a plan by how the runs ended", () => {
  const [, , endings] = toolUse.compute([tripRun("mine", rows)], { paper: "off" }) as TableFigure[];
  expect(texts(endings!)).toEqual([["mine", "33.33", "0.00", "0.00", "66.67", "0.00", "3"]]);
  expect(endings!.rows[0]![4]!.tasks).toEqual([
    { run: "r1", task: "c" },
    { run: "r1", task: "d" },
  ]);
});

test("the tool-use analysis shows no table for runs that do not count tool uses", () => {
  expect(toolUse.missing!([tripRun("mine", [uses("a", 3, {})])])).toBe(
    "No run here counts uses of each tool; TravelPlanner runs with `react` or `reflexion` do",
  );
});

test("the tool-use analysis shows endings even if no run made a valid call", () => {
  const lost = tripRun("lost", [
    uses("a", 3, { "tool:failed": 3 }, "invalid-action-loop"),
    uses("b", 3, { "tool:failed": 2 }, "same-action-loop"),
    uses("c", 5, {}, "token-overflow"),
  ]);
  expect(toolUse.missing!([lost])).toBeUndefined();
  const [table, , endings] = toolUse.compute([lost], { paper: "off" }) as TableFigure[];
  expect(texts(table!)).toEqual([
    ["calls that failed", "2.5", "0.0"],
    ["n", "2", "1"],
  ]);
  expect(endings!.title).toBe("How runs without a plan ended");
  expect(texts(endings!)).toEqual([["lost", "0.00", "0.00", "33.33", "33.33", "33.33", "3"]]);
  // Next to a run that used tools, it still counts among those without a plan.
  const both = toolUse.compute([tripRun("mine", rows), lost], { paper: "off" }) as TableFigure[];
  expect(texts(both.at(-1)!).map(([label]) => label)).toEqual(["mine", "lost"]);
});
