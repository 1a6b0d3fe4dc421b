/**
 * Analyses repeats of the same run: how reliable their mean is, how much several tries gain, and which tasks have differing
 * outcomes.
 */
import type { Analysis, RunRows } from "../source/engine/analysis.ts";
import { type Cell, type TableFigure, boundsColumn, tableColumns } from "../source/engine/figure.ts";
import { verdictOf } from "../source/engine/log/rows/verdict.ts";
import * as cells from "../source/engine/measures/measure-cell.ts";
import { hasRepeats, trialPools, type TrialPool } from "../source/engine/measures/run-groups.ts";
import { clusteredMean, shareInterval, type ClusteredMean } from "../source/engine/statistics/clustered-mean.ts";
import { disagreement, passAtK, passHatK } from "../source/engine/statistics/pass-at-k.ts";
import type { Measure } from "../source/engine/suite.ts";
import { counted } from "../source/engine/text/counted.ts";
import type { Row } from "../source/engine/types.ts";
import { factOf } from "../source/engine/work/fact.ts";
import { flatMapped } from "../source/engine/work/growing-list.ts";

export const consistency: Analysis = {
  name: "consistency",
  title: "Consistency",
  question: "How much do repeats of the same run differ?",
  choices: (runs) => ({
    measures: ["main", ...meansFirst(runs).map(({ name }) => name)],
    tasks: ["differing", "all"],
  }),
  missing: (runs) =>
    hasRepeats(runs)
      ? undefined
      : "No run was repeated: write `repeats: 5` in the run cell; trials that have ended are kept",
  compute(runs, { measures: named = "main", tasks = "differing" }) {
    const measure = named === "main" ? cells.firstKnown(meansFirst(runs), runs) : cells.measureNamed(runs, named);
    const pools = trialPools(runs).filter(({ trials }) => trials.length > 1);
    const shortfall = cells.shortfall(runs);
    return [
      meansTable(pools, measure, shortfall),
      triesTable(pools, measure),
      ...pools.map((pool) => tasksTable(pool, measure, tasks === "all")),
    ];
  },
};

/** Lists, for each mode, means over tasks first; other measures have no standard error here. */
function meansFirst(runs: readonly RunRows[]): readonly Measure[] {
  const modes = Map.groupBy(cells.measuresOf(runs), ({ mode }) => mode).values();
  return [...modes].flatMap((all) => [
    ...all.filter(({ each }) => each !== undefined),
    ...all.filter(({ each }) => each === undefined),
  ]);
}

/** One value of a task in one trial. */
type Value = Pick<Row, "run" | "task" | "question" | "facets"> & { readonly value: number };

const valued = factOf((each: (row: Row) => number | undefined) => (row: Row): Value | readonly Value[] => {
  const [value, { run, task, question, facets }] = [each(row), row];
  return value === undefined ? [] : { run, task, question, facets, value };
});

const valuesOf = (rows: readonly Row[], each: Measure["each"]): readonly Value[] =>
  each === undefined ? [] : flatMapped(valued(each), rows);

const byTask = <Of extends cells.NamedTask>(values: readonly Of[]): readonly (readonly Of[])[] => [
  ...Map.groupBy(values, cells.taskKey).values(),
];

function meansTable(pools: readonly TrialPool[], measure: Measure, shortfall: readonly string[]): TableFigure {
  const { unit } = measure;
  const groups = groupFacets(pools);
  const lines = pools.map((pool): readonly Cell[] => {
    const values = valuesOf(pool.rows, measure.each);
    const task = clustered(values, cells.taskKey);
    const facet = pool.suite.groupFacet;
    const group =
      facet === undefined ? undefined : clustered(values, (of) => String(of.facets[facet] ?? cells.taskKey(of)));
    // The widest group that shares material decides.
    const interval = (group ?? task)?.interval;
    const shares = byTask(values).flatMap((each) => disagreement(each.map(({ value }) => value)) ?? []);
    const disagree = shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const byTrial = pool.trials
      .map((rows) => cells.measureCell(measure, rows))
      .filter(({ value }) => value !== undefined);
    const ordered = byTrial.toSorted(
      (one, other) => (one.value! - other.value!) * (measure.better === "higher" ? 1 : -1),
    );
    return [
      cells.withTasks({ text: pool.label }, pool.rows),
      cells.textCell(String(pool.trials.length), { value: pool.trials.length }),
      cells.measureCell(measure, pool.rows),
      errorCell(task, unit),
      ...(groups.length === 0 ? [] : [errorCell(group, unit)]),
      cells.intervalCell(interval, unit),
      ordered.at(-1) ?? cells.textCell("-"),
      ordered[0] ?? cells.textCell("-"),
      cells.valueCell(disagree, "percent", shares.length),
      cells.textCell(String(task?.clusters ?? 0), { value: task?.clusters ?? 0 }),
    ];
  });
  return {
    kind: "table",
    title: `${measure.title} over trials`,
    columns: tableColumns(
      ["Run"],
      [
        "trials",
        "mean",
        "s.e. by task",
        ...groups.map((title) => `s.e. by ${title.toLowerCase()}`),
        boundsColumn("mean"),
        "best",
        "worst",
        "disagree",
        "tasks",
      ],
    ),
    rows: lines,
    notes: [
      measure.each === undefined
        ? "This measure is not a mean over tasks, so it has no standard error"
        : `Mean over all trials; s.e.: standard error clustered by task${groups.length === 0 ? "" : ", and by group, which gives the interval"}, because trials of one task are not independent tasks`,
      "Best, worst: the mean of the best and of the worst trial. Disagree: mean percent of tasks on which two trials differ",
      ...shortfall,
    ],
  };
}

