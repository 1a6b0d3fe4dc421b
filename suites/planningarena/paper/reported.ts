/** The paper's tables, and its numbers with the facets they describe. */
import { fractionOf, printedCell } from "../../../source/engine/measures/measure-cell.ts";
import { type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import type { PaperNumbers, Reported } from "../../../source/engine/suite.ts";
import { type Size, sizeCells, sizeColumns, sizeNames } from "../data/statistics.ts";
import type { Facets } from "../../../source/engine/types.ts";

type Numbers = Readonly<Record<string, number | string | null>>;
type Detailed = {
  readonly title: string;
  readonly model: string;
  readonly columns: readonly string[];
  readonly rows: Readonly<
    Record<"overall" | "level" | "level_app" | "level_api" | "structure", Readonly<Record<string, Numbers>>>
  >;
};
type Flat = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Readonly<Record<string, Numbers>>;
  readonly caveats: readonly string[];
};
type Paper = {
  readonly table1: Flat;
  readonly table2: Omit<Flat, "rows"> & {
    readonly rows: readonly ({ readonly model: string } & Readonly<Record<string, string | number>>)[];
  };
  readonly table5: Flat;
  readonly table6: { readonly title: string; readonly rows: Readonly<Record<string, Readonly<Record<string, Size>>>> };
  readonly table7: Detailed;
  readonly table8: Detailed;
  readonly table9: Detailed;
  readonly inconsistencies: readonly string[];
  readonly weights: { readonly models_on_sample: readonly string[] };
};

/** Imports the tables on demand. */
export async function readPaper(): Promise<PaperNumbers> {
  const module = await import("./paper.json", { with: { type: "json" } });
  const paper: Paper = module.default;
  return { values: valuesOf(paper), tables: tablesOf(paper) };
}

const source = (table: number) => `PlanningArena paper (ACL 2025), Table ${table}`;
/** Percent in the paper, converted to shares. */
const measureOf: Readonly<Record<string, string>> = { Result: "result", PGR: "pgr" };
const measure = (column: string) => measureOf[column] ?? column;
/** Formats a number with one decimal, as in all tables of the paper. */
const printed = (percent: number | string) => ({
  value: typeof percent === "number" ? fractionOf(percent) : undefined,
  digits: 1,
});
/** Table 2 has its models in two groups of five. */
const groupOf = (model: string) => (/^(GPT|Gemini|Qwen-plus)/.test(model) ? "Proprietary" : "Open-weight");
const notComparable =
  "in the paper Result does not require every check to pass, and the paper uses other tasks and a judge model";
const structureNames: Readonly<Record<string, string>> = {
  OM: "one-to-many",
  MO: "many-to-one",
  MM1: "many-to-many-1",
  MM2: "many-to-many-2",
  MM3: "many-to-many-3",
  MM4: "many-to-many-4",
};

const valuesOf = (paper: Paper): Reported[] => [
  ...tableTwo(paper),
  ...tableFive(paper.table5),
  ...[7, 8, 9].flatMap((number) => detailed(paper[`table${number}` as "table7"], number, paper)),
];

const tableTwo = ({ table2, weights }: Paper): Reported[] =>
  table2.rows.flatMap((row) => {
    const tasks = weights.models_on_sample.includes(row.model) ? "a sample of 630 tasks" : "4500 tasks";
    const caveat = `${tasks}; ${notComparable}`;
    return table2.columns.flatMap((column): Reported[] => {
      const value = row[column];
      const where = whereOf(column);
      if (typeof value !== "number") return [];
      return [
        {
          source: source(2),
          row: row.model,
          group: groupOf(row.model),
          measure: "result",
          ...printed(value),
          where,
          caveat,
        },
      ];
    });
  });

/** Returns the facets of a column. `API_overall` is the mean over the API relations. */
function whereOf(column: string): Facets {
  if (column === "Overall") return {};
  if (column.endsWith("_overall")) return { interface: column.slice(0, 3) };
  const structure = structureNames[column];
  return structure === undefined ? { relation: column } : { structure };
}

const tableFive = ({ rows }: Flat): Reported[] =>
  Object.entries(rows).flatMap(([name, numbers]) => {
    const profile = name === "user_profile" ? "on" : "off";
    return Object.entries(numbers).flatMap(([column, value]): Reported[] => {
      if (value === null) return [];
      const row = `Qwen-plus, profile ${profile}`;
      const of = { source: source(5), row, measure: measure(column), ...printed(value), where: {} };
      return [{ ...of, setting: { profile }, caveat: notComparable }];
    });
  });

