/** Where screens stand in the window: in a wide one, a list and what it leads to beside each other; else one at a time. */
import type { Screen } from "./screen.ts";

/** From so many columns on. */
const wide = 150;

export type Area = { readonly left: number; readonly top: number; readonly columns: number; readonly rows: number };

type Size = Pick<Area, "columns" | "rows">;

/** Columns between two screens. */
export const between = 3;

/** The narrowest that shows everything essential of these. */
const narrowest = { notebook: 80, tasks: 60 };

type Kind = Screen["kind"];

export function isWide(columns: number): boolean {
  return columns >= wide;
}

/**
 * The area of each place that is seen in a wide window, by its index. `kinds` are those of the open screens and of what the top one
 * leads to, `top` the index of the top one, which needs `wanted` columns; a figure that leaves no room for tasks has all of them.
 */
export function panesOf(kinds: readonly Kind[], top: number, size: Size, wanted = 0): ReadonlyMap<number, Area> {
  const kind = kinds[top];
  if (kind === "trajectory" && kinds[top - 1] === "tasks") return pair(top - 1, tasksColumns());
  if (kind === "tasks" && kinds[top + 1] === "trajectory") return pair(top, tasksColumns());
  if (kind === "beside" && kinds[top - 1] === "compare") return pair(top - 1, tasksColumns());
  if (kind === "compare" && kinds[top + 1] === "beside") return pair(top, tasksColumns());
  if (kind === "notebook" && kinds[top + 1] === "figure") return pair(top, Math.max(narrowest.notebook, half()));
  const most = size.columns - between - narrowest.tasks;
  if (kind !== "figure" || wanted > most) return new Map([[top, { left: 0, top: 0, ...size }]]);
  const panes = pair(top, Math.max(half(), wanted));
  const { left, columns } = panes.get(top + 1)!;
  if (kinds[top + 2] !== "trajectory") return panes;
  // A list of tasks is short or can be scrolled: most of the space is for what one reads.
  const rows = Math.max(8, Math.floor(size.rows / 3));
  return new Map([
    ...panes,
    [top + 1, { left, top: 0, columns, rows }],
    [top + 2, { left, top: rows + 1, columns, rows: size.rows - rows - 1 }],
  ]);

  function half(): number {
    return Math.floor((size.columns - between) / 2);
  }

  function tasksColumns(): number {
    return Math.max(narrowest.tasks, Math.floor(size.columns * 0.4));
  }

  function pair(first: number, columns: number): ReadonlyMap<number, Area> {
    const left = columns + between;
    return new Map([
      [first, { left: 0, top: 0, columns, rows: size.rows }],
      [first + 1, { left, top: 0, columns: size.columns - left, rows: size.rows }],
    ]);
  }
}

/** Whether screens of this kind say what they lead to. */
export function mayLead(kind: Kind): boolean {
  return kind === "notebook" || kind === "figure" || kind === "tasks" || kind === "compare";
}

/** Whether the place at `index` may lead to something that is then seen. */
export function maySeeNext(kinds: readonly Kind[], top: number, index: number): boolean {
  if (index === top) return mayLead(kinds[index]!);
  return index === top + 1 && kinds[index] === "tasks" && kinds[top] === "figure";
}
