/** Computes how complete an analysis cell's tables are, and the remaining work. */
import type { Figure } from "../../figure.ts";
import { CellsByTask, type FilledShare, filledText } from "../../measures/filled-share.ts";
import { rowContents, scoredCount } from "../../measures/row-contents.ts";
import { restText } from "../../session/forecast.ts";
import type { Row, Task } from "../../types.ts";
import { filtered } from "../../work/growing-list.ts";
import type { PoolableRun } from "../runs/wanted-runs.ts";
import type { CellState } from "../session-state.ts";
import { noUsage } from "../../log/rows/run-sums.ts";

/** `rest` computes shares that need all tables once more, as they are after the end of all runs. */
type Filled = {
  readonly filled: readonly FilledShare[];
  readonly open: readonly string[];
  readonly rest?: () => readonly FilledShare[];
};

/** The inputs of tables. */
type Given = {
  readonly cell: string;
  readonly source: string;
  readonly runs: readonly PoolableRun[];
  /** Returns the tasks of a run; undefined while they are unknown. */
  readonly tasksOf: (run: string) => readonly Task[] | undefined;
  readonly figuresOf: (runs: readonly PoolableRun[]) => readonly Figure[];
};

export class FilledTables {
  /** The cells of figures after the end of all runs, with the runs from which they were computed. */
  readonly #whole = new Map<
    string,
    { readonly key: string; readonly cells: CellsByTask; readonly runs: readonly PoolableRun[] }
  >();

  /**
   * Returns the complete share of each table, and the runs with unscored tasks. Returns no shares before the first run starts.
   * The cells of complete tables contain their tasks, so complete tables are computed again only if a score has a new metric,
   * label or kind of error, or another input arrives; for inactive runs also if a row has changed.
   */
  of({ cell, source, runs, tasksOf, figuresOf }: Given): Filled {
    const open = runs.flatMap(({ run, rows, isDecided }) =>
      isDecided === true || areScored(tasksOf(run) ?? [], rows) ? [] : run,
    );
    if (open.length === 0 || runs.every(({ rows }) => rows.length === 0)) {
      this.#whole.delete(cell);
      return { filled: [], open };
    }
    const key = JSON.stringify([source, ...runs.map((run) => shapeOf(run, tasksOf(run.run)))]);
    const isExecuted = runs.some(({ isAtRest }) => isAtRest !== true);
    const known = this.#whole.get(cell);
    const isKnown = known?.key === key && (isExecuted || runs.every(({ rows }, at) => rows === known.runs[at]!.rows));
    const sharesOf = (cells: CellsByTask) => {
      this.#whole.set(cell, { key, cells, runs });
      const rowsOf = Map.groupBy(runs, ({ run, rows }) => rows[0]?.run ?? run);
      return cells.shares(new Map([...rowsOf].map(([run, parts]) => [run, joinedRows(parts)])));
    };
    if (isKnown) return { filled: sharesOf(known.cells), open };
    return { filled: [], open, rest: () => sharesOf(new CellsByTask(figuresOf(completed(runs, tasksOf)))) };
  }
}

/** Returns everything that affects which cells tables have. */
function shapeOf(
  { run, rows, clusters, statistics, floors, answers }: PoolableRun,
  tasks: readonly Task[] | undefined,
): readonly unknown[] {
  const { metrics, labels, errorKinds } = rowContents(rows);
  const inputs = [clusters, statistics, floors, answers].map((input) => input !== undefined);
  return [run, tasks?.length, [...metrics], [...labels], [...errorKinds], inputs];
}

/** Returns the runs as if all tasks had ended; intervals of unfinished runs would cost as much as all other numbers together. */
function completed(runs: readonly PoolableRun[], tasksOf: Given["tasksOf"]): readonly PoolableRun[] {
  return runs.map((run) => {
    const tasks = tasksOf(run.run);
    if (tasks === undefined) return run;
    const { unfinished: _, ...rest } = run;
    return { ...rest, rows: completeRows(run.run, tasks, run.rows) };
  });
}

const scoredTasks = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ state, task }) => (state === "scored" ? task : [])));

/** Returns true if all tasks have a score; with too few scores, no row is read. */
function areScored(tasks: readonly Task[], rows: readonly Row[]): boolean {
  if (scoredCount(rows) < tasks.length) return false;
  const scored = scoredTasks(rows);
  return tasks.every(({ id }) => scored.has(id));
}

const isScored = ({ state }: Row): boolean => state === "scored";

/** Returns the rows of a run, of which several cells may show parts; a scored task of several parts has one row. */
function joinedRows([first, ...others]: readonly PoolableRun[]): readonly Row[] {
  if (others.length === 0) return first!.rows;
  const scored = [first!, ...others].flatMap(({ rows }) => filtered(isScored, rows));
  return [...new Map(scored.map((row) => [row.task, row])).values()];
}

/** Returns progress in words; no lines if tables are complete. */
export function progressTexts({
  filled = [],
  counted,
  rest,
}: Pick<Extract<CellState, { kind: "analysis" }>, "filled" | "counted" | "rest">): readonly string[] {
  return [
    ...(counted === undefined
      ? []
      : [`Based on ${counted.of} of ${counted.ended} ended ${counted.ended === 1 ? "task" : "tasks"}`]),
    ...filled.map(filledText),
    ...(rest === undefined ? [] : [restText(rest)]),
  ];
}

/** Adds a failed row for each task without an ended row, so that a table has all its lines and columns. */
function completeRows(run: string, tasks: readonly Task[], rows: readonly Row[]): readonly Row[] {
  const known = new Map<string, Row>();
  for (const row of rowContents(rows).ended) known.set(row.task, row);
  return tasks.map((task) => known.get(task.id) ?? openRow(run, task));
}

function openRow(run: string, { id, question, facets }: Task): Row {
  return {
    run,
    task: id,
    question,
    facets,
    state: "failed",
    score: undefined,
    failure: { kind: "model", message: "Not executed yet" },
    notes: [],
    counted: noUsage,
    spent: noUsage,
    from: 0,
    to: 0,
  };
}
