import { describe, expect, test } from "vitest";
import { structure } from "../../analyses/structure.ts";
import { columnName } from "../../source/engine/figures/column-heads.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { planningarena } from "../../suites/planningarena/index.ts";
import { describePublished, sharedJson } from "../shared.ts";
import { planRow, planRun, texts } from "./plan-rows.ts";

const rows = [
  planRow("a", "1", {}, { result: 1, pgr: 1, SC: 1, OSC: 1 }),
  planRow("a", "2", { level: "hard" }, { result: 0, pgr: 0 }),
  planRow("a", "3", { relation: "DAPI", structure: "one-to-many" }, { result: 0, pgr: 1, SC: 0, "FD-API": 1 }),
  planRow("a", "4", { relation: "PAPI", structure: "PAPI" }, undefined),
];

describe("PlanningArena's main table", () => {
  test("has models as rows and kinds of tasks as columns, in the paper's order", () => {
    const [figure] = structure.compute([planRun("a", rows)], {}) as TableFigure[];
    expect(figure!.columns.map(columnName)).toEqual(
      ["Run", "APP SAPP", "APP CAPP", "APP all", "API PAPI", "API CAPI", "API DAPI"].concat([
        "API OM",
        "API MO",
        "API MM1",
        "API MM2",
        "API MM3",
        "API MM4",
        "API all",
        "Overall",
        "n",
      ]),
    );
    expect(texts(figure!.rows)).toEqual([
      ["a", "50.00", "-", "50.00", "-", "-", "0.00", "0.00", "-", "-", "-", "-", "-", "0.00", "33.33", "4"],
    ]);
  });

  test("shows the 95 % interval of every value, as the checks do", () => {
    for (const show of ["result", "checks"]) {
      const [figure] = structure.compute([planRun("a", rows)], { show }) as TableFigure[];
      const own = figure!.rows.flat().filter(({ value, n }) => value !== undefined && n !== undefined);
      expect(own.length).toBeGreaterThan(3);
      for (const { value, low, high } of own) expect(low! <= value! && value! <= high!).toBe(true);
    }
  });

  test("can be shown alone, like the checks", () => {
    const titles = (show: string) => structure.compute([planRun("a", rows)], { show }).map(({ title }) => title);
    expect(titles("result")).toEqual(["Result by kind of task", "Result by kind of task: a"]);
    expect(titles("checks")).toEqual(["Checks by kind of task: a"]);
  });

  describePublished("with the paper's numbers", () => {
    test("has every number of Table 2 in its column", async () => {
      type Table = {
        readonly columns: readonly string[];
        readonly rows: readonly Readonly<Record<string, number | string>>[];
      };
      const { table2 } = sharedJson<{ readonly table2: Table }>("data", "paper-tables", "planningarena.json");
      const run = planRun("a", rows, { reported: await planningarena.reported!() });
      const [figure] = structure.compute([run], { paper: "all" }) as TableFigure[];
      const printed = table2.rows.map((row, at) => [
        at < 5 ? "Proprietary" : "Open-weight",
        row["model"],
        ...table2.columns.map((column) => Number(row[column]).toFixed(1)),
      ]);
      expect(texts(figure!.rows.slice(1)).map((line) => line.slice(0, -1))).toEqual(printed);
    });
  });
});

describe("PlanningArena's structure table", () => {
  test("has the rows of Tables 7 to 9, and counts each check only on the tasks to which it applies", () => {
    const [, , figure] = structure.compute([planRun("a", rows)], {}) as TableFigure[];
    const first = (line: string[]) => [line[0], line[1], line[2], line[3], line[7], line[8], line.at(-1)];
    expect(figure!.columns.map(({ title }) => title)).toEqual(
      "Tasks Result PGR SC SR TD FD-APP OSC FD-API PC TR n".split(" "),
    );
    expect(texts(figure!.rows).map(first)).toEqual([
      ["Overall", "33.33", "66.67", "50.00", "100.00", "100.00", "4"],
      ["APP", "50.00", "50.00", "100.00", "100.00", "-", "2"],
      ["API", "0.00", "100.00", "0.00", "-", "100.00", "2"],
      ["easy", "50.00", "100.00", "50.00", "100.00", "100.00", "3"],
      ["hard", "0.00", "0.00", "-", "-", "-", "1"],
      ["APP easy", "100.00", "100.00", "100.00", "100.00", "-", "1"],
      ["APP hard", "0.00", "0.00", "-", "-", "-", "1"],
      ["API easy", "0.00", "100.00", "0.00", "-", "100.00", "2"],
      ["SAPP", "50.00", "50.00", "100.00", "100.00", "-", "2"],
      ["PAPI", "-", "-", "-", "-", "-", "1"],
      ["DAPI", "0.00", "100.00", "0.00", "-", "100.00", "1"],
      ["one-to-many", "0.00", "100.00", "0.00", "-", "100.00", "1"],
    ]);
    expect(figure!.rows[0]![3]).toMatchObject({ n: 2, value: 0.5 });
    expect(figure!.notes.at(-1)).toBe("a: 1 failed; these tasks have no score and are left out");
  });

  test("explains only once why the paper's rows are not comparable, also for bars with these rows", async () => {
    const run = planRun("a", rows, { reported: await planningarena.reported!() });
    const [table, bars] = structure.compute([run], { paper: "all" });
    const [first, ...others] = table!.notes.filter((note) => /not comparable|tasks$/.test(note));
    expect(first).toBe(
      "The paper's rows are not comparable with the measured rows: in the paper Result does not require every check to pass, and the paper uses other tasks and a judge model",
    );
    expect(others.map((note) => note.replace(/^.*: /, ""))).toEqual(["a sample of 630 tasks", "4500 tasks"]);
    expect(bars!.notes.join(" ")).toContain("too many for a picture");
    expect(bars!.notes.join(" ")).not.toContain("not comparable");
    const [, few] = structure.compute([run], { paper: "GPT-4o" });
    expect(few!.notes.filter((note) => note.includes("not comparable"))).toHaveLength(1);
  });

  test("shows a reported model next to each row, with a mark and with its caveats", async () => {
    const run = planRun("a", rows, { reported: await planningarena.reported!() });
    expect(structure.choices([run])["paper"]).toEqual(
      expect.arrayContaining(["off", "all", "GPT-4o", "DeepSeekV3", "Qwen-plus"]),
    );
    const [, , figure] = structure.compute([run], { columns: "table", paper: "GPT-4o" }) as TableFigure[];
    const overall = figure!.rows[1]!;
    expect(overall.map(({ text }) => text).slice(0, 4)).toEqual(["  GPT-4o", "56.5", "74.3", "85.5"]);
    expect(overall.every(({ reported }) => reported)).toBe(true);
    expect(figure!.notes.join(" ")).toContain("not comparable");
    expect(texts(figure!.rows).map(([name]) => name)).toContain("many-to-many-4");
    const under = (name: string) =>
      texts(figure!.rows)[figure!.rows.findIndex(([cell]) => cell!.text === name) + 1]!.slice(0, 4);
    expect(under("APP")[1]).toBe("66.7");
    expect(under("API")[1]).toBe("43.0");
    expect(under("APP easy")).toEqual(["  GPT-4o", "67.1", "72.2", "86.4"]);
    expect(under("API easy")).toEqual(["  GPT-4o", "50.0", "88.1", "81.7"]);
  });

  test("explains why there are no rows", () => {
    const other = { ...planRun("a", rows), suite: { ...planningarena, measures: [] } };
    expect(structure.missing!([other])).toContain("no plan checks");
  });
});
