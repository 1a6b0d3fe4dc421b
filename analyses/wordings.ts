/**
 * Measures how much results depend on the wording, or on any other setting with several values. Compares the variation over its
 * values with the variation of sampling, and shows which texts differ and in which tasks the success differs.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { boundsColumn, type Cell, type TableFigure, tableColumns } from "../source/engine/figure.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { rowContents } from "../source/engine/measures/row-contents.ts";
import { fieldNames, fieldTitle, fieldValue } from "../source/engine/measures/run-field.ts";
import { groupsAcross, type RunGroup } from "../source/engine/measures/run-groups.ts";
import { variedKinds } from "../source/engine/run-settings.ts";
import { joinedLabel } from "../source/engine/settings/label.ts";
import { variedKind, variedTitles } from "../source/engine/settings/varied.ts";
import { type SpreadEstimate, type VarianceSplit, varianceSplit } from "../source/engine/statistics/variance-split.ts";
import type { Measure } from "../source/engine/suite.ts";
import type { Row } from "../source/engine/types.ts";
import { factOf } from "../source/engine/work/fact.ts";
import { flatMapped } from "../source/engine/work/growing-list.ts";
import { flipped } from "./compare.ts";
import { promptDifferences } from "./prompt-differences.ts";
import { counted } from "../source/engine/text/counted.ts";

export const wordings: Analysis = {
  name: "wordings",
  title: "Wordings",
  question: "How much does the result depend on the wording, apart from sampling and tasks?",
  choices: (runs) => ({
    measures: cells.measuresOf(runs).flatMap(({ name, each }) => (each === undefined ? [] : [name])),
    by: variedFields(runs),
  }),
  missing: (runs) =>
    variedFields(runs).length > 0
      ? undefined
      : "Runs with two prompts are needed: write `prompts: {standard: {}, careful: {plan: careful.md}}` in the run cell, or `vary: {tools: 5}` for five wordings of the tools",
  compute(runs, { measures: named = "", by = "prompts" }) {
    const measure = cells.measureNamed(runs, named);
    const groups = groupsAcross(runs, [by, "trial"])
      .flatMap((group) => (by === "vary" ? ofEachKind(group) : [group]))
      .filter(({ runs: own }) => levelsOf(own, by).size > 1);
    const splits = groups.flatMap((group) => {
      const split = splitOf(group, measure, by);
      return split === undefined ? [] : [{ group, split }];
    });
    return [
      spreadTable(splits, measure, titleOf(runs, by)),
      ...groups.map((group) => levelTable(group, measure, by)),
      ...groups.flatMap((group) => apart(group, measure, by)),
    ];
  },
};

/**
 * Returns a group for each kind of variant, each with the runs of the benchmark's own wording. Kinds are separate because each
 * kind is a factor with its own variation.
 */
function ofEachKind(group: RunGroup): readonly RunGroup[] {
  const kinds = variedKinds.filter((kind) => group.runs.some(({ spec }) => variedKind(spec.vary) === kind));
  return kinds.map((kind) => {
    const runs = group.runs.filter(({ spec }) => [undefined, kind].includes(variedKind(spec.vary)));
    const label = joinedLabel([group.label, variedTitles[kind]]);
    return { label, runs, rows: cells.endedRowsOf(runs) };
  });
}

type Split = { readonly group: RunGroup; readonly split: VarianceSplit };

const levelOf = (run: RunRows, by: string): string => String(fieldValue(run, by) ?? "standard");
const levelsOf = (runs: readonly RunRows[], by: string) => new Set(runs.map((run) => levelOf(run, by)));
const titleOf = (runs: readonly RunRows[], by: string): string => fieldTitle(runs, by).toLowerCase();

/** Returns the settings with several values, starting with prompts and system messages. */
function variedFields(runs: readonly RunRows[]): readonly string[] {
  const names = ["prompts", "system", ...new Set(runs.flatMap(fieldNames))].filter((name) => name !== "trial");
  return [...new Set(names)].filter((name) => levelsOf(runs, name).size > 1);
}

/** The value of a row's task. */
const valued = factOf((each: (row: Row) => number | undefined) => (row: Row) => {
  const [value, { task, question }] = [each(row), row];
  return value === undefined ? [] : [{ task: { task, question }, value }];
});

