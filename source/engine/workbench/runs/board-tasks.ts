/** The tasks of a run as a board shows them, made anew where a row has changed: a screen asks with every frame. */
import type { RunStore } from "../../log/run-store.ts";
import type { Row, Task } from "../../types.ts";
import { taskState } from "../../log/rows/task-counts.ts";
import type { BoardTask } from "../workbench.ts";

export class BoardTasks {
  readonly #store: RunStore;
  readonly #shown: () => void;
  #isReading = false;
  /** The tasks of the run, where they are known. */
  #of: readonly Task[] | undefined;
  #running: ReadonlySet<string> = new Set();
  #board: readonly BoardTask[] | undefined;
  /** Where in `#board` each task is. */
  readonly #places = new Map<string, number>();
  readonly #changed = new Set<string>();

  /** `shown` is called when the rows of a large run have been read. */
  constructor(store: RunStore, shown: () => void) {
    this.#store = store;
    this.#shown = shown;
    store.table.watch((task) => this.#changed.add(task));
  }

  /**
   * In the order of `tasks`, then, by id, tasks that have rows and are not among these. If `tasks` is not known, those that have rows,
   * in the order in which they were begun first. The same array until something changes. None while the rows of a large run are
   * being read.
   */
  tasks(tasks: readonly Task[] | undefined, running: ReadonlySet<string>): readonly BoardTask[] {
    const { table, hasRows } = this.#store;
    if (!hasRows) {
      if (!this.#isReading) void this.#store.readRows().then(this.#shown, this.#shown);
      this.#isReading = true;
      return none;
    }
    for (const task of this.#running.symmetricDifference(running)) this.#changed.add(task);
    this.#running = running;
    // Tasks that are listed for their rows alone come and go with these.
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

/** Rows of tasks that the data have no more, by id. */
export function strayRows(rows: readonly Row[], isKnown: (row: Row) => boolean): readonly Row[] {
  return rows.filter((row) => !isKnown(row)).sort((one, other) => (one.task < other.task ? -1 : 1));
}
