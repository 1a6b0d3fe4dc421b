/** The strip of marks: a mark for every task, in the order of execution; a few rows around the cursor are visible. */
import type { Line, Span } from "../../engine/figures/drawing/line.ts";
import type { BoardTask } from "../../engine/workbench/workbench.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";

/** Columns of a mark: bracket and symbol. */
const markWidth = 2;

export const marksPerRow = (columns: number): number => Math.max(1, Math.floor((columns - 3) / markWidth));

/** Returns the rows of the board: as many as needed, up to a quarter of the window. */
export const boardRows = (tasks: number, columns: number, height: number): number =>
  Math.max(1, Math.min(Math.ceil(tasks / marksPerRow(columns)), Math.max(2, Math.floor(height / 4))));

export type Shown = { readonly lines: readonly Line[]; readonly hidden: string };

/** Draws at most `rows` lines; `shown` are the tasks with visible trajectories. A selection of -1 means none. */
export function boardLines(
  tasks: readonly BoardTask[],
  selected: number,
  shown: ReadonlySet<string>,
  columns: number,
  rows: number,
  theme: Theme,
): Shown {
  const perRow = marksPerRow(columns);
  const total = Math.ceil(tasks.length / perRow);
  const top = topRow(tasks.length, selected, perRow, rows);
  const lines = Array.from({ length: Math.min(rows, total) }, (_, row): Line => {
    const from = (top + row) * perRow;
    const marks = tasks.slice(from, from + perRow).map((task, index) => markSpans(task, from + index));
    const last = from <= selected && selected + 1 === from + marks.length ? "]" : "";
    return [{ text: " " }, ...joined(marks.flat()), { text: last, style: "accent" }];
  });
  const hidden = total <= rows ? "" : `rows ${top + 1} to ${top + rows} of ${total}`;
  return { lines, hidden };

  function markSpans({ task, state }: BoardTask, index: number): Span[] {
    const mark = markOf(state, theme.symbols);
    const here = index === selected;
    // Brackets mark the cursor, because the symbol of a running task looks like a pointer.
    const before = here ? "[" : index > 0 && index === selected + 1 ? "]" : shown.has(task) ? theme.symbols.bar : " ";
    return [
      { text: before, style: "accent" },
      { text: mark.sign, style: mark.style, ...(here && { selected: true }) },
    ];
  }
}

/** Returns the last drawing if no mark has changed, because in most frames tasks only get longer. */
export class DrawnBoard {
  #last: { readonly given: Parameters<typeof boardLines>; readonly drawn: Shown } | undefined;

  lines(...given: Parameters<typeof boardLines>): Shown {
    if (this.#last === undefined || !isSame(this.#last.given, given)) {
      this.#last = { given, drawn: boardLines(...given) };
    }
    return this.#last.drawn;
  }
}

function isSame(before: Parameters<typeof boardLines>, now: Parameters<typeof boardLines>): boolean {
  const [tasks, selected, shown, ...rest] = before;
  const [tasksNow, selectedNow, shownNow, ...restNow] = now;
  return (
    selected === selectedNow &&
    rest.every((value, index) => value === restNow[index]) &&
    shown.size === shownNow.size &&
    shown.isSubsetOf(shownNow) &&
    tasks.length === tasksNow.length &&
    tasks.every(({ task, state }, index) => state === tasksNow[index]!.state && task === tasksNow[index]!.task)
  );
}

/** Returns the first visible row; the cursor's row is in the middle. */
const topRow = (tasks: number, selected: number, perRow: number, rows: number): number =>
  Math.max(0, Math.min(Math.floor(selected / perRow) - (rows >> 1), Math.ceil(tasks / perRow) - rows));

/** Returns the index of the task whose mark `boardLines` draws in this row and column; undefined if there is no mark. */
export function markAt(
  tasks: number,
  selected: number,
  columns: number,
  rows: number,
  row: number,
  column: number,
): number | undefined {
  const perRow = marksPerRow(columns);
  // A blank, then each mark after the column of its bracket.
  const within = Math.floor((column - 1) / markWidth);
  const at = (topRow(tasks, selected, perRow, rows) + row) * perRow + within;
  return within >= 0 && within < perRow && at < tasks ? at : undefined;
}

/** Joins neighbours of the same style, so that a row of a hundred marks has few spans. */
function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const same = last !== undefined && !last.selected && !span.selected;
    if (same && (span.text === " " || last.style === span.style))
      out[out.length - 1] = { ...last, text: last.text + span.text };
    else out.push(span);
  }
  return out;
}
