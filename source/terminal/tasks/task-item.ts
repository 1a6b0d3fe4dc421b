/** Tasks as items of a list: their contents, order and filter. */
import { endingText } from "../../engine/log/rows/cause-text.ts";
import { codesText } from "../../engine/log/rows/row-notes.ts";
import { kindTitle } from "../../engine/log/rows/mistake-text.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import type { TaskRef } from "../../engine/types.ts";
import { eachInTurn, inSlices, type Pieces, sorted } from "../../engine/work/pieces.ts";
import type { BoardTask, Workbench } from "../../engine/workbench/workbench.ts";
import { cellOfRun } from "../frame/runs.ts";
import type { TaskSource } from "../frame/screen.ts";
import { listedKey, taskPlaces } from "./task-places.ts";
import type { Mark } from "../drawing/task-mark.ts";

export type TaskItem = {
  readonly ref: TaskRef;
  /** The run's label if there are several runs. */
  readonly label: string;
  readonly state: Mark;
  readonly question: string;
  /** Why the answer was not read, or the title of the first error, or of the kind of failure. */
  readonly error: string;
  /** The name of that kind in files, which `/` finds too. */
  readonly kind: string;
  readonly errors: number;
  /** The user's own kinds, in the form of exports; empty if there are none. */
  readonly codes: string;
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
};

export const orders = ["as listed", "id", "seconds", "tokens", "errors"] as const;
export type Order = (typeof orders)[number];

/** The tasks of a list, as lists that may overlap, and their runs; undefined lists mean all tasks of these runs. */
export type ListedTasks = {
  readonly lists: readonly (readonly TaskRef[])[] | undefined;
  readonly runs: readonly string[];
};

/** Returns the tasks of a list and the runs they belong to. */
export function* listedTasks(tasks: TaskSource): Pieces<ListedTasks> {
  if ("runs" in tasks) return { lists: undefined, runs: tasks.runs };
  const lists = "lists" in tasks ? tasks.lists : [tasks];
  const runs = new Set<string>();
  for (const list of lists) yield* eachInTurn(list, ({ run }) => runs.add(run));
  return { lists, runs: [...runs] };
}

/** Returns how many tasks a list contains; 0 if it shows all tasks of its runs. */
export function tasksOf(tasks: TaskSource): number {
  if ("runs" in tasks) return 0;
  return "lists" in tasks ? tasks.lists.reduce((sum, list) => sum + list.length, 0) : tasks.length;
}

/** Returns a selector of the task lists of these runs; it returns the same array until one of them changes. */
export function runBoards(runs: readonly string[]): (workbench: Workbench) => readonly RunBoard[] {
  let last: readonly RunBoard[] | undefined;
  return (workbench) => {
    const boards = runs.map((run) => {
      const state = cellOfRun(workbench, run)?.state;
      const errorKinds = suiteNamed(state?.spec.suite, workbench.suites)?.errorKinds ?? none;
      return { run, label: state?.label ?? run, tasks: workbench.board(run), errorKinds };
    });
    const isSame = ({ label, tasks: board }: RunBoard, at: number) =>
      last?.[at]?.label === label && last[at].tasks === board;
    if (last === undefined || !boards.every(isSame)) last = boards;
    return last;
  };
}

export type RunBoard = {
  readonly run: string;
  readonly label: string;
  readonly tasks: readonly BoardTask[];
  readonly errorKinds: readonly ErrorKind[];
};

const none: readonly ErrorKind[] = [];

/** Tasks by list, because each value of a figure looks up tasks in the same list. */
const found = new WeakMap<readonly BoardTask[], ReadonlyMap<string, BoardTask>>();

export type GatheredItems = {
  readonly items: readonly TaskItem[];
  /** The number of tasks in each state, and the runs with the labels used here. */
  readonly counted: { readonly counts: ReadonlyMap<Mark, number>; readonly runs: ReadonlyMap<string, string> };
};

