/** The tasks of a list, gathered and looked through beside the screen where there are many. */
import { useCallback, useMemo } from "react";
import type { TaskRef } from "../../engine/types.ts";
import { eachInTurn, inSlices, many, type Pieces } from "../../engine/work/pieces.ts";
import type { Mark } from "../drawing/task-mark.ts";
import type { TaskSource } from "../frame/screen.ts";
import { usePieces } from "../frame/use-pieces.ts";
import { useSelected } from "../terminal.ts";
import {
  chosenItems,
  type ListedTasks,
  listedTasks,
  runBoards,
  type TaskItem,
  taskItems,
  type TaskListView,
  tasksOf,
} from "./task-item.ts";
import { taskPlaces } from "./task-places.ts";

type Gathered = {
  readonly items: readonly TaskItem[];
  /** How many there are in each state, and the runs they are of with the labels that name them here. */
  readonly counted: { readonly counts: ReadonlyMap<Mark, number>; readonly runs: ReadonlyMap<string, string> };
};

type Chosen = {
  /** What they were chosen by: until a long list has been chosen anew, what was chosen before; undefined while it is gathered. */
  readonly by: TaskListView | undefined;
  readonly shown: readonly TaskItem[];
  readonly refs: readonly TaskRef[];
  /** Where each of them stands, by `listedKey`. */
  readonly places: ReadonlyMap<string, number>;
};

const noRuns: readonly string[] = [];
const nothing: Gathered & Chosen = {
  items: [],
  counted: { counts: new Map(), runs: new Map() },
  by: undefined,
  shown: [],
  refs: [],
  places: new Map(),
};

/** All of them, and those that `choice` shows: none until many were looked at for the first time. */
export function useTaskList(tasks: TaskSource, choice: TaskListView, active: boolean): Gathered & Chosen {
  const listed = usePieces(
    useCallback(() => listedTasks(tasks), [tasks]),
    tasksOf(tasks) >= many,
  );
  const runs = listed?.runs ?? noRuns;
  const boards = useSelected(
    active,
    useMemo(() => runBoards(runs), [runs]),
  );
  const gathering = useCallback(() => gathered(listed!, boards), [listed, boards]);
  const looked = boards.reduce((sum, board) => sum + board.tasks.length, listed?.refs?.length ?? 0);
  const all = usePieces(listed && gathering, looked >= many);
  const choosing = useCallback(() => chosen(all!.items, choice), [all, choice]);
  const part = usePieces(all && choosing, all !== undefined && all.items.length >= many);
  return { ...nothing, ...all, ...part };
}

function* gathered({ refs }: ListedTasks, boards: Parameters<typeof taskItems>[1]): Pieces<Gathered> {
  const items = yield* taskItems(refs, boards);
  const counts = new Map<Mark, number>();
  const runs = new Map<string, string>();
  yield* eachInTurn(items, ({ state, ref, label }) => {
    counts.set(state, (counts.get(state) ?? 0) + 1);
    runs.set(ref.run, label);
  });
  return { items, counted: { counts, runs } };
}

function* chosen(items: readonly TaskItem[], choice: TaskListView): Pieces<Chosen> {
  const shown = yield* chosenItems(items, choice);
  const refs = yield* inSlices(shown, (slice) => slice.map(({ ref }) => ref));
  return { by: choice, shown, refs, places: yield* taskPlaces(refs) };
}
