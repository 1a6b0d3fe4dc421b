/** Decides how many trajectories are visible, at which positions, and which trajectories. */
import type { Node, Trajectory } from "../../engine/log/trajectory.ts";
import type { BoardTask } from "../../engine/workbench/workbench.ts";
import type { Line } from "../../engine/figures/drawing/line.ts";
import { joinedLine } from "../drawing/abreast.ts";

export type Lane = {
  readonly task: BoardTask | undefined;
  readonly trajectory: Trajectory | undefined;
  readonly chosen: boolean;
  /** The nodes that the task's strategy builds, or the steps of its plan. */
  readonly nodes: readonly Node[];
};

export type Size = { readonly columns: number; readonly rows: number };

/** Minimum columns and rows in which a trajectory is readable; a dialogue with both sides side by side needs more. */
const least: Size = { columns: 42, rows: 6 };
const leastOfPair: Size = { columns: 96, rows: 10 };

/** Rows reserved above the lanes for a run's messages, so that lanes do not move when messages change. */
const above = 8;

const most = 4;
/** Each dialogue has two sides. */
export const mostDialogues = 2;

/** Returns true if the two sides of a dialogue are drawn side by side. */
export const isPaired = ({ columns }: Pick<Size, "columns">, isDialogue: boolean): boolean =>
  isDialogue && columns >= leastOfPair.columns;

/** Returns how many lanes fit into a live screen of this size. */
export function lanesThatFit(screen: Size, isDialogue: boolean): number {
  const { columns, rows } = isPaired(screen, isDialogue) ? leastOfPair : least;
  const stacked = Math.floor((screen.rows - above) / rows);
  const wanted = beside(screen.columns, columns) * Math.max(1, stacked);
  return Math.max(1, Math.min(wanted, isDialogue ? mostDialogues : most));
}

/** Returns how many lanes are in each row of lanes: as many as fit side by side, distributed evenly. */
export function laneRows(count: number, columns: number, isDialogue: boolean): readonly number[] {
  const across = beside(columns, isPaired({ columns }, isDialogue) ? leastOfPair.columns : least.columns);
  const rows = Math.ceil(count / across);
  return Array.from({ length: rows }, (_, row) => Math.ceil((count - row) / rows));
}

const beside = (columns: number, narrowest: number): number =>
  Math.max(1, Math.floor((columns + barWidth) / (narrowest + barWidth)));

/** Columns between two lanes. */
const barWidth = 3;

/** Returns the number of columns of each of `count` lanes side by side. */
export const laneColumns = (count: number, columns: number): number =>
  Math.floor((columns - barWidth * (count - 1)) / count);

/** Returns the rows of each lane if `stacked` rows of lanes are placed below each other, with rules between them. */
export const laneHeight = (rows: number, stacked: number): number => Math.floor((rows - stacked + 1) / stacked);

/** Returns the lane at this place of a window; undefined between lanes and below the last. */
export function laneAt(count: number, { columns, rows }: Size, isDialogue: boolean, line: number, column: number) {
  const counts = laneRows(count, columns, isDialogue);
  const height = laneHeight(rows, counts.length);
  const row = Math.floor(line / (height + 1));
  const across = counts[row];
  if (across === undefined || line % (height + 1) === height) return undefined;
  const wide = laneColumns(across, columns) + barWidth;
  const within = Math.min(across - 1, Math.floor(column / wide));
  return counts.slice(0, row).reduce((sum, each) => sum + each, 0) + within;
}

/**
 * Assigns lanes: a task keeps its lane while it runs; a lane whose task has ended gets the newest running task without a lane.
 * `pinned` is always visible: in its lane, otherwise in the first. Returns `before` itself if no lane changes.
 */
export function assignLanes(
  before: readonly string[],
  running: readonly string[],
  count: number,
  pinned: string | undefined,
): readonly string[] {
  const isRunning = new Set(running);
  const lanes = before.slice(0, count);
  if (pinned !== undefined && !lanes.includes(pinned)) lanes[0] = pinned;
  const waiting = running.filter((task) => !lanes.includes(task));
  for (let lane = 0; lane < count; lane++) {
    const held = lanes[lane];
    if (held !== undefined && (held === pinned || isRunning.has(held))) continue;
    const next = waiting.pop();
    if (next !== undefined) lanes[lane] = next;
  }
  return sameOr(before, lanes);
}

/**
 * Assigns lanes while no task runs: lanes stay, and empty lanes get the first tasks. A `pinned` task without a lane, or another
 * number of lanes, shows the page with that task.
 */
export function restingLanes(
  before: readonly string[],
  tasks: readonly string[],
  count: number,
  pinned: string | undefined,
): readonly string[] {
  const kept = before.slice(0, count);
  if (pinned === undefined || (kept.includes(pinned) && before.length === Math.min(count, tasks.length))) {
    const others = tasks.filter((task) => !kept.includes(task)).slice(0, count - kept.length);
    return sameOr(before, [...kept, ...others]);
  }
  const at = tasks.indexOf(pinned);
  const from = Math.max(0, Math.min(at - (at % count), tasks.length - count));
  return sameOr(before, tasks.slice(from, from + count));
}

const sameOr = (before: readonly string[], lanes: readonly string[]): readonly string[] =>
  lanes.length === before.length && lanes.every((task, index) => task === before[index]) ? before : lanes;

/** The previous rows by place, each with the lines it was made of. */
export type KnownRows = { readonly own: readonly Line[]; readonly columns: number; readonly row: Line }[];

/**
 * Returns one row of texts side by side, separated by `bar`. With `known`, which is updated, an unchanged row stays the same
 * object.
 */
export function rowBeside(
  lines: readonly (Line | undefined)[],
  columns: number,
  bar: string,
  known: KnownRows = [],
  at = 0,
): Line {
  const own = lines.map((line) => line ?? nothing);
  const before = known[at];
  if (before?.columns === columns && isSame(before.own, own)) return before.row;
  const row = own.length === 1 ? own[0]! : joinedLine(own, () => columns, { text: ` ${bar} `, style: "rule" });
  known[at] = { own, columns, row };
  return row;
}

const nothing: Line = [];

const isSame = (before: readonly Line[], now: readonly Line[]): boolean =>
  before.length === now.length && now.every((line, index) => line === before[index]);