/** Returns the items of these tasks, each once; `boards` are the task lists of their runs. */
export function* taskItems(lists: ListedTasks["lists"], boards: readonly RunBoard[]): Pieces<GatheredItems> {
  const labelOf = ({ label }: RunBoard) => (boards.length > 1 ? label : "");
  if (lists === undefined) {
    const all = boards.flatMap((board) => board.tasks.map((task) => ({ board, task })));
    const items = yield* inSlices(all, (slice) =>
      slice.map(({ board, task }) =>
        itemOf({ run: board.run, task: task.task }, labelOf(board), board.errorKinds, task),
      ),
    );
    return countedItems(items);
  }
  const byRun = new Map<string, { readonly board: RunBoard; readonly tasks: ReadonlyMap<string, BoardTask> }>();
  for (const board of boards) {
    const tasks = found.get(board.tasks) ?? new Map<string, BoardTask>();
    if (!found.has(board.tasks))
      yield* eachInTurn(board.tasks, (task) => (tasks as Map<string, BoardTask>).set(task.task, task));
    found.set(board.tasks, tasks);
    byRun.set(board.run, { board, tasks });
  }
  let refs = lists[0] ?? [];
  if (lists.length > 1) {
    const all = new Map<string, TaskRef>();
    for (const list of lists) yield* eachInTurn(list, (ref) => all.set(listedKey(ref), ref));
    refs = [...all.values()];
  }
  const items = yield* inSlices(refs, (slice) =>
    slice.map((ref) => {
      const { board, tasks } = byRun.get(ref.run)!;
      return itemOf(ref, labelOf(board), board.errorKinds, tasks.get(ref.task));
    }),
  );
  return countedItems(items);
}

function countedItems(items: readonly TaskItem[]): GatheredItems {
  const counts = new Map<Mark, number>();
  const runs = new Map<string, string>();
  for (const { state, ref, label } of items) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
    runs.set(ref.run, label);
  }
  return { items, counted: { counts, runs } };
}

function itemOf(ref: TaskRef, label: string, errorKinds: readonly ErrorKind[], task: BoardTask | undefined): TaskItem {
  const row = task?.row;
  const mistakes = row?.score?.errors ?? [];
  // A stopped task waits to be resumed, which is not a mistake.
  const failure = task?.state === "stopped" ? undefined : row?.failure;
  const ending = row?.score === undefined ? undefined : endingText(row);
  const kind = mistakes[0]?.kind ?? failure?.kind ?? "";
  return {
    ref,
    label,
    state: task?.state ?? "waiting",
    question: task?.question ?? "",
    error: ending === undefined ? kindTitle(kind, errorKinds) : ending.charAt(0).toUpperCase() + ending.slice(1),
    kind: ending === undefined ? kind : (row?.cause?.cause ?? kind),
    codes: codesText(row?.codes?.given ?? []),
    errors: mistakes.length + (failure === undefined ? 0 : 1),
    seconds: row?.counted.seconds,
    tokens: row === undefined ? undefined : row.counted.tokens.input + row.counted.tokens.output,
  };
}

export type TaskListView = {
  readonly order: Order;
  readonly reversed: boolean;
  readonly state: Mark | "tagged" | "not tagged" | undefined;
  readonly words: string;
};

export type ChosenItems = {
  /**
   * The choice that these items match: the previous choice until a long list has been filtered; undefined while it is gathered.
   */
  readonly by: TaskListView | undefined;
  readonly shown: readonly TaskItem[];
  readonly refs: readonly TaskRef[];
  /** The position of each item by `listedKey`. */
  readonly places: ReadonlyMap<string, number>;
};

/** Returns the items to show, in order. Numbers sort in descending order; items without a number come last. */
export function* chosenItems(items: readonly TaskItem[], choice: TaskListView): Pieces<ChosenItems> {
  const { order, reversed, state, words } = choice;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = (item: TaskItem) => {
    if (state === "tagged" || state === "not tagged") {
      if ((item.codes !== "") !== (state === "tagged")) return false;
    } else if (state !== undefined && item.state !== state) return false;
    if (wanted.length === 0) return true;
    const text =
      `${item.ref.task} ${item.question} ${item.error} ${item.kind} ${item.codes} ${item.label}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const chosen = yield* inSlices(items, (slice) => slice.filter(isWanted));
  const inOrder = order === "as listed" ? chosen : yield* sorted(chosen, comparison(order));
  const shown = reversed ? inOrder.toReversed() : inOrder;
  const refs = shown.map(({ ref }) => ref);
  return { by: choice, shown, refs, places: yield* taskPlaces(refs) };
}

function comparison(order: Exclude<Order, "as listed">): (one: TaskItem, other: TaskItem) => number {
  if (order === "id") {
    // It takes some milliseconds to be made, which the first frame need not wait for.
    const { compare } = new Intl.Collator("en", { numeric: true });
    return (one, other) => compare(one.ref.task, other.ref.task);
  }
  return (one, other) => (other[order] ?? -1) - (one[order] ?? -1);
}
