/** How much of an analysis cell's tables is there, and what the rest takes. */
import type { Figure } from "../figure.ts";
import { filledShare, filledText } from "../measures/filled-share.ts";
import { type Forecast, restText } from "../session/forecast.ts";
import type { Row, TaskRef } from "../types.ts";
import type { CellRuns } from "./cell-runs.ts";
import { completeRows, isComplete } from "./complete-rows.ts";
import type { PoolableRun } from "./pooled-runs.ts";
import type { CellState } from "./workbench.ts";

type Progress = Pick<Extract<CellState, { kind: "analysis" }>, "filled" | "rest">;
type Rest = { readonly rows: readonly (readonly Row[])[]; readonly forecast: Forecast | undefined };

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

  /** Nothing is said before anything has begun, or of no table; of the rest, nothing while runs are busy. */
  of(
    cell: string,
    found: readonly PoolableRun[],
    busy: boolean,
    figuresOf: (runs: readonly PoolableRun[]) => readonly Figure[],
  ): Progress {
    const open: PoolableRun[] = [];
    for (const run of found) if (!isComplete(this.#runs.tasks(run.run) ?? [], run.rows)) open.push(run);
    if (open.length === 0 || found.every(({ rows }) => rows.length === 0)) return {};
    const tasksOf = ({ run }: PoolableRun) => this.#runs.tasks(run);
    const whole = found.map((run) => {
      const tasks = tasksOf(run);
      return tasks === undefined ? run : { ...run, rows: completeRows(run.run, tasks, run.rows) };
    });
    const isScored = ({ run, task }: TaskRef) => this.#runs.control(run)?.store.table.row(task)?.state === "scored";
    const shares = figuresOf(whole).map((figure) => filledShare(figure, isScored));
    const filled = shares.filter((share) => share !== undefined);
    if (filled.length === 0) return {};
    const rest = busy ? undefined : this.#rest(cell, open);
    return { filled, ...(rest === undefined ? {} : { rest }) };
  }

  /** Undefined at first; there with the next look once it is worked out, and worked out again where rows have changed. */
  #rest(cell: string, open: readonly PoolableRun[]): Forecast | undefined {
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

/** In words; no lines where all is there. */
export function progressTexts({ filled = [], rest }: Progress): readonly string[] {
  return [...filled.map(filledText), ...(rest === undefined ? [] : [restText(rest)])];
}
