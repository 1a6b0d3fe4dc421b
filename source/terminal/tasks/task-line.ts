import { inkOf, type Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable, width } from "../../engine/text/printable.ts";
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

/** Measured on the visible items, so that a long list costs no more than a short one. */
export function columnsFor(items: readonly TaskItem[], columns: number): Columns {
  const widest = (of: (item: TaskItem) => string, most: number) =>
    Math.min(most, Math.max(0, ...items.map((item) => width(printable(of(item))))));
  const label = widest((item) => item.label, Math.floor(columns / 6));
  const id = Math.max(
    4,
    widest((item) => item.ref.task, Math.max(12, Math.floor(columns / 5))),
  );
  const error = widest((item) => item.error, Math.max(12, Math.floor(columns / 6)));
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
      text: label === 0 ? "" : `${pad(printable(item.label), label)}  `,
      ...inkOf(colour, "faint"),
    },
    { text: `${pad(printable(item.ref.task), id)}  `, style: chosen ? "strong" : "plain" },
    { text: pad(printable(item.question), question) },
    { text: error === 0 ? "" : `  ${pad(printable(item.error), error)}`, style: "bad" },
    {
      text: amounts === 0 ? "" : pad(seconds, amounts, "right") + pad(tokens, amounts, "right"),
      style: "faint",
    },
  ];
}