function splitOf({ runs }: RunGroup, { each }: Measure, by: string): VarianceSplit | undefined {
  return varianceSplit(
    runs.flatMap((run) =>
      (each === undefined ? [] : flatMapped(valued(each), run.rows)).map(({ task, value }) => {
        return { unit: cells.taskKey(task), level: levelOf(run, by), value };
      }),
    ),
  );
}

/** Lists the components of the spread of a mean, and their shares of the variance of a single value. */
function spreadTable(splits: readonly Split[], measure: Measure, title: string): TableFigure {
  const { unit } = measure;
  const over = `over ${title}`;
  const rows = splits.map(({ group, split }): readonly Cell[] => {
    const { variance, spread, units, levels } = split;
    const parts = [variance.unit, variance.level, variance.both, variance.sampling];
    const all = parts.reduce((sum, part) => sum + (part?.value ?? 0), 0);
    return [
      cells.withTasks({ text: group.label }, group.rows),
      cells.textCell(String(levels.length), { value: levels.length }),
      ...estimated(spread.level, unit),
      ...(spread.sampling === undefined
        ? [cells.textCell("-"), cells.textCell("-")]
        : estimated(spread.sampling, unit)),
      ...parts.map((part) => (part === undefined ? cells.textCell("-") : shareCell(part.value, all))),
      cells.textCell(String(units), { value: units }),
    ];
  });
  const unknown = splits.filter(({ split }) => split.unknown !== undefined);
  const left = splits.reduce((sum, { split }) => sum + split.left, 0);
  return {
    kind: "table",
    title: `${measure.title}: spread over ${title} beyond sampling`,
    columns: tableColumns(
      ["Run"],
      [
        "values",
        over,
        boundsColumn(over),
        "of sampling",
        boundsColumn("of sampling"),
        "task",
        title,
        "both",
        "sampling",
        "tasks",
      ],
    ),
    rows,
    notes: [
      `Spread: the standard deviation of the mean over these tasks, between values of ${title} (beyond sampling) and between repeats. Task, ${title}, both and sampling: percent of the variance of one result (random effects). Intervals resample tasks`,
      ...unknown.map(
        ({ group, split }) =>
          `${group.label}: sampling is unknown (${split.unknown}), so the spread over ${title} includes sampling: repeat the runs (\`repeats: 5\`) at a temperature above 0`,
      ),
      ...(left === 0 ? [] : [`${counted(left, "task")} left out, because not every value has results for these tasks`]),
    ],
  };
}

/** Returns the differences between two wordings, and the tasks that flipped between them. */
function apart({ runs }: RunGroup, measure: Measure, by: string): readonly TableFigure[] {
  const levels = [...Map.groupBy(runs, (run) => levelOf(run, by)).values()];
  const [before, after] = levels.map(([first]) => first!);
  if (by !== "prompts" || levels.length !== 2 || before === undefined || after === undefined) return [];
  const differences = promptDifferences(before, after);
  return [...(differences === undefined ? [] : [differences]), flipped(before, [after], measure)];
}

const estimated = ({ value, interval }: SpreadEstimate, unit: Measure["unit"]): readonly Cell[] => [
  cells.textCell(cells.shownValue(value, unit), { value }),
  cells.intervalCell(interval, unit),
];

function shareCell(value: number, all: number): Cell {
  if (all === 0) return cells.textCell("-");
  return cells.textCell(((value / all) * 100).toFixed(0), { value: value / all });
}

/** Lists the measure for each value of the setting, with the tasks behind it. */
function levelTable({ label, runs }: RunGroup, measure: Measure, by: string): TableFigure {
  const levels = [...Map.groupBy(runs, (run) => levelOf(run, by))];
  return {
    kind: "table",
    title: `${measure.title} by ${titleOf(runs, by)}: ${label}`,
    columns: tableColumns([fieldTitle(runs, by)], [measure.title, "tasks", "repeats"]),
    rows: levels.map(([level, own]) => {
      const rows = cells.endedRowsOf(own);
      const tasks = new Set(cells.namedTasks(rows).map(cells.taskKey)).size;
      const repeats = rowContents(rows).runs.size;
      return [
        cells.withTasks({ text: level }, rows),
        cells.measureCell(measure, rows),
        cells.textCell(String(tasks), { value: tasks }),
        cells.textCell(String(repeats), { value: repeats }),
      ];
    }),
    notes: cells.shortfall(runs),
  };
}
