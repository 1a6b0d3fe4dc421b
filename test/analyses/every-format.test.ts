/** Every figure of every analysis in every format: shares are percent for people and fractions for programs. */
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import type { Cell, Figure } from "../../source/engine/figure.ts";
import { drawFigure } from "../../source/engine/figures/drawing/draw-figure.ts";
import { exportFigure } from "../engine/figures/exported-figure.ts";
import { figureJson } from "../../source/engine/figures/figure-json.ts";
import { columnName } from "../../source/engine/figures/column-heads.ts";
import { prepared } from "../../source/engine/figures/prepared-figure.ts";
import { figureText } from "../../source/engine/figures/figure-text.ts";
import { shownInPercent } from "../../source/engine/figures/interval-text.ts";
import type { Json } from "../../source/engine/types.ts";
import { suites } from "../../suites/index.ts";
import { figuresOf, runsOf } from "./every-figure.ts";

/** Settings that vary, so that more analyses apply. */
const varied: Readonly<Record<string, string>> = {
  appbench: "prompting: [hierarchical, flat]\nshots: [0, 1]",
  planningarena: "profile: [on, off]",
  toolbench: "strategy: tool-planner\nclusters: {k: [4, 8]}",
  apibench: "strategy: tool-planner\nclusters: {k: [4, 8]}",
  travelplanner: "strategy: [direct, react]",
};

/** The texts for people, and those for programs. */
const forPeople = (figure: Figure) => [
  figureText(figure, { width: 200, ascii: false }),
  ...(["md", "tex", "svg", "html"] as const).map((format) => exportFigure(figure, format)),
];

const isShare = (cell: Cell) => shownInPercent(cell) && cell.value! > 0 && cell.value! <= 1;

/** All objects in a JSON value that are cells. */
function cellsIn(value: Json): readonly { readonly text: string; readonly value: number }[] {
  if (Array.isArray(value)) return value.flatMap((each: Json) => cellsIn(each));
  if (value === null || typeof value !== "object") return [];
  const own = value as { readonly text?: string; readonly value?: number };
  const here =
    typeof own.text === "string" && typeof own.value === "number" ? [{ text: own.text, value: own.value }] : [];
  return [...here, ...Object.values(value).flatMap((each) => cellsIn(each as Json))];
}

/** An interval of few tasks can lack an end; programs read its column as numbers nevertheless. */
const isNumber = (field: string) => field !== "" && !Number.isNaN(Number(field));
const fieldsAt = (body: readonly string[][], at: number) => body.map((row) => row[at]!).filter((field) => field !== "");

/** Columns that a program reads as text although some of their fields are numbers with a fraction. */
const mixedColumns = (head: readonly string[], body: readonly string[][]) =>
  head.filter((_, at) => {
    const fields = fieldsAt(body, at);
    return fields.some((field) => isNumber(field) && field.includes(".")) && !fields.every(isNumber);
  });

/** Columns without a numeric field. */
const textColumns = (head: readonly string[], body: readonly string[][]) =>
  head.filter((_, at) => fieldsAt(body, at).some((field) => !isNumber(field)));

/** Columns that name their rows: the left ones of tables, those before the numbers of drawings. */
const labelsOf = (figure: Figure) =>
  prepared(figure).table.columns.flatMap((column, at) =>
    column.align === "left" || (figure.kind !== "table" && at < 2) ? [columnName(column)] : [],
  );

describe.each(suites.filter(({ ofFile }) => ofFile === undefined).map((suite) => [suite.name, suite] as const))(
  "every figure of %s",
  (name, suite) => {
    test("prints percentages for people, fractions for programs, and each row of a table on a single line", async () => {
      const figures = figuresOf(await runsOf(suite, varied[name]));
      expect(figures.length).toBeGreaterThan(8);
      for (const { name: analysis, figure } of figures) {
        const where = `${analysis}: ${figure.title}`;
        const { columns, rows } = prepared(figure).table;
        const cells = rows.flat();
        if (cells.some(isShare)) for (const text of forPeople(figure)) expect(text, where).toMatch(/%|percent/i);
        const [head, ...body] = parse(exportFigure(figure, "csv")) as string[][];
        // A heading in percent over fractions would be a wrong unit.
        expect(
          head!.filter((each) => each.includes("%")),
          where,
        ).toEqual([]);
        expect(mixedColumns(head!, body), where).toEqual([]);
        expect(
          textColumns(head!, body).filter((each) => !labelsOf(figure).includes(each)),
          where,
        ).toEqual([]);
        expect(body, where).toHaveLength(rows.length);
        const unwritten = rows.flatMap((row, at) =>
          row.filter(({ value }) => value !== undefined && !body[at]!.includes(String(value))),
        );
        expect(unwritten, where).toEqual([]);
        const percentages = cellsIn(figureJson(figure)).filter(
          ({ text, value }) => text.includes("%") && !(Math.abs(value) <= 1),
        );
        expect(percentages, where).toEqual([]);
        // Ends of intervals have the same unit as the values next to them.
        for (const row of rows) {
          const share = row.find(isShare);
          const [low, high] = ["low", "high"].map((end) => row[columns.findIndex(({ title }) => title === end)]);
          if (share === undefined || low?.value === undefined || high?.value === undefined) continue;
          for (const end of [low, high])
            if (end.value! > 0.01) expect(shownInPercent(end), `${where}: ${end.text}`).toBe(true);
        }
        if (figure.kind !== "table") continue;
        expect(drawFigure(figure, { width: 80, ascii: false }).body, where).toHaveLength(Math.max(1, rows.length));
      }
    });
  },
);

describe("an empty figure", () => {
  const empty: readonly Figure[] = [
    { kind: "table", title: "T", notes: [], columns: [{ title: "Run", align: "left" }], rows: [] },
    {
      kind: "grid",
      title: "T",
      notes: [],
      x: { label: "x", ticks: ["1"] },
      y: { label: "y", ticks: ["1"] },
      cells: [[undefined]],
      range: [0, 1],
    },
    { kind: "bars", title: "T", notes: [], unit: "%", bars: [] },
    { kind: "lines", title: "T", notes: [], x: "x", y: "y", series: [] },
    { kind: "points", title: "T", notes: [], x: "x", y: "y", points: [] },
  ];
  test.each(empty.map((figure) => [figure.kind, figure] as const))(
    'shows the word "none" in each format for people: %s',
    (_, figure) => {
      for (const text of forPeople(figure)) expect(text).toMatch(/\bnone\b/);
    },
  );
});

test("a figure whose values are all 0 keeps its unit, and a value that is rounded to 0 is read as 0", () => {
  const lines = (text: string): Figure => ({
    kind: "lines",
    title: "T",
    notes: [],
    x: "k",
    y: "Wrong",
    series: [{ label: "a", points: [{ x: 1, cell: { text, value: 0 }, low: 3e-17, high: 0.25 }] }],
  });
  const ends = (text: string) =>
    prepared(lines(text))
      .table.rows[0]!.slice(3, 5)
      .map((cell) => cell.text);
  expect(ends("0.00")).toEqual(["0.00 %", "25.00 %"]);
  expect(ends("0")).toEqual(["0", "0.25"]);
  expect(ends("0.0000")).toEqual(["0", "0.25"]);
  expect(exportFigure(lines("0.00"), "svg")).toContain(">Wrong, %</text>");
});
