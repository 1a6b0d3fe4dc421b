/** The tasks of a list, gathered and looked through beside the screen where there are many. */
import { useCallback, useMemo } from "react";
import { many } from "../../engine/work/pieces.ts";
import type { TaskSource } from "../frame/screen.ts";
import { usePieces } from "../frame/use-pieces.ts";
import { useSelected } from "../terminal.ts";
import {
  type ChosenItems,
  chosenItems,
  type GatheredItems,
  listedTasks,
  runBoards,
  taskItems,
  type TaskListView,
  tasksOf,
} from "./task-item.ts";

const noRuns: readonly string[] = [];
const nothing: GatheredItems & ChosenItems = {
  items: [],
  counted: { counts: new Map(), runs: new Map() },
  by: undefined,
  shown: [],
  refs: [],
  places: new Map(),
};

/** All of them, and those that `choice` shows: none until many were looked at for the first time. */
export function useTaskList(tasks: TaskSource, choice: TaskListView, active: boolean): GatheredItems & ChosenItems {
  const listed = usePieces(
    useCallback(() => listedTasks(tasks), [tasks]),
    tasksOf(tasks) >= many,
  );
  const runs = listed?.runs ?? noRuns;
  const boards = useSelected(
    active,
    useMemo(() => runBoards(runs), [runs]),
  );
  const gathering = useCallback(() => taskItems(listed!.lists, boards), [listed, boards]);
  const looked = boards.reduce((sum, board) => sum + board.tasks.length, tasksOf(tasks));
  const all = usePieces(listed && gathering, looked >= many);
  const choosing = useCallback(() => chosenItems(all!.items, choice), [all, choice]);
  const part = usePieces(all && choosing, all !== undefined && all.items.length >= many);
  return { ...nothing, ...all, ...part };
}
