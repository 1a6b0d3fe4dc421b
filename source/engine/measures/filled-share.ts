/** Counts the filled cells of a table. A cell is filled once all its tasks are scored. */
import { type Cell, type Figure, rowsBehind } from "../figure.ts";
import type { Row, TaskRef } from "../types.ts";
import { grouped } from "../work/growing-list.ts";

export type FilledShare = {
  /** Title of the table or heat map. */
  readonly title: string;
  /** Number of cells with a number from these runs; reported numbers and labels do not count. */
  readonly cells: number;
  readonly filled: number;
  /** Unfilled cells that already have a scored task. */
  readonly begun: number;
};

type ScoredRow = Pick<Row, "task" | "state">;
type GroupsKey = (row: ScoredRow) => readonly CellGroup[] | undefined;

/** Cells that rest on the same tasks. */
type CellGroup = { readonly all: number; cells: number; scored: number };

/** The cells of figures by their tasks. For each new result, only the cells of its task are read. */
export class CellsByTask {
  /** The groups of each table and map, with its title. */
  readonly #figures: readonly { readonly title: string; readonly groups: readonly CellGroup[] }[];
  readonly #groups = new Map<string, Map<string, readonly CellGroup[]>>();
  readonly #keys = new Map<string, GroupsKey>();

  /** Expects the figures in their form after the end of all their runs. */
  constructor(figures: readonly Figure[]) {
    const grown = new Map<readonly CellGroup[], Map<CellGroup, readonly CellGroup[]>>();
    this.#figures = figures.flatMap((figure) => {
      const groups = groupsOf(figure);
      for (const [tasks, group] of groups) for (const task of tasks) this.#add(task, group, grown);
      return groups.size === 0 ? [] : { title: figure.title, groups: [...groups.values()] };
    });
  }

  /** Tasks of the same groups share one list, because there may be a million tasks. */
  #add(
    { run, task }: TaskRef,
    group: CellGroup,
    grown: Map<readonly CellGroup[], Map<CellGroup, readonly CellGroup[]>>,
  ): void {
    const tasks = this.#groups.get(run) ?? new Map<string, readonly CellGroup[]>();
    const before = tasks.get(task) ?? none;
    const next = grown.get(before) ?? new Map<CellGroup, readonly CellGroup[]>();
    const groups = next.get(group) ?? [...before, group];
    grown.set(before, next.set(group, groups));
    this.#groups.set(run, tasks.set(task, groups));
  }

  /** Returns the groups of a scored row of this run: the same function at each look. */
  #keyOf(run: string): GroupsKey {
    const groups = this.#groups.get(run);
    const key = this.#keys.get(run) ?? (({ task, state }) => (state === "scored" ? groups?.get(task) : undefined));
    this.#keys.set(run, key);
    return key;
  }

  /**
   * Returns the share of each table and map that is neither empty nor printed, given the rows of each run, which has at most one
   * scored row for each task.
   */
  shares(rows: ReadonlyMap<string, readonly ScoredRow[]>): readonly FilledShare[] {
    for (const { groups } of this.#figures) for (const group of groups) group.scored = 0;
    for (const [run, own] of rows)
      for (const [of, { length }] of grouped(this.#keyOf(run), own)) for (const group of of) group.scored += length;
    return this.#figures.map(({ title, groups }) => {
      const cellsOf = (of: readonly CellGroup[]) => of.reduce((sum, { cells }) => sum + cells, 0);
      const filled = cellsOf(groups.filter(({ all, scored: own }) => all === own));
      const begun = cellsOf(groups.filter(({ scored: own }) => own > 0)) - filled;
      return { title, cells: cellsOf(groups), filled, begun };
    });
  }
}

const none: readonly CellGroup[] = [];

/** Returns the cells of a table or map by their lists of tasks, which the cells of one line share. */
function groupsOf(figure: Figure): ReadonlyMap<readonly TaskRef[], CellGroup> {
  const groups = new Map<readonly TaskRef[], CellGroup>();
  for (const cell of numbersOf(figure) ?? []) {
    const tasks = cell[rowsBehind]?.() ?? cell.tasks ?? [];
    if (cell.reported === true || tasks.length === 0) continue;
    const group = groups.get(tasks) ?? { all: tasks.length, cells: 0, scored: 0 };
    group.cells += 1;
    groups.set(tasks, group);
  }
  return groups;
}

function numbersOf(figure: Figure): readonly Cell[] | undefined {
  if (figure.kind === "grid") return figure.cells.flatMap((row) => row.filter((cell) => cell !== undefined));
  if (figure.kind !== "table") return undefined;
  return figure.rows.flatMap((row) => row.filter((_, column) => figure.columns[column]?.align === "right"));
}

/** Returns the line shown under the title of the table. */
export function filledText({ title, cells, filled, begun }: FilledShare): string {
  const share = Math.floor((100 * filled) / cells);
  return `${title}: ${filled} of ${cells} cells filled (${share} %)${begun === 0 ? "" : `, ${begun} partly filled`}`;
}
