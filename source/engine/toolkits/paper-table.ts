/** Tables of Tool-Planner's paper as reported, as figures and as single numbers. */
import type { PrintedTable } from "../benchmark.ts";
import { type Cell, tableColumns } from "../figure.ts";
import type { PaperNumbers, Reported } from "../suite.ts";
import { fractionOf, printedCell } from "../measures/measure-cell.ts";
import type { Facets } from "../types.ts";

type Value = string | number | null;
export type PaperTable = {
  readonly title: string;
  /** Columns with numbers: percentages, except for `epsilon`. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly [name: string]: Value }[];
  readonly caveats: readonly string[];
};

/** Some of the paper's tables by their numbers, and its full title. */
export type Paper = { readonly source: string; readonly tables: Readonly<Record<string, PaperTable>> };

/** Returns the measure and the facets of a column; undefined for a column without a counterpart in the suite. */
export type ColumnMeaning = (column: string) => { readonly measure: string; readonly where: Facets } | undefined;

type SettingOf = (row: PaperTable["rows"][number]) => Facets;

/**
 * Returns the content of the tables: every table as a whole, and its numbers one by one. `columns` describes the columns of each
 * table, and `settings` gives the settings of a row that `settingOf` would misread.
 */
export function paperNumbers(
  { source, tables }: Paper,
  columns: Readonly<Record<string, ColumnMeaning>>,
  settings: Readonly<Record<string, SettingOf>> = {},
): PaperNumbers {
  return {
    values: Object.entries(columns).flatMap(([number, about]) =>
      reportedValues(tables[number]!, number, "Tool-Planner paper (ICLR 2025)", about, settings[number] ?? settingOf),
    ),
    tables: Object.entries(tables).map(([number, table]) => tableFigure(table, number, source, columns[number]!)),
  };
}

/** A setting among the numbers of Table 8: DBSCAN's. */
const epsilon = "epsilon";

/** Returns the whole table; columns that identify a row (model, method, setting) come first. */
function tableFigure(table: PaperTable, number: string, source: string, about: ColumnMeaning): PrintedTable {
  const names = namesOf(table);
  const measured = [...names.map(() => undefined), ...table.columns.map(about)];
  return {
    measured,
    kind: "table",
    title: `Table ${number}: ${table.title}`,
    notes: [`As printed in ${source}`, ...table.caveats],
    columns: tableColumns(names.map(spaced), table.columns.map(spaced)),
    rows: table.rows.map((row) => [
      ...names.map((name): Cell => ({ text: String(row[name] ?? "") })),
      ...table.columns.map((column) =>
        column === epsilon ? printedCell(row[column], "number") : printedCell(row[column], "percent", 1),
      ),
    ]),
  };
}

const spaced = (name: string): string => name.replaceAll("_", " ");

const namesOf = ({ rows, columns }: PaperTable): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row)).filter((name) => !columns.includes(name))),
];

/**
 * Returns the numbers of a table one by one. `about` gives the measure and the facets of a column; columns without a measure are
 * omitted. Values are converted from percent to fractions.
 */
function reportedValues(table: PaperTable, number: string, source: string, about: ColumnMeaning, setting: SettingOf) {
  const names = namesOf(table);
  return table.rows.flatMap((row) =>
    table.columns.flatMap((column): Reported[] => {
      const known = about(column);
      const value = row[column];
      if (known === undefined || typeof value !== "number") return [];
      const title = names.flatMap((name) => (row[name] === undefined || row[name] === null ? [] : [String(row[name])]));
      const settings = setting(row);
      return [
        {
          source: `${source}, Table ${number}`,
          row: title.join(", "),
          ...known,
          value: fractionOf(value),
          digits: 1,
          ...(Object.keys(settings).length === 0 ? {} : { setting: settings }),
        },
      ];
    }),
  );
}

const methods = new Map([
  ["ReACT", "react"],
  ["Reflexion", "reflexion"],
  ["AdaPlanner", "adaplanner"],
  ["DFSDT", "dfsdt"],
  ["ToolChain*", "toolchain-star"],
  ["Tool-Planner", "tool-planner"],
]);

/** Returns the settings of a run in a row of Tool-Planner's tables: strategy, toolkits, actor, clustering. */
function settingOf(row: PaperTable["rows"][number]): Facets {
  const strategy = methods.get(String(row["method"]));
  const toolkits = row["setting"] === "with toolkit" ? "on" : row["setting"] === "without toolkit" ? "off" : undefined;
  const eps = typeof row[epsilon] === "number" ? { "clusters.method": "dbscan", "clusters.eps": row[epsilon] } : {};
  const actor = row["behavior_model"];
  // Table 4 is about GPT-4 alone and has no column for it.
  const model = toolkits === undefined ? row["model"] : "GPT-4";
  return {
    ...(strategy === undefined || typeof model !== "string" ? {} : { model }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(toolkits === undefined ? {} : { toolkits }),
    ...(typeof actor === "string" ? { actor } : {}),
    ...eps,
  };
}
