/** The paper's tables, and their numbers with the facets they describe. */
import { fractionOf, printedCell } from "../../../source/engine/measures/measure-cell.ts";
import { type Cell, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import type { PaperNumbers, Reported } from "../../../source/engine/suite.ts";
import type { Facets } from "../../../source/engine/types.ts";
import { categories } from "../data/gold.ts";

type Value = number | boolean | null;
type Table = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  readonly unit?: string;
  readonly note?: string;
  readonly caveats?: readonly string[];
};
type Paper = Readonly<Record<`table${1 | 2 | 3 | 4 | 5 | 11}`, Table>> & {
  readonly table8: {
    readonly title: string;
    readonly rows: Readonly<Record<string, readonly string[]>>;
    readonly caveats: readonly string[];
  };
};

/** Imports the tables on demand. */
export async function readPaper(): Promise<PaperNumbers> {
  const module = await import("./paper.json", { with: { type: "json" } });
  const paper: Paper = module.default;
  return { values: valuesOf(paper), tables: tablesOf(paper) };
}

const source = (table: number) => `AppBench paper (EMNLP 2024), Table ${table}`;
const mainColumns = { F1app: "official.f1-app", F1api: "official.f1-api", Succ: "official.success" };
const matchColumns = { APP: "official.em-app", API: "official.em-api" };
const errorColumns = {
  key_independent: "analysis.key-independent",
  key_dependent: "analysis.key-dependent",
  value_independent: "analysis.value-independent",
  value_dependent: "analysis.value-dependent",
  time_share: "analysis.time",
  space_share: "analysis.space",
};
/** Measures for the counting in the paper's text: shares of arguments. */
const argumentColumns = {
  key_independent: "analysis.key-missing-independent",
  key_dependent: "analysis.key-missing-dependent",
  value_independent: "analysis.value-mismatch-independent",
  value_dependent: "analysis.value-mismatch-dependent",
};
const ofArguments =
  "the paper calls these shares of arguments; all are multiples of 1/198 or 1/200, so they can only be shares of tasks";
const zeroShot = { prompting: "hierarchical", shots: 0 };

const valuesOf = (paper: Paper): Reported[] => [
  ...byCategory(paper.table3, 3, mainColumns, () => zeroShot),
  ...byCategory(paper.table11, 11, matchColumns, () => zeroShot),
  ...byCategory(paper.table5, 5, mainColumns, (row) => ({ prompting: "hierarchical", shots: shotsOf(row) })).map(
    (value) => ({ ...value, row: `GPT-4o, ${value.row}` }),
  ),
  ...errorValues(paper.table4, errorColumns),
  ...errorValues(paper.table4, argumentColumns, ofArguments),
];

const shotsOf = (row: string): number => (row === "zero-shot" ? 0 : Number.parseInt(row, 10));

/** Reads the numbers of tables with columns such as `SS_Succ`. */
const byCategory = (
  table: Table,
  number: number,
  columns: Readonly<Record<string, string>>,
  setting: (row: string) => Facets,
): Reported[] =>
  Object.entries(table.rows).flatMap(([row, cells]) =>
    categories.flatMap((category) =>
      Object.entries(columns).flatMap(([column, measure]): Reported[] => {
        const value = cells[`${category}_${column}`];
        if (typeof value !== "number") return [];
        const caveat = caveatOf(number, row, category, column);
        return [
          {
            source: source(number),
            row,
            measure,
            value: fractionOf(value),
            where: { category },
            setting: setting(row),
            ...(caveat === undefined ? {} : { caveat }),
          },
        ];
      }),
    ),
  );

function caveatOf(table: number, row: string, category: string, column: string): string | undefined {
  if (category !== "MM") return undefined;
  if (table === 3 && row === "LLaMA3-8B" && column === "Succ") {
    return "Printed as 0.05 because of damaged formatting: with 200 tasks the smallest step is 0.5.";
  }
  if (column !== "F1app") return undefined;
  if (table === 3 && row === "GPT-4o") return "32.62 here, 32.36 in Table 5 for the same setting.";
  return table === 5 && row === "zero-shot" ? "32.36 here, 32.62 in Table 3 for the same setting." : undefined;
}

const errorValues = (table: Table, columns: Readonly<Record<string, string>>, caveat?: string): Reported[] =>
  Object.entries(table.rows).flatMap(([category, cells]) =>
    Object.entries(columns).flatMap(([column, measure]): Reported[] => {
      const value = cells[column];
      if (typeof value !== "number") return [];
      const about = {
        source: source(4),
        row: "GPT-4o",
        measure,
        value: fractionOf(value),
        digits: 1,
        where: { category },
      };
      return [{ ...about, setting: zeroShot, ...(caveat === undefined ? {} : { caveat }) }];
    }),
  );

const tablesOf = (paper: Paper): TableFigure[] => [
  tableOf(1, paper.table1),
  tableOf(2, paper.table2),
  tableOf(3, paper.table3, [
    "These F1 values are capped: the official program counts at most one hit per task, so a perfect plan reaches 45.15 (SM), 36.61 (MS) and 27.47 (MM), and a plan with fewer calls reaches more.",
  ]),
  tableOf(4, paper.table4, [
    "The key and value columns can only be shares of tasks: all are multiples of 1/198 or 1/200.",
  ]),
  tableOf(5, paper.table5),
  apiTable(paper.table8),
  tableOf(11, paper.table11),
];

function tableOf(number: number, table: Table, more: readonly string[] = []): TableFigure {
  const notes = [table.unit === undefined ? [] : [`Unit: ${table.unit}.`], table.note ?? [], table.caveats ?? [], more];
  return {
    kind: "table",
    title: `Table ${number} of the paper: ${table.title}`,
    notes: notes.flat(),
    columns: tableColumns(
      [""],
      table.columns.map((title) => title.replaceAll("_", " ")),
    ),
    rows: Object.entries(table.rows).map(([row, cells]) => [
      { text: row, reported: true },
      ...table.columns.map((column) => cellOf(cells[column] ?? null, number, row)),
    ]),
  };
}

function cellOf(value: Value, table: number, row: string): Cell {
  if (typeof value === "boolean") return { text: value ? "yes" : "no", reported: true };
  // Table 2 has counts, and means with one decimal.
  if (table === 2) return printedCell(value, "number", row.startsWith("Avg.") ? 1 : 0);
  return printedCell(value, "percent", table === 4 ? 1 : 2);
}

const apiTable = ({ title, rows, caveats }: Paper["table8"]): TableFigure => ({
  kind: "table",
  title: `Table 8 of the paper: ${title}`,
  notes: [
    ...caveats,
    "The published code has two more apps, Homes and Media, and `find_therapist_provider` in place of this table's `find_therapist_appointment`.",
  ],
  columns: tableColumns(["App", "APIs"], []),
  rows: Object.entries(rows).map(([app, apis]) => [
    { text: app, reported: true },
    { text: apis.join(", "), reported: true },
  ]),
});
