/** How often tools are used against the reference, and how runs with tools end that deliver nothing. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measure-cell.ts";
import type { Row } from "../source/engine/types.ts";

const PREFIX = "tool:";
const GROUP = "Tool use";

export const toolUse: Analysis = {
  name: "tool-use",
  title: "Tool use",
  question: "Which tools are used how often, and how do runs end that deliver no plan?",
  choices: () => ({ paper: ["on", "off"] }),
  missing: (runs) => (runs.some((run) => toolsOf([run]).length > 0) ? undefined : "No tool was used in these runs"),
  compute(runs, { paper = "on" }) {
    const acting = runs.filter((run) => toolsOf([run]).length > 0);
    const undelivered = acting.filter((run) => endingsOf(run).length > 0);
    const figures = [uses(acting, paper === "on")];
    return undelivered.length === 0 ? figures : [...figures, endings(undelivered, paper === "on")];
  },
};

/** Tools counted in these runs, by the metrics `tool:NAME`; `tool:failed` counts calls that went wrong. */
function toolsOf(runs: readonly RunRows[]): readonly string[] {
  const names = new Set<string>();
  for (const { rows } of runs) {
    for (const { score } of rows) {
      for (const name of Object.keys(score?.metrics ?? {})) {
        if (name.startsWith(PREFIX) && name !== "tool:failed") names.add(name);
      }
    }
  }
  return [...names].toSorted();
}

type Column = { readonly label: string; readonly group: string | number };

/** Mean uses a task, one line a tool, one column a run and number of days; printed columns at the right. */
function uses(runs: readonly RunRows[], paper: boolean): TableFigure {
  const by = runs.some(({ suite }) => suite.facets.some(({ name }) => name === "days")) ? "days" : undefined;
  const groups = runs.flatMap((run) => {
    const scored = run.rows.filter(({ score }) => score !== undefined);
    const parts: readonly (readonly [string | number, readonly Row[]])[] =
      by === undefined ? [["all", scored]] : [...cells.byFacet(scored, by, cells.facetOrder(runs, by))];
    return parts.map(([group, rows]) => ({ label: run.label, group, rows }));
  });
  const printed = paper && by !== undefined ? printedUses(runs, by) : { columns: [], value: () => undefined };
  const tools = toolsOf(runs);
  const lines = [...tools, "tool:failed"].map((tool): Cell[] => [
    cells.textCell(tool === "tool:failed" ? "calls that failed" : tool.slice(PREFIX.length)),
    ...groups.map(({ rows }) => meanCell(tool, rows)),
    ...printed.columns.map((column) => cells.printedCell(printed.value(tool, column), "number")),
  ]);
  const title = ({ label, group }: Column) => (by === undefined ? label : `${label}: ${group} days`);
  return {
    kind: "table",
    title: "Mean uses of each tool",
    columns: [
      { title: "Tool", align: "left" },
      ...[...groups, ...printed.columns].map((column) => ({ title: title(column), align: "right" as const })),
    ],
    rows: lines,
    notes: ["Uses a task, failed ones included", ...cells.shortfall(runs)],
  };
}

function meanCell(tool: string, rows: readonly Row[]): Cell {
  if (rows.length === 0) return cells.textCell("-");
  let sum = 0;
  for (const { score } of rows) sum += score?.metrics[tool] ?? 0;
  const value = sum / rows.length;
  const tasks = cells.refs(rows.filter(({ score }) => (score?.metrics[tool] ?? 0) > 0));
  return { text: value.toFixed(1), value, n: rows.length, tasks };
}

function printedUses(runs: readonly RunRows[], by: string) {
  const values = [...new Set(runs.flatMap(({ printed }) => printed.values))].filter(
    ({ measure, where }) => measure.startsWith(PREFIX) && where[by] !== undefined,
  );
  const groups = Map.groupBy(values, ({ row, where }) => `${row}\n${where[by]}`);
  const columns = [...groups.values()].map(([first]): Column => ({ label: first!.row, group: first!.where[by]! }));
  const value = (tool: string, { label, group }: Column) =>
    values.find(({ measure, row, where }) => measure === tool && row === label && where[by] === group);
  return { columns, value };
}

/** Rows of a run that delivered nothing for a reason of the suite's group of tool-use errors. */
function endingsOf(run: RunRows): readonly Row[] {
  const kinds = new Set(kindsOf(run).map(({ name }) => name));
  return run.rows.filter((row) => row.score?.errors.some(({ kind }) => kinds.has(kind)) === true);
}

function kindsOf({ suite }: RunRows) {
  return suite.errorKinds.filter(({ group }) => group === GROUP);
}

/** Shares of the runs that delivered nothing, one line a run, one column a kind of ending. */
function endings(runs: readonly RunRows[], paper: boolean): TableFigure {
  const kinds = kindsOf(runs[0]!);
  const lines = runs.map((run): Cell[] => {
    const ended = endingsOf(run);
    const shares = kinds.map(({ name }): Cell => {
      const hit = ended.filter((row) => row.score!.errors.some(({ kind }) => kind === name));
      const value = hit.length / ended.length;
      return { text: cells.shownValue(value, "percent"), value, n: ended.length, tasks: cells.refs(hit) };
    });
    return [cells.textCell(run.label), ...shares, cells.textCell(String(ended.length), { tasks: cells.refs(ended) })];
  });
  const printed = new Set(paper ? runs.flatMap((run) => run.printed.values) : []);
  const shares = [...printed].filter(({ measure }) => measure.startsWith("ending."));
  const below = [...Map.groupBy(shares, ({ row }) => row)].map(([row, values]): Cell[] => [
    cells.textCell(row, { printed: true, note: values[0]!.source }),
    ...kinds.map(({ name }) =>
      cells.printedCell(
        values.find(({ measure }) => measure === `ending.${name}`),
        "percent",
      ),
    ),
    cells.textCell("", { printed: true }),
  ]);
  return {
    kind: "table",
    title: "How runs without a plan ended",
    columns: [
      { title: "Run", align: "left" },
      ...kinds.map(({ title }) => ({ title, align: "right" as const })),
      { title: "n", align: "right" },
    ],
    rows: [...lines, ...below],
    notes: ["Percent of the runs with tools that delivered no plan", ...cells.shortfall(runs)],
  };
}
