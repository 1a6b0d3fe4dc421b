/** The paper's Table 2, counted over the loaded tasks. */
import type { Cell, TableFigure } from "../../../source/engine/figure.ts";
import { categories, type AppTask, callsOf } from "./gold.ts";
import { topologyOf } from "./topology.ts";

type Counted = Readonly<Record<string, number>>;
type Paper = { readonly rows: Readonly<Record<string, Readonly<Record<string, number>>>> };

/** Builds one line for each number in the paper's table, with our number and the paper's for each category that has tasks. */
export async function statisticsOf(tasks: readonly AppTask[]): Promise<TableFigure> {
  const module = await import("../paper/paper.json", { with: { type: "json" } });
  const paper: Paper = module.default.table2;
  const groups = categories.map((name) => [name, tasks.filter(({ facets }) => facets["category"] === name)] as const);
  const shown = groups.filter(([, own]) => own.length > 0).map(([name, own]) => ({ name, counted: count(own) }));
  const right = { align: "right" as const };
  return {
    kind: "table",
    title: "The tasks by category",
    columns: [
      { title: "", align: "left" },
      ...shown.flatMap(({ name }) => ["here", "paper"].map((title) => ({ title, ...right, under: [name] }))),
    ],
    rows: Object.entries(paper.rows).map(([line, values]): Cell[] => [
      { text: line },
      ...shown.flatMap(({ name, counted }): Cell[] => [
        numberCell(counted[line]!, line),
        { ...numberCell(values[name]!, line), reported: true },
      ]),
    ]),
    notes: [
      "Counted over all tasks of the split; each call counts as an API; arguments are averaged per call",
      "Sequential: calls per component, over all components; parallel: components per task, as the official program counts them",
      "The published files differ from the paper's table in MS and MM: these are not the files the paper used",
    ],
  };
}

/** Means have one decimal, as the paper prints them. */
const numberCell = (value: number, line: string): Cell => ({
  text: line.startsWith("Avg.") ? value.toFixed(1) : String(value),
  value,
});

function count(tasks: readonly AppTask[]): Counted {
  const calls = tasks.map(({ answer }) => callsOf(answer));
  const names = tasks.flatMap(({ answer }, index) =>
    answer.used_api.slice(0, calls[index]!.length).flatMap((call) => Object.keys(call)),
  );
  const keys = tasks.flatMap(({ answer }) =>
    answer.used_api.flatMap((call) => Object.values(call).map((given) => Object.keys(given).length)),
  );
  const apps = tasks.map(({ answer }) => new Set(answer.used_app));
  const sizes = calls.map((own) => topologyOf(own.map(({ text }) => text)).sizes);
  const components = sizes.map((own) => own.length);
  return {
    "# Samples": tasks.length,
    "# Apps": new Set(apps.flatMap((own) => [...own])).size,
    "# APIs": new Set(names).size,
    "Avg. Apps": mean(apps.map((own) => own.size)),
    "Avg. APIs": mean(calls.map((own) => own.length)),
    "Avg. arguments": mean(keys),
    "Max. Seq.": Math.max(...sizes.flat()),
    "Max. Para.": Math.max(...components),
    "Avg. Seq.": mean(sizes.flat()),
    "Avg. Para.": mean(components),
  };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
