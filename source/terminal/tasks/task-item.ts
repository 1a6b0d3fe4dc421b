/** Tasks as items of a list: what they show, in which order, and which of them are shown. */
import { kindTitle } from "../../engine/log/mistake-text.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import type { TaskRef } from "../../engine/types.ts";
import { eachInTurn, inSlices, kept, partByPart, type Pieces, sorted } from "../../engine/work/pieces.ts";
import type { BoardTask, Workbench } from "../../engine/workbench/workbench.ts";
import { cellOfRun } from "../frame/cell-of-run.ts";
import type { TaskSource } from "../frame/screen.ts";
import { listedKey } from "./task-places.ts";
import type { Mark } from "../drawing/task-mark.ts";

export type TaskItem = {
  readonly ref: TaskRef;
  /** That of the run, where there are several runs. */
  readonly label: string;
  readonly state: Mark;
  readonly question: string;
  /** The first error, or the kind of the failure, in words. */
  readonly error: string;
  /** The name of that kind, as files have it: what `/` finds too. */
  readonly kind: string;
  readonly errors: number;
  readonly seconds: number | undefined;
  readonly tokens: number | undefined;
};

export const orders = ["as listed", "id", "seconds", "tokens", "errors"] as const;
export type Order = (typeof orders)[number];

/** The tasks of a list whose runs are known; undefined: all of these runs. */
export type ListedTasks = { readonly refs: readonly TaskRef[] | undefined; readonly runs: readonly string[] };

/** Which tasks a list is of, and of which runs they are. */
export function* listedTasks(tasks: TaskSource): Pieces<ListedTasks> {
  if ("runs" in tasks) return { refs: undefined, runs: tasks.runs };
  const runs = new Set<string>();
  if ("lists" in tasks) {
    const all = new Map<string, TaskRef>();
    for (const list of tasks.lists)
      yield* eachInTurn(list, (ref) => {
        runs.add(ref.run);
        all.set(listedKey(ref), ref);
      });
    return { refs: [...all.values()], runs: [...runs] };
  }
  yield* eachInTurn(tasks, ({ run }) => runs.add(run));
  return { refs: tasks, runs: [...runs] };
}

/** What a list has to look through: the tasks it shows, or all of its runs. */
export function tasksOf(tasks: TaskSource): number {
  if ("runs" in tasks) return 0;
  return "lists" in tasks ? tasks.lists.reduce((sum, list) => sum + list.length, 0) : tasks.length;
}

/** The boards of these runs whenever they are asked for; the same array until one of them has changed. */
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

/** The items of these tasks, `boards` being those of their runs. */
export function* taskItems(
  refs: readonly TaskRef[] | undefined,
  boards: readonly RunBoard[],
): Pieces<readonly TaskItem[]> {
  const labelOf = ({ label }: RunBoard) => (boards.length > 1 ? label : "");
  if (refs === undefined) {
    const items = yield* partByPart(boards, (board) =>
      inSlices(board.tasks, (slice) =>
        slice.map((task) => itemOf({ run: board.run, task: task.task }, labelOf(board), board.errorKinds, task)),
      ),
    );
    return items.flat();
  }
  const byRun = new Map<string, { readonly board: RunBoard; readonly tasks: ReadonlyMap<string, BoardTask> }>();
  for (const board of boards) byRun.set(board.run, { board, tasks: yield* byTask(board.tasks) });
  return yield* inSlices(refs, (slice) =>
    slice.map((ref) => {
      const { board, tasks } = byRun.get(ref.run)!;
      return itemOf(ref, labelOf(board), board.errorKinds, tasks.get(ref.task));
    }),
  );
}

/** By the board: each value of a figure looks for its tasks in the same one. */
const found = new WeakMap<readonly BoardTask[], ReadonlyMap<string, BoardTask>>();

function* byTask(board: readonly BoardTask[]): Pieces<ReadonlyMap<string, BoardTask>> {
  const known = found.get(board);
  if (known !== undefined) return known;
  const tasks = new Map<string, BoardTask>();
  yield* eachInTurn(board, (task) => tasks.set(task.task, task));
  found.set(board, tasks);
  return tasks;
}

function itemOf(ref: TaskRef, label: string, errorKinds: readonly ErrorKind[], task: BoardTask | undefined): TaskItem {
  const row = task?.row;
  const mistakes = row?.score?.errors ?? [];
  // A task that was stopped waits to be resumed: that is no mistake.
  const failure = task?.state === "stopped" ? undefined : row?.failure;
  const kind = mistakes[0]?.kind ?? failure?.kind ?? "";
  return {
    ref,
    label,
    state: task?.state ?? "waiting",
    question: task?.question ?? "",
    error: kindTitle(kind, errorKinds),
    kind,
    errors: mistakes.length + (failure === undefined ? 0 : 1),
    seconds: row?.seconds,
    tokens: row === undefined ? undefined : row.tokens.input + row.tokens.output,
  };
}

export type TaskListView = {
  readonly order: Order;
  readonly reversed: boolean;
  readonly state: Mark | undefined;
  readonly words: string;
};

/** The items to show, in order. Numbers are sorted descending; items without one come last. */
export function* chosenItems(
  items: readonly TaskItem[],
  { order, reversed, state, words }: TaskListView,
): Pieces<readonly TaskItem[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = yield* kept(items, (item) => {
    if (state !== undefined && item.state !== state) return false;
    if (wanted.length === 0) return true;
    const text = `${item.ref.task} ${item.question} ${item.error} ${item.kind} ${item.label}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  const shown = order === "as listed" ? chosen : yield* sorted(chosen, comparison(order));
  return reversed ? shown.toReversed() : shown;
}

const byId = new Intl.Collator("en", { numeric: true });

function comparison(order: Exclude<Order, "as listed">): (one: TaskItem, other: TaskItem) => number {
  if (order === "id") return (one, other) => byId.compare(one.ref.task, other.ref.task);
  return (one, other) => (other[order] ?? -1) - (one[order] ?? -1);
}
