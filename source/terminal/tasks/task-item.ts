/** Tasks as items of a list: what they show, in which order, and which of them are shown. */
import { kindTitle } from "../../engine/log/mistake-text.ts";
import { suiteNamed } from "../../engine/session/file-suite.ts";
import type { ErrorKind } from "../../engine/suite.ts";
import type { TaskRef } from "../../engine/types.ts";
import type { BoardTask, Workbench } from "../../engine/workbench/workbench.ts";
import { cellOfRun } from "../frame/cell-of-run.ts";
import type { TaskSource } from "../frame/screen.ts";
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

/** The items of these tasks whenever they are asked for; the same array until one of their runs has changed. */
export function taskItems(tasks: TaskSource): (workbench: Workbench) => readonly TaskItem[] {
  const runs = "runs" in tasks ? tasks.runs : [...new Set(tasks.map(({ run }) => run))];
  let last: { readonly boards: readonly RunBoard[]; readonly items: readonly TaskItem[] } | undefined;
  return (workbench) => {
    const boards = runs.map((run) => {
      const state = cellOfRun(workbench, run)?.state;
      const errorKinds = suiteNamed(state?.spec.suite, workbench.suites)?.errorKinds ?? none;
      return { label: state?.label ?? run, tasks: workbench.board(run), errorKinds };
    });
    const isSame = ({ label, tasks: board }: RunBoard, at: number) =>
      last?.boards[at]?.label === label && last.boards[at].tasks === board;
    if (last === undefined || !boards.every(isSame)) last = { boards, items: itemsOf(tasks, runs, boards) };
    return last.items;
  };
}

type RunBoard = {
  readonly label: string;
  readonly tasks: readonly BoardTask[];
  readonly errorKinds: readonly ErrorKind[];
};

const none: readonly ErrorKind[] = [];

function itemsOf(tasks: TaskSource, runs: readonly string[], boards: readonly RunBoard[]): TaskItem[] {
  if ("runs" in tasks) {
    return boards.flatMap(({ label, tasks: all, errorKinds }, at) =>
      all.map((task) => itemOf({ run: runs[at]!, task: task.task }, runs.length > 1 ? label : "", errorKinds, task)),
    );
  }
  const byRun = new Map(
    boards.map((board, at) => [runs[at]!, { ...board, tasks: new Map(board.tasks.map((task) => [task.task, task])) }]),
  );
  return tasks.map((ref) => {
    const board = byRun.get(ref.run)!;
    return itemOf(ref, byRun.size > 1 ? board.label : "", board.errorKinds, board.tasks.get(ref.task));
  });
}

function itemOf(ref: TaskRef, label: string, errorKinds: readonly ErrorKind[], task: BoardTask | undefined): TaskItem {
  const row = task?.row;
  const mistakes = row?.score?.errors ?? [];
  // A task that was stopped waits to be resumed: that is no mistake.
  const failure = task?.state === "waiting" ? undefined : row?.failure;
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
export function chosenItems(items: readonly TaskItem[], { order, reversed, state, words }: TaskListView): TaskItem[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = items.filter((item) => {
    if (state !== undefined && item.state !== state) return false;
    if (wanted.length === 0) return true;
    const text = `${item.ref.task} ${item.question} ${item.error} ${item.kind} ${item.label}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (order !== "as listed") shown.sort(comparison(order));
  return reversed ? shown.reverse() : shown;
}

const byId = new Intl.Collator("en", { numeric: true });

function comparison(order: Exclude<Order, "as listed">): (one: TaskItem, other: TaskItem) => number {
  if (order === "id") return (one, other) => byId.compare(one.ref.task, other.ref.task);
  return (one, other) => (other[order] ?? -1) - (one[order] ?? -1);
}
