/** The tasks of one run: their list, the number in each state, and their order on the screen. */
import { taskCounts, type TaskCounts, taskState } from "../../log/rows/task-counts.ts";
import type { ReadStore } from "../../log/run-view.ts";
import { chosenTasks, filteredTasks, type TaskChoice, taskChoice } from "../../run/sampling.ts";
import { unfinishedRun } from "../../measures/unfinished.ts";
import type { PlannedRun } from "../../session/run-cell.ts";
import type { Row, Task } from "../../types.ts";
import type { ForkedPlaces } from "./run-home.ts";
import type { RunContext } from "./run-context.ts";
import type { BoardTask } from "../session-state.ts";

/** `running` names tasks in execution that have not ended. */
type CountedTasks = {
  readonly counts: TaskCounts;
  readonly total: number;
  readonly running: readonly string[];
};

export class RunTasks {
  readonly #planned: Pick<PlannedRun, "spec" | "predictions">;
  readonly #store: ReadStore;
  readonly #loadedSuites: RunContext["loadedSuites"];
  readonly #board: BoardTasks;
  #chosen: TaskChoice | undefined;
  #strays: { readonly of: readonly Task[]; readonly rows: number; readonly count: number } | undefined;
  #listed: { readonly from: readonly Row[]; readonly of: readonly Task[]; readonly rows: readonly Row[] } | undefined;

  constructor(
    planned: Pick<PlannedRun, "spec" | "predictions">,
    store: ReadStore,
    { loadedSuites }: Pick<RunContext, "loadedSuites">,
    points?: ForkedPlaces,
  ) {
    this.#points = points;
    this.#planned = planned;
    this.#store = store;
    this.#loadedSuites = loadedSuites;
    this.#board = new BoardTasks(store);
  }

  /** Reads the data once. Rejects if they are missing, or if they are not the run's data. */
  async read(): Promise<readonly Task[]> {
    if (this.#points !== undefined) return this.#readPoints(this.#points);
    this.#chosen ??= await taskChoice(this.#loadedSuites, this.#planned.spec);
    return this.#chosen.tasks;
  }
  readonly #points: ForkedPlaces | undefined;
  #pointsOf = -1;

  /** Reads the places to fork from again if the results of the original run have changed. */
  async #readPoints(points: ForkedPlaces): Promise<readonly Task[]> {
    if (this.#chosen === undefined || this.#pointsOf !== points.version()) {
      const all = await points.read();
      const { spec } = this.#planned;
      this.#pointsOf = points.version();
      const suite = this.#loadedSuites.suite(spec.suite);
      this.#chosen = { tasks: chosenTasks(all, spec, suite), available: filteredTasks(all, spec).length };
    }
    return this.#chosen.tasks;
  }

  /** The number of tasks without `limit`; undefined before the data are read. */
  get available(): number | undefined {
    return this.#chosen?.available;
  }

  /** False until the number of tasks is known. */
  get isCounted(): boolean {
    return this.#planned.predictions !== undefined || this.#chosen !== undefined || this.#store.table.total > 0;
  }

