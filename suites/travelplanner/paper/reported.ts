/** The paper's numbers that compare with a run's, and its whole tables. */
import { fractionOf, printedCell } from "../../../source/engine/measures/measure-cell.ts";
import { type Cell, type TableFigure, tableColumns } from "../../../source/engine/figure.ts";
import type { PaperNumbers, Reported } from "../../../source/engine/suite.ts";
import { slug } from "../score/error-kinds.ts";

type Value = number | null;
type Named = Readonly<Record<string, Value>>;
type Listed = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, Value | string>>[];
  readonly note?: string;
};
type Mapped = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Readonly<Record<string, Named>>;
};
type Paper = {
  readonly table3: Listed;
  readonly table4: Listed;
  readonly table5: Mapped;
  readonly tableB3: {
    readonly title: string;
    readonly rows: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
    readonly caveats: readonly string[];
  };
  readonly figureB1: Mapped;
};

const RATES: Readonly<Record<string, string>> = {
  delivery: "delivery",
  commonsense_micro: "commonsense.micro",
  commonsense_macro: "commonsense.macro",
  hard_micro: "hard.micro",
  hard_macro: "hard.macro",
  final: "final",
};
/** Headings of Table 3, by the mode of its rows. */
const groups: Readonly<Record<string, string>> = {
  baseline: "Greedy",
  "two-stage": "Two-stage",
  "sole-planning": "Sole-planning",
};
const source = (what: string) => `TravelPlanner paper (ICML 2024), ${what}`;

/** Imports the tables on demand. */
export async function readPaper(): Promise<PaperNumbers> {
  const module = await import("./paper.json", { with: { type: "json" } });
  const paper: Paper = module.default;
  return {
    values: [...mainValues(paper), ...constraintValues(paper), ...toolValues(paper), ...reflexionValues(paper)],
    tables: tablesOf(paper),
  };
}

/** Table 3 prints a bare 0 and 100. */
const digitsOf = (table: string, value: unknown): number =>
  table === "Table 3" && (value === 0 || value === 100) ? 0 : 1;

const mainValues = ({ table3 }: Paper): Reported[] =>
  table3.rows.flatMap((row) =>
    table3.columns.flatMap((column): Reported[] => {
      const [split, ...rate] = column.split("_");
      const value = row[column];
      if (typeof value !== "number") return [];
      return [
        {
          source: source("Table 3"),
          row: `${row["name"]}, ${row["mode"]}`,
          measure: RATES[rate.join("_")]!,
          value: fractionOf(value),
          digits: digitsOf("Table 3", value),
          group: groups[String(row["mode"])]!,
          where: { split: split! },
          setting: { mode: String(row["mode"]) },
        },
      ];
    }),
  );

const constraintValues = ({ table4 }: Paper): Reported[] =>
  table4.rows.flatMap((row) =>
    table4.columns.flatMap((column): Reported[] => {
      const value = row[column];
      if (typeof value !== "number") return [];
      const mode = column.startsWith("two_stage") ? "two-stage" : "sole-planning";
      const name = String(row["constraint"]);
      return [
        {
          source: source("Table 4"),
          row: `GPT-4-Turbo, ${mode}`,
          measure: row["group"] === "final" ? "final" : `constraint.${slug(name)}`,
          value: fractionOf(value),
          digits: 1,
          where: { split: "test", level: column.slice(column.lastIndexOf("_") + 1) },
          setting: { mode },
        },
      ];
    }),
  );

/** Reads the mean number of uses of each tool, and the shares of endings among undelivered runs. */
function toolValues({ table5, figureB1 }: Paper): Reported[] {
  const uses = Object.entries(table5.rows).flatMap(([tool, row]) =>
    Object.entries(row).map(([column, value]): Reported => {
      const [who, days] = column.split("_");
      const name = tool === "DistanceMatrix" ? "GoogleDistanceMatrix" : tool;
      return {
        source: source("Table 5"),
        row: who === "agent" ? "GPT-4-Turbo" : "reference",
        measure: `tool:${name}`,
        value: value!,
        where: { days: Number.parseInt(days!, 10) },
        setting: { mode: "two-stage" },
      };
    }),
  );
  const endings = Object.entries(figureB1.rows).flatMap(([row, shares]) =>
    Object.entries(shares).map(([kind, value]): Reported => ({
      source: source("Figure B.1"),
      row,
      measure: `ending.${kind}`,
      value: fractionOf(value!),
      digits: 1,
      where: {},
      setting: { mode: "two-stage" },
    })),
  );
  return [...uses, ...endings];
}

const reflexionValues = ({ tableB3 }: Paper): Reported[] =>
  Object.entries(tableB3.rows).flatMap(([row, rates]) =>
    Object.entries(rates).map(([rate, value]): Reported => ({
      source: source("Table B.3"),
      row: `${row}, sole-planning`,
      measure: RATES[rate]!,
      value: typeof value === "number" ? fractionOf(value) : undefined,
      digits: 1,
      group: groups["sole-planning"]!,
      where: { split: "validation" },
      setting: { mode: "sole-planning" },
      caveat: tableB3.caveats.join(" "),
    })),
  );

function tablesOf({ table3, table4, table5, figureB1, tableB3 }: Paper): readonly TableFigure[] {
  const listed = (table: Listed, names: readonly string[], number: string): TableFigure => ({
    kind: "table",
    title: `${number}: ${table.title}`,
    notes: [source(number), ...(table.note === undefined ? [] : [table.note])],
    columns: columnsOf(names, table.columns),
    rows: table.rows.map((row) => [
      ...names.map((name) => text(String(row[name]))),
      ...table.columns.map((column) => printedCell(row[column], "percent", digitsOf(number, row[column]))),
    ]),
  });
  const mapped = (
    table: Mapped | (typeof tableB3 & Pick<Mapped, "columns">),
    number: string,
    unit?: "number",
  ): TableFigure => ({
    kind: "table",
    title: `${number}: ${table.title}`,
    notes: [source(number)],
    columns: columnsOf([""], table.columns),
    rows: Object.entries(table.rows).map(([name, row]) => [
      text(name),
      ...table.columns.map((column) => printedCell(row[column], unit, digitsOf(number, row[column]))),
    ]),
  });
  const columns = Object.keys(RATES);
  const reflexion = mapped({ ...tableB3, columns }, "Table B.3");
  return [
    listed(table3, ["mode", "name"], "Table 3"),
    listed(table4, ["group", "constraint"], "Table 4"),
    mapped(table5, "Table 5", "number"),
    mapped(figureB1, "Figure B.1"),
    { ...reflexion, notes: [...reflexion.notes, ...tableB3.caveats] },
  ];
}

const columnsOf = (names: readonly string[], columns: readonly string[]): TableFigure["columns"] =>
  tableColumns(
    names,
    columns.map((title) => title.replaceAll("_", " ")),
  );

const text = (shown: string): Cell => ({ text: shown, reported: true });
