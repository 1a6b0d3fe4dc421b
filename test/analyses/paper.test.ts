import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { paper } from "../../analyses/paper.ts";
import type { PaperNumbers } from "../../source/engine/suite.ts";
import type { TableFigure } from "../../source/engine/figure.ts";
import { suites } from "../../suites/index.ts";
import { toolbench } from "../../suites/toolbench/index.ts";
import { bareRow } from "../bare-row.ts";
import { describePublished, shared } from "../shared.ts";
import { madeRun } from "./made-run.ts";

describe("tables as in papers", () => {
  it("show percentages to people but contain shares from 0 to 1, like the rows of runs below them", async () => {
    const withTables = suites.filter((suite) => suite.reported !== undefined);
    const figures = await Promise.all(withTables.map(async (suite) => (await suite.reported!()).tables));
    const counts =
      /: tasks$|Data statistics|Difficulty levels|difficulty levels|number of tool uses|All published results/;
    const countColumns = ["epsilon", "right of 600", "passed", "tasks"];
    const ofShares = figures.flat().filter(({ title }) => !counts.test(title));
    expect(ofShares.length).toBeGreaterThan(15);
    for (const { title, columns, rows } of ofShares)
      for (const row of rows)
        for (const [column, { text, value }] of row.entries())
          if (value !== undefined && !countColumns.includes(columns[column]!.title))
            expect([title, text, Number((value * 100).toPrecision(8))]).toEqual([title, text, Number(text)]);
  });
});

describePublished("numbers printed in papers", () => {
  const spec = readFileSync(shared("specs", "captions.md"), "utf8").replaceAll(/\s+/g, " ");
  /** Decimals of percentages by suite and table. */
  const decimals: readonly (readonly [suite: string, says: string, of: (table: string) => number])[] = [
    ["appbench", "two heads, 2 decimals", (title) => (/Table 4/.test(title) ? 1 : 2)],
    ["planningarena", "**PlanningArena.** 1 decimal everywhere", () => 1],
    ["travelplanner", "**TravelPlanner.** 1 decimal; in T3 `0` and `100` are bare", () => 1],
    ["toolbench", "**Tool-Planner.** 1 decimal", () => 1],
    ["apibench", "**Tool-Planner.** 1 decimal", () => 1],
  ];

  it.each(decimals)("have as many decimals as in the paper: %s", async (name, says, of) => {
    expect(spec).toContain(says);
    const { tables } = await suites.find((suite) => suite.name === name)!.reported!();
    const texts = tables.flatMap(({ title, columns, rows }) =>
      rows.flatMap((row) =>
        row.flatMap(({ text, value, reported }, column) => {
          const isShare = value !== undefined && reported === true && Number(text) !== value;
          const isBare = title.startsWith("Table 3:") && name === "travelplanner" && ["0", "100"].includes(text);
          return isShare && !isBare ? [{ title, column: columns[column]!.title, text }] : [];
        }),
      ),
    );
    expect(texts.length).toBeGreaterThan(20);
    for (const { title, column, text } of texts)
      expect(text, `${title}, ${column}`).toMatch(of(title) === 1 ? /^\d+\.\d$/ : /^\d+\.\d\d$/);
  });

  it("are written as in the specification of PlanningArena's Table 6", async () => {
    const { tables } = await suites.find((suite) => suite.name === "planningarena")!.reported!();
    const sizes = tables.find(({ title }) => title.startsWith("Table 6"))!;
    const written = sizes.rows.map(([level, ...sizes]) => {
      const groups = [0, 3, 6].map((from) =>
        sizes
          .slice(from, from + 3)
          .map(({ text }) => text)
          .join("/"),
      );
      return `${level!.text} ${groups.join(", ")}`;
    });
    expect(readFileSync(shared("specs", "planningarena.md"), "utf8")).toContain(written.join("; "));
  });
});

describe("Tool-Planner's Table 6", () => {
  let reported: PaperNumbers;
  beforeAll(async () => {
    reported = await toolbench.reported!();
  });
  const row = (task: string, set: string, win: number | undefined) =>
    bareRow("r", task, {
      facets: { set },
      score: { value: 1, metrics: win === undefined ? {} : { win }, checks: [], errors: [] },
    });
  const table = (rows: readonly ReturnType<typeof row>[]) => {
    const runs = [{ ...madeRun("toolchain-star", [], { reported }), suite: toolbench, rows }];
    const { table: titles } = paper.choices(runs);
    const title = titles!.find((each) => each.startsWith("Table 6"))!;
    return paper.compute(runs, { table: title })[0] as TableFigure;
  };

  it("has the runs below the printed rows of each set", () => {
    const figure = table([
      row("a", "G1_instruction", 1),
      row("b", "G1_instruction", 0),
      row("c", "G1_instruction", undefined),
      row("d", "G3_instruction", 1),
    ]);
    expect(figure.rows).toHaveLength(7);
    const printed = figure.rows.find((cells) => cells[1]!.text === "ToolChain*")!;
    expect(printed.map(({ text }) => text)).toEqual([
      "GPT-3.5",
      "ToolChain*",
      "69.0",
      "56.3",
      "58.5",
      "53.0",
      "67.5",
      "58.0",
      "61.5",
    ]);
    const own = figure.rows.at(-1)!;
    expect(own.map(({ text }) => text)).toEqual(["toolchain-star", "", "", "50.00", "-", "-", "-", "-", "100.00"]);
    expect(own.map(({ n }) => n).filter((n) => n !== undefined)).toEqual([2, 1]);
    expect(figure).not.toHaveProperty("measured");
  });

  it("notes the missing Home Search and the weakness of ToolChain*, and omits the row of a run without a win", () => {
    const figure = table([row("a", "G1_instruction", undefined)]);
    expect(figure.rows).toHaveLength(6);
    const notes = figure.notes.join("\n");
    expect(notes).toContain("Home Search is no benchmark of this program: no run can stand in its column");
    expect(notes).toContain("ToolChain* gets worse where it has more than about 100 APIs");
  });
});