  /** Tasks in the data; undefined before they are read, and for answers of a file, whose tasks are its lines. */
  get #ofData(): readonly Task[] | undefined {
    return this.#planned.predictions === undefined ? this.#chosen?.tasks : undefined;
  }

  /** Returns the order of the run according to its rows; undefined for a finished run, or before its data are read. */
  readonly orderOf = (rows: readonly Row[]) => {
    const tasks = this.#ofData;
    return tasks && unfinishedRun(tasks, rows, this.#planned.spec.seed);
  };

  /** `executed` are the tasks in execution; `isExecuted` is true if any program executes some. */
  counted(executed: readonly string[], isExecuted: boolean): CountedTasks {
    const { table } = this.#store;
    const running = executed.filter((task) => table.row(task)?.state === "running");
    const sums = table.sums();
    const tasks = this.#ofData;
    const known = tasks === undefined ? table.total : tasks.length + this.#strayRows(tasks, sums.rows, isExecuted);
    const total = Math.max(known, sums.rows);
    return { counts: taskCounts(sums, running.length, total), total, running };
  }

  /**
   * The number of rows whose tasks are no longer in the data but still belong to the run. While a run is executed, each new row
   * has a task in the data, so rows are searched only before and after.
   */
  #strayRows(tasks: readonly Task[], rows: number, isExecuted: boolean): number {
    const { table, hasRows } = this.#store;
    if (!hasRows || rows === 0) return 0;
    const isKnown = this.#strays?.of === tasks && (isExecuted || this.#strays.rows === rows);
    if (!isKnown) {
      const begun = tasks.reduce((sum, { id }) => (table.row(id) === undefined ? sum : sum + 1), 0);
      this.#strays = { of: tasks, rows, count: rows - begun };
    }
    return this.#strays!.count;
  }

  /** All tasks in the order of the data; before the data are read, tasks with rows. The same array until something changes. */
  board(executed: readonly string[]): readonly BoardTask[] {
    return this.#board.tasks(this.#ofData, new Set(executed));
  }

  /**
   * Rows in the order of the data, then, by id, rows whose tasks are no longer in the data. Without data, and for answers of a
   * file, rows are in the order of their first appearance in the log.
   */
  rows(): readonly Row[] {
    const from = this.#store.table.rows();
    const tasks = this.#ofData;
    if (tasks === undefined) return from;
    if (this.#listed?.from !== from || this.#listed.of !== tasks)
      this.#listed = { from, of: tasks, rows: this.#inOrder(from, tasks) };
    return this.#listed.rows;
  }

  #inOrder(rows: readonly Row[], tasks: readonly Task[]): readonly Row[] {
    const found = new Set(tasks.map(({ id }) => this.#store.table.row(id)).filter((row) => row !== undefined));
    return found.size === rows.length ? [...found] : [...found, ...strayRows(rows, (row) => found.has(row))];
  }
}

export class BoardTasks {
  readonly #store: ReadStore;
  /** The tasks of the run, if known. */
  #of: readonly Task[] | undefined;
  #running: ReadonlySet<string> = new Set();
  #board: readonly BoardTask[] | undefined;
  /** The index of each task in `#board`. */
  readonly #places = new Map<string, number>();
  readonly #changed = new Set<string>();

  constructor(store: ReadStore) {
    this.#store = store;
    store.table.watch((task) => this.#board && this.#changed.add(task));
  }

  /**
   * Returns tasks in the order of `tasks`, then, by id, other tasks with rows. If `tasks` is unknown, returns the tasks with rows
   * in the order of their first start. The same array until something changes. Empty until the rows of a large run are read.
   */
  tasks(tasks: readonly Task[] | undefined, running: ReadonlySet<string>): readonly BoardTask[] {
    const { table, hasRows } = this.#store;
    if (!hasRows) return none;
    for (const task of this.#running.symmetricDifference(running)) this.#changed.add(task);
    this.#running = running;
    // Tasks listed only for their rows come and go with these.
    const isNew = (task: string) => {
      const place = this.#places.get(task);
      return place === undefined || (place >= (tasks?.length ?? 0) && table.row(task) === undefined);
    };
    const anew = tasks !== this.#of || [...this.#changed].some(isNew);
    if (this.#board === undefined || anew) this.#board = this.#madeOf(tasks);
    else if (this.#changed.size > 0) this.#board = this.#mended(this.#board);
    this.#of = tasks;
    this.#changed.clear();
    return this.#board;
  }

  #madeOf(tasks: readonly Task[] | undefined): readonly BoardTask[] {
    const rows = this.#store.table.rows();
    this.#places.clear();
    for (const [place, { id }] of (tasks ?? []).entries()) this.#places.set(id, place);
    const known = tasks?.map(({ id, question }) => ({ task: id, question })) ?? [];
    const all = [...known, ...(tasks === undefined ? rows : strayRows(rows, ({ task }) => this.#places.has(task)))];
    for (const [place, { task }] of all.entries()) this.#places.set(task, place);
    return all.map(({ task, question }) => this.#task(task, question));
  }

  #mended(before: readonly BoardTask[]): readonly BoardTask[] {
    const board = [...before];
    for (const task of this.#changed) {
      const place = this.#places.get(task);
      if (place !== undefined) board[place] = this.#task(task, board[place]!.question);
    }
    return board;
  }

  #task(task: string, question: string): BoardTask {
    const row = this.#store.table.row(task);
    return { task, question, state: taskState(row, this.#running.has(task)), row };
  }
}

const none: readonly BoardTask[] = [];

/** Returns rows whose tasks are no longer in the data, by id. */
const strayRows = (rows: readonly Row[], isKnown: (row: Row) => boolean): readonly Row[] =>
  rows.filter((row) => !isKnown(row)).sort((one, other) => (one.task < other.task ? -1 : 1));
