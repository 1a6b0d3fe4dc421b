import { inkOf, type Line } from "../../engine/figures/drawing/line.ts";
import { columnsOfNames } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, printable } from "../../engine/text/printable.ts";
import { countText } from "../drawing/amount.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import type { TaskItem } from "./task-item.ts";

/** Widths of the columns, as the contents need and the window allows. */
export type Columns = {
  readonly label: number;
  readonly id: number;
  readonly question: number;
  readonly error: number;
  /** Of seconds and of tokens each; 0 where there is no space for them. */
  readonly amounts: number;
};

/**
 * Measured on the visible items, so that a long list costs no more than a short one. What tells them apart is not cut: a name has
 * its share of the line, and more where names would look alike otherwise.
 */
export function columnsFor(items: readonly TaskItem[], columns: number): Columns {
  const needed = (of: (item: TaskItem) => string, share: number, most: number) =>
    columnsOfNames(
      items.map((item) => printable(of(item))),
      share,
      columns * most,
    );
  const label = needed((item) => item.label, Math.floor(columns / 6), 1 / 4);
  const id = Math.max(
    4,
    needed((item) => item.ref.task, Math.max(12, Math.floor(columns / 5)), 1 / 3),
  );
  const error = needed((item) => item.error, Math.max(12, Math.floor(columns / 4)), 1 / 3);
  const amounts = columns < 70 ? 0 : 8;
  const taken = 5 + (label === 0 ? 0 : label + 2) + id + 2 + (error === 0 ? 0 : error + 2) + 2 * amounts;
  return { label, id, error, amounts, question: Math.max(0, columns - taken) };
}

export function headingLine({ label, id, question, error, amounts }: Columns): Line {
  const cells = [
    "     ",
    label === 0 ? "" : `${pad("run", label)}  `,
    `${pad("task", id)}  `,
    pad("question", question),
    error === 0 ? "" : `  ${pad("first error", error)}`,
    amounts === 0 ? "" : pad("seconds", amounts, "right") + pad("tokens", amounts, "right"),
  ];
  return [{ text: cells.join(""), style: "faint" }];
}

/** `colour` is the number of its run's. */
export function taskLine(item: TaskItem, columns: Columns, chosen: boolean, theme: Theme, colour?: number): Line {
  const { symbols } = theme;
  const { label, id, question, error, amounts } = columns;
  const mark = markOf(item.state, symbols);
  const seconds = item.seconds === undefined ? "" : item.seconds.toFixed(1);
  const tokens = item.tokens === undefined ? "" : countText(item.tokens);
  return [
    { text: chosen ? ` ${symbols.pointer} ` : "   ", style: "accent" },
    { text: `${mark.sign} `, style: mark.style },
    {
      text: label === 0 ? "" : `${name(item.label, label)}  `,
      ...inkOf(colour, "faint"),
    },
    { text: `${name(item.ref.task, id)}  `, style: chosen ? "strong" : "plain" },
    { text: pad(printable(item.question), question) },
    { text: error === 0 ? "" : `  ${name(item.error, error)}`, style: "bad" },
    {
      text: amounts === 0 ? "" : pad(seconds, amounts, "right") + pad(tokens, amounts, "right"),
      style: "faint",
    },
  ];
}

/** Where there is no room for all of it, it is cut in the middle. */
function name(text: string, columns: number): string {
  return pad(fitMiddle(printable(text), columns), columns);
}