function detailed(table: Detailed, number: number, { inconsistencies }: Paper): Reported[] {
  const groups: readonly (readonly [Readonly<Record<string, Numbers>>, (name: string) => Facets])[] = [
    [table.rows.overall, (name) => (name === "Overall" ? {} : { interface: name })],
    [table.rows.level, (name) => ({ level: name.toLowerCase() })],
    [table.rows.level_app, (name) => ({ interface: "APP", level: name.toLowerCase() })],
    [table.rows.level_api, (name) => ({ interface: "API", level: name.toLowerCase() })],
    [table.rows.structure, (name) => (/API|APP/.test(name) ? { relation: name } : { structure: name })],
  ];
  const caveated = inconsistencies.filter((text) => text.includes(`Table ${number}`) || text.startsWith("Tables 7"));
  return groups.flatMap(([rows, where]) =>
    Object.entries(rows).flatMap(([name, numbers]) => {
      const about = where(name);
      return Object.entries(numbers).flatMap(([column, value]): Reported[] => {
        if (value === null) return [];
        const caveat = [notComparable, ...caveated.filter((text) => text.includes(` ${column} `))].join("; ");
        const of = { source: source(number), row: table.model, measure: measure(column), ...printed(value) };
        return [{ ...of, where: about, caveat }];
      });
    }),
  );
}

function tablesOf(paper: Paper): TableFigure[] {
  const two = Object.fromEntries(paper.table2.rows.map(({ model, ...row }) => [model, row as Numbers]));
  return [
    table("Table 1: tasks", "Relation", paper.table1.columns, paper.table1.rows, paper.table1.caveats, "number"),
    table("Table 2: Result of ten models", "Model", paper.table2.columns, two, [
      ...paper.table2.caveats,
      ...paper.inconsistencies.slice(0, 4),
    ]),
    table(
      "Table 5: with and without profile (Qwen-plus)",
      "Profile",
      paper.table5.columns,
      paper.table5.rows,
      paper.table5.caveats,
    ),
    sizes(paper.table6),
    ...[7, 8, 9].map((number) => {
      const { model, columns, rows } = paper[`table${number}` as "table7"];
      const named = Object.entries(rows).flatMap(([part, lines]) =>
        Object.entries(lines).map(
          ([name, numbers]) =>
            [part.startsWith("level_") ? `${part.slice(6).toUpperCase()} ${name}` : name, numbers] as const,
        ),
      );
      return table(
        `Table ${number}: details of ${model}`,
        "Tasks",
        columns,
        Object.fromEntries(named),
        paper.inconsistencies.slice(4),
      );
    }),
  ];
}

/** The groups of checks in Tables 5 and 7 to 9. */
const heads = { LPR: ["SC", "SR", "TD"], SMAR: ["FD-APP", "OSC", "FD-API", "PC", "TR"] };

function headOf(column: string): { readonly under?: readonly string[] } {
  const under = Object.entries(heads).flatMap(([head, checks]) => (checks.includes(column) ? [head] : []));
  return under.length === 0 ? {} : { under };
}

const table = (
  title: string,
  first: string,
  columns: readonly string[],
  rows: Readonly<Record<string, Numbers>>,
  caveats: readonly string[],
  unit: "percent" | "number" = "percent",
): TableFigure => ({
  kind: "table",
  title,
  columns: tableColumns(
    [first],
    columns.map((name) => ({ title: name.replace("_", " "), align: "right", ...headOf(name) })),
  ),
  rows: Object.entries(rows).map(([name, numbers]) => [
    { text: name.replaceAll("_", " "), reported: true },
    ...columns.map((column) => printedCell(numbers[column], unit, unit === "percent" ? 1 : undefined)),
  ]),
  notes: ["Reported by the paper; not comparable with rule scores.", ...caveats],
});

function sizes({ title, rows }: Paper["table6"]): TableFigure {
  return {
    kind: "table",
    title: `Table 6: ${title.toLowerCase()}`,
    columns: tableColumns(["Level"], sizeColumns),
    rows: Object.entries(rows).map(([level, sizes]) =>
      [{ text: level }, ...sizeNames.flatMap((name) => sizeCells(sizes[name]!))].map((cell) => ({
        ...cell,
        reported: true,
      })),
    ),
    notes: ["Levels were assigned by an agent; no formula is given and the ranges overlap."],
  };
}
