/**
 * Places screens in the window: a wide window shows a list and the screen that it opens side by side, other windows show one
 * screen at a time.
 */
import { comparedFrom, type Edges, titled, wideFrom } from "../../look/spacing.ts";
import type { Screen } from "./screen.ts";

export type Area = { readonly left: number; readonly top: number; readonly columns: number; readonly rows: number };

type Size = Pick<Area, "columns" | "rows">;

/** Columns between two parts of a screen. */
export const between = titled.between;

/** Fewest columns of content that show everything essential. */
const narrowest = { notebook: 80, tasks: 60 };

/** Minimum number of rows for a third screen below the screen beside the notebook. */
const tall = 30;

/** The share of the rows for the upper of two screens: a list of tasks can be scrolled, so reading gets more. */
const shares = { figure: 3 / 5, tasks: 1 / 3 };

type Kind = Screen["kind"];

export const isWide = (columns: number): boolean => columns >= wideFrom;

/** Returns true if a window with this many columns shows a screen of this kind together with the screen that it opens. */
export const isDivided = (kind: Kind, columns: number): boolean =>
  isWide(columns) || (kind === "compare" && columns >= comparedFrom);

/**
 * Returns the area of each visible screen in a wide window, with its edges, by its index. `kinds` lists the open screens and the
 * screens that the top screen opens; `top` is the index of the top screen. A figure needs `wanted` columns: on top, it takes all
 * of them if it leaves no room for tasks; beside a notebook with too little room, only the notebook is shown, which draws the
 * figure at its whole width.
 */
export function panesOf(
  kinds: readonly Kind[],
  top: number,
  size: Size,
  edges: Edges,
  wanted = 0,
): ReadonlyMap<number, Area> {
  /** Columns for the content of two panes. */
  const both = size.columns - edges.between - 2 * edges.columns;
  const kind = kinds[top];
  if (isListed(kind, kinds[top - 1])) return pair(top - 1, tasksColumns());
  if (isListed(kinds[top + 1], kind)) return pair(top, tasksColumns());
  if (readsBeside(kind, kinds[top - 1])) return pair(top - 1, half());
  const next = kinds[top + 1];
  if (kind === "notebook" && (next === "figure" || next === "tasks" || next === "help")) {
    const room = both - wanted;
    if (next === "figure" && room < narrowest.notebook) return new Map([[top, { left: 0, top: 0, ...size }]]);
    const panes = pair(top, Math.max(narrowest.notebook, Math.min(half(), room)));
    return next !== "help" && leadsOn(next, kinds[top + 2]) && size.rows >= tall
      ? below(panes, top + 1, shares[next])
      : panes;
  }
  const most = both - narrowest.tasks;
  if (kind !== "figure" || wanted > most) return new Map([[top, { left: 0, top: 0, ...size }]]);
  const panes = pair(top, Math.max(half(), wanted));
  return kinds[top + 2] === "trajectory" ? below(panes, top + 1, shares.tasks) : panes;

  /** Places the second screen below the first, which gets this share of the rows. */
  function below(panes: ReadonlyMap<number, Area>, upper: number, share: number): ReadonlyMap<number, Area> {
    const { left, columns } = panes.get(upper)!;
    const rows = Math.max(8, Math.floor(size.rows * share));
    return new Map([
      ...panes,
      [upper, { left, top: 0, columns, rows }],
      [upper + 1, { left, top: rows, columns, rows: size.rows - rows }],
    ]);
  }

  function half(): number {
    return Math.floor(both / 2);
  }

  function tasksColumns(): number {
    if (!isWide(size.columns)) return Math.floor(both * 0.45);
    return Math.max(narrowest.tasks, Math.floor(size.columns * 0.4));
  }

  /** Gives the left pane this many columns of content. */
  function pair(first: number, content: number): ReadonlyMap<number, Area> {
    const columns = content + edges.columns;
    const left = columns + edges.between;
    return new Map([
      [first, { left: 0, top: 0, columns, rows: size.rows }],
      [first + 1, { left, top: 0, columns: size.columns - left, rows: size.rows }],
    ]);
  }
}

/** Returns true for a task, and the list of tasks it was opened from. */
function isListed(task: Kind | undefined, list: Kind | undefined): boolean {
  if (task === "trajectory") return list === "tasks" || list === "compare";
  return task === "beside" && list === "compare";
}

/**
 * Returns true if a screen is used while the screen below it stays visible: a fork beside its original, notes beside a figure.
 */
function readsBeside(kind: Kind | undefined, below: Kind | undefined): boolean {
  if (kind === "fork") return below === "trajectory";
  return kind === "text" && below !== undefined && (mayLead(below) || below === "trajectory" || below === "beside");
}

/** Returns true if screens of this kind report which screen Enter would open. */
export const mayLead = (kind: Kind): boolean =>
  kind === "notebook" || kind === "figure" || kind === "tasks" || kind === "compare";

/** Returns true if digits go to the panes while a screen of this kind has the focus. */
export const digitsJump = (kind: Kind): boolean => kind === "notebook" || kind === "figure" || kind === "tasks";

/** Returns true if the place at `index` may lead to a screen that is then visible. */
export function maySeeNext(kinds: readonly Kind[], top: number, index: number): boolean {
  if (index === top) return mayLead(kinds[index]!);
  if (index !== top + 1) return false;
  const [open, beside] = [kinds[top], kinds[index]];
  return open === "notebook" ? beside === "figure" || beside === "tasks" : open === "figure" && beside === "tasks";
}

/** Returns true if the screen beside the notebook opens a third screen below itself. */
const leadsOn = (beside: "figure" | "tasks", next: Kind | undefined): boolean =>
  next === (beside === "figure" ? "tasks" : "trajectory");
