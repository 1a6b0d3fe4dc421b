import { expect, test } from "vitest";
import { statistics } from "../../../analyses/statistics.ts";
import { statisticsOf } from "../../../suites/appbench/data/statistics.ts";
import { describePublished, sharedJson } from "../../shared.ts";
import { emptyRun, openPublished } from "./sample-rows.ts";

describePublished("the statistics of AppBench's tasks", () => {
  test("equal the official program's counts, with the paper's Table 2 below them", async () => {
    const loaded = await openPublished();
    const table = await statisticsOf(await loaded.tasks("all"));
    const lines = new Map(table.rows.map(([name, ...cells]) => [name!.text, cells]));
    const counted = (line: string) => lines.get(line)!.flatMap((cell) => (cell.reported === true ? [] : [cell.text]));
    // The official code's results on the published files, as listed in the specification.
    expect(counted("# Samples")).toEqual(["200", "200", "201", "200"]);
    expect(counted("Max. Para.")).toEqual(["1", "1", "4", "4"]);
    expect(counted("Avg. Para.")).toEqual(["1.0", "1.0", "2.2", "2.1"]);
    expect(counted("Max. Seq.")).toEqual(["1", "4", "4", "5"]);
    expect(lines.get("Avg. Seq.")!.map(({ value }) => Math.round(1000 * value!) / 1000)).toEqual([
      1, 1, 2.215, 2.2, 1.217, 1.2, 1.75, 1.9,
    ]);
    // Texts have the paper's one decimal, values all decimals.
    const exact = (line: string) =>
      lines.get(line)!.flatMap((cell) => (cell.reported === true ? [] : [Math.round(100 * cell.value!) / 100]));
    expect(counted("Avg. arguments").slice(2)).toEqual(["4.0", "4.1"]);
    expect(exact("Avg. arguments")[2]).toBe(4.03);
    expect(exact("Avg. Apps")[3]).toBe(2.37);
    expect(exact("Avg. APIs")[3]).toBe(3.64);
    const { table2 } = sharedJson<{
      readonly table2: { readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>> };
    }>("data", "paper-tables", "appbench.json");
    for (const [name, values] of Object.entries(table2.rows))
      expect(lines.get(name)!.flatMap(({ reported, value }) => (reported === true ? [value] : []))).toEqual(
        ["SS", "SM", "MS", "MM"].map((category) => values[category]),
      );
  });

  test("are shown once for all runs on the same tasks, as soon as those tasks are known", async () => {
    const loaded = await openPublished();
    const table = await statisticsOf(await loaded.tasks("mm"));
    expect(table.columns.map(({ under }) => under?.join())).toEqual([undefined, "MM", "MM"]);
    const run = { ...emptyRun, statistics: table };
    expect(statistics.compute([run, { ...run, run: "other" }], {})).toEqual([table]);
    expect(statistics.missing!([emptyRun])).toContain("are still loading");
  });
});