const clustered = (values: readonly Value[], clusterOf: (of: Value) => string): ClusteredMean | undefined =>
  clusteredMean(values.map((of) => ({ value: of.value, cluster: clusterOf(of) })));

/** Returns the titles of the facets that group tasks, at most one per suite. */
function groupFacets(pools: readonly TrialPool[]): readonly string[] {
  const titles = pools.flatMap(({ suite }) =>
    suite.facets.filter(({ name }) => name === suite.groupFacet).map(({ title }) => title),
  );
  return [...new Set(titles)].slice(0, 1);
}

function errorCell(mean: ClusteredMean | undefined, unit: Measure["unit"]): Cell {
  const error = mean?.standardError;
  if (error === undefined) return cells.textCell("-");
  return { text: cells.shownValue(error, unit), value: error, n: mean!.clusters };
}

const isRight = ({ score }: Row): number | undefined => {
  const verdict = verdictOf(score);
  return verdict === "unscored" ? undefined : Number(verdict === "right");
};

/** Returns the values of k to show: all small values, then fewer. */
const tries = [1, 2, 3, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100];

function triesTable(pools: readonly TrialPool[], measure: Measure): TableFigure {
  const binary = pools.map(({ rows }) => valuesOf(rows, measure.each).every(({ value }) => value === 0 || value === 1));
  const isMeasured = measure.each !== undefined && !binary.includes(false);
  const lines = pools.flatMap(({ label, rows: all, trials: of }): readonly Cell[][] => {
    const tasks = byTask(valuesOf(all, isMeasured ? measure.each : isRight));
    const results = tasks.map((trials) => {
      return { trials: trials.length, successes: trials.reduce((sum, { value }) => sum + value, 0) };
    });
    const shown = tries.filter((k) => k <= of.length);
    return shown.map((k) => {
      const [any, all] = [passAtK, passHatK].map((estimate) =>
        results.flatMap(({ trials, successes }) => estimate(trials, successes, k) ?? []),
      );
      return [
        cells.textCell(label),
        cells.textCell(String(k), { value: k }),
        ...meanCells(any!),
        ...meanCells(all!),
        cells.textCell(String(any!.length), { value: any!.length }),
      ];
    });
  });
  return {
    kind: "table",
    title: "Right in at least one of k tries (pass@k), and in all of them (pass^k)",
    columns: tableColumns(["Run", "k"], ["pass@k", boundsColumn("pass@k"), "pass^k", boundsColumn("pass^k"), "tasks"]),
    rows: lines,
    notes: [
      "Unbiased estimators (Chen et al. 2021; Yao et al. 2024), averaged over the tasks with at least k scored trials; intervals are over tasks",
      isMeasured ? `Right: ${measure.title} is 1` : "Right: as marked in the run's list of tasks",
    ],
  };
}

/** Returns the mean over tasks, each with one value, and its interval. */
function meanCells(values: readonly number[]): readonly Cell[] {
  const found = clusteredMean(values.map((value, at) => ({ value, cluster: String(at) })));
  const interval = found && shareInterval(found);
  return [cells.valueCell(found?.mean, "percent", values.length), cells.intervalCell(interval, "percent")];
}

function tasksTable(pool: TrialPool, measure: Measure, all: boolean): TableFigure {
  const tasks = byTask(valuesOf(pool.rows, measure.each)).map((values) => {
    const numbers = values.map(({ value }) => value).toSorted((one, other) => one - other);
    const [low, high] = [numbers[0]!, numbers.at(-1)!];
    const [best, worst] = measure.better === "higher" ? [high, low] : [low, high];
    return { values, best, worst, disagree: disagreement(numbers) ?? 0 };
  });
  const differing = tasks.filter(({ best, worst }) => best !== worst);
  const shown = (all ? tasks : differing).toSorted((one, other) => other.disagree - one.disagree);
  const value = (number: number): Cell => ({ text: cells.shownValue(number, measure.unit), value: number });
  return {
    kind: "table",
    title: `${all ? "Tasks" : "Tasks whose trials differ"}: ${pool.label}`,
    columns: tableColumns(
      ["Task"],
      ["best", "worst", "mean", "disagree", "trials", { title: "Question", align: "left" }],
    ),
    rows: shown.map(({ values, best, worst, disagree }) => [
      cells.textCell(values[0]!.task, { tasks: values.map(({ run, task }) => ({ run, task })) }),
      value(best),
      value(worst),
      value(values.reduce((sum, each) => sum + each.value, 0) / values.length),
      cells.valueCell(disagree, "percent", values.length),
      cells.textCell(String(values.length), { value: values.length }),
      cells.textCell(values[0]!.question),
    ]),
    notes: [
      measure.each === undefined
        ? `${measure.title} has no value for each task`
        : `The results of trials differ in ${differing.length} of ${counted(tasks.length, "task")}; the column \`disagree\` has the percentage of pairs of trials that differ`,
    ],
  };
}
