/** How the measures depend on how hard the tasks are: one row per run and group, the paper's rows below. */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import type { Cell, TableFigure } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import type { Measure, Reported } from "../source/engine/suite.ts";

/** Measures shown where not all are asked for: the first that have a number. */
const main = 6;

export const difficulty: Analysis = {
  name: "difficulty",
  title: "Difficulty",
  question: "How do the scores change from group to group of tasks?",
  choices(runs) {
    const reported = new Set(runs.flatMap((run) => run.reported.values.map(({ row }) => row)));
    const modes = [...new Set(cells.measuresOf(runs).map(({ mode }) => mode))];
    return { by: cells.usableFacets(runs), mode: modes, measures: ["main", "all"], paper: ["off", "all", ...reported] };
  },
  missing: (runs) => (cells.usableFacets(runs).length === 0 ? "This suite groups its tasks by nothing" : undefined),
  compute(runs, { by = "", mode = "", measures: howMany = "main", paper = "off" }) {
    const all = cells.measuresOf(runs).filter((measure) => measure.mode === mode);
    const known = all.filter((measure) => isKnown(measure, runs));
    const measures = howMany === "all" ? all : (known.length === 0 ? all : known).slice(0, main);
    const rows = runs.flatMap((run) => runRows(run, runs, by, measures));
    const reported = paper === "off" ? [] : reportedRows(runs, by, measures, paper);
    const figure: TableFigure = {
      kind: "table",
      title: `Scores by ${cells.facetTitle(runs, by).toLowerCase()} (${mode})`,
      columns: [
        { title: "Run", align: "left" },
        { title: cells.facetTitle(runs, by), align: "left" },
        ...measures.map(({ title }) => ({ title, align: "right" as const })),
        { title: "n", align: "right" },
      ],
      rows: [...rows, ...reported],
      notes: [...measureNotes(measures), ...cells.shortfall(runs)],
    };
    return [figure];
  },
};

/** Notes of measures, each once; measures that share a note are named together. */
function measureNotes(measures: readonly Measure[]): readonly string[] {
  const byNote = Map.groupBy(
    measures.filter(({ note }) => note !== undefined),
    ({ note }) => note!,
  );
  return [...byNote].map(([note, sharing]) => `${sharing.map(({ title }) => title).join(", ")}: ${note}`);
}

/** Whether any run has a number for it: a suite of many abilities has measures that a run of one of them cannot give. */
function isKnown(measure: Measure, runs: readonly RunRows[]): boolean {
  return runs.some(
    ({ suite, rows }) =>
      suite.measures.some(({ name }) => name === measure.name) &&
      cells.measureCell(measure, cells.endedRows(rows)).value !== undefined,
  );
}

function runRows(run: RunRows, runs: readonly RunRows[], by: string, measures: readonly Measure[]): Cell[][] {
  const ended = cells.endedRows(run.rows);
  const groups = [...cells.byFacet(ended, by, cells.facetOrder(runs, by))];
  const line = (name: string, rows: typeof ended): Cell[] => [
    cells.textCell(run.label),
    cells.textCell(name, { tasks: cells.refs(rows) }),
    ...measures.map((measure) =>
      run.suite.measures.some(({ name: own }) => own === measure.name)
        ? cells.measureCell(measure, rows)
        : cells.textCell("-"),
    ),
    cells.textCell(String(rows.length), { value: rows.length, tasks: cells.refs(rows) }),
  ];
  const lines = groups.map(([value, rows]) => line(String(value), rows));
  return groups.length > 1 ? [...lines, line("all", ended)] : lines;
}

/** Reported numbers that belong in this table: of these measures, about these groups. */
function fitting(runs: readonly RunRows[], by: string, measures: readonly Measure[]): readonly Reported[] {
  const names = new Set(measures.map(({ name }) => name));
  const all = new Set(runs.flatMap((run) => run.reported.values));
  return [...all].filter(
    ({ measure, where }) => names.has(measure) && Object.keys(where).every((facet) => facet === by),
  );
}

/** One row per reported model and group; `which` is `all` or a model. */
function reportedRows(runs: readonly RunRows[], by: string, measures: readonly Measure[], which: string): Cell[][] {
  const chosen = fitting(runs, by, measures).filter(({ row }) => which === "all" || row === which);
  // One model may be reported several times: with other prompting, with demonstrations.
  const groups = Map.groupBy(chosen, ({ row, where, setting = {} }) =>
    JSON.stringify([row, where[by] ?? "all", Object.entries(setting).toSorted()]),
  );
  const settings = Map.groupBy(chosen, ({ row, setting = {} }) =>
    JSON.stringify([row, Object.entries(setting).toSorted()]),
  );
  return [...groups.values()].map((reported) => {
    const { row, where, setting = {} } = reported[0]!;
    const several = [...settings.keys()].filter((key) => key.startsWith(`[${JSON.stringify(row)},`)).length > 1;
    const suffix = several
      ? ` (${
          Object.entries(setting)
            .map(([name, value]) => `${name} ${value}`)
            .join(", ") || "plain"
        })`
      : "";
    const of = new Map(reported.map((each) => [each.measure, each]));
    const sources = [...new Set(reported.map(({ source }) => source))].join("; ");
    return [
      cells.textCell(`${row}${suffix}`, { reported: true, note: sources }),
      cells.textCell(String(where[by] ?? "all"), { reported: true }),
      ...measures.map(({ name, unit }) => cells.reportedCell(of.get(name), unit)),
      cells.textCell("", { reported: true }),
    ];
  });
}
