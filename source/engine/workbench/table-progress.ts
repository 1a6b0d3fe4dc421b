/** How much of an analysis cell's tables is there, and what the rest takes. */
import type { Figure } from "../figure.ts";
import { type FilledShare, filledShare, filledText } from "../measures/filled-share.ts";
import { type Forecast, restText } from "../session/forecast.ts";
import type { Task, TaskRef } from "../types.ts";
import type { CellRuns } from "./cell-runs.ts";
import { completeRows, isComplete } from "./complete-rows.ts";
import type { PoolableRun } from "./pooled-runs.ts";
import type { CellState } from "./workbench.ts";

type Progress = Pick<Extract<CellState, { kind: "analysis" }>, "filled" | "rest">;
type Rest = { readonly rows: readonly unknown[]; readonly forecast: Forecast | undefined };

/** A run with tasks that have no score, and what is another one where its rows are. */
type OpenRun = { readonly run: string; readonly rows: unknown };

export class TableProgress {
  readonly #runs: CellRuns;
  readonly #working: (rest: Promise<boolean>) => void;
  /** By cell. */
  readonly #rests = new Map<string, Rest>();

  /** `working` is given each forecast that is begun: it resolves to whether there is something new to show. */
  constructor(runs: CellRuns, working: (rest: Promise<boolean>) => void) {
    this.#runs = runs;
    this.#working = working;
  }

  /** Undefined at first; there with the next look once it is worked out, and worked out again where rows have changed. */
  rest(cell: string, open: readonly OpenRun[]): Forecast | undefined {
    const known = this.#rests.get(cell);
    const rows = open.map((run) => run.rows);
    if (known?.rows.length === rows.length && known.rows.every((each, index) => each === rows[index]))
      return known.forecast;
    this.#rests.set(cell, { rows, forecast: undefined });
    const take = (forecast: Forecast) => {
      const isLast = this.#rests.get(cell)?.rows === rows;
      if (isLast) this.#rests.set(cell, { rows, forecast });
      return isLast;
    };
    // Where it cannot be worked out nothing is said; running it says what is wrong.
    this.#working(this.#runs.rest(open.map(({ run }) => run)).then(take, () => false));
    return undefined;
  }
}

/**
 * How much of each table is there, and the runs with tasks that have no score; `tasksOf` gives the tasks of a run, undefined while
 * they are not known. Nothing is said before anything has begun, or of no table.
 */
export function filledTables(
  found: readonly PoolableRun[],
  tasksOf: (run: string) => readonly Task[] | undefined,
  figuresOf: (runs: readonly PoolableRun[]) => readonly Figure[],
): { readonly filled: readonly FilledShare[]; readonly open: readonly PoolableRun[] } {
  const open = found.filter(({ run, rows }) => !isComplete(tasksOf(run) ?? [], rows));
  if (open.length === 0 || found.every(({ rows }) => rows.length === 0)) return { filled: [], open };
  const whole = found.map((run) => {
    const tasks = tasksOf(run.run);
    return tasks === undefined ? run : { ...run, rows: completeRows(run.run, tasks, run.rows) };
  });
  const scored = new Set<string>();
  for (const { rows } of found) for (const row of rows) if (row.state === "scored") scored.add(keyOf(row));
  const shares = figuresOf(whole).map((figure) => filledShare(figure, (task) => scored.has(keyOf(task))));
  return { filled: shares.filter((share) => share !== undefined), open };
}

const keyOf = ({ run, task }: TaskRef): string => `${run} ${task}`;

/** In words; no lines where all is there. */
export function progressTexts({ filled = [], rest }: Progress): readonly string[] {
  return [...filled.map(filledText), ...(rest === undefined ? [] : [restText(rest)])];
}
