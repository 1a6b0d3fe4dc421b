import { inkOf, type Line } from "../../engine/figures/drawing/line.ts";
import { columnsOfNames } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, printable, width } from "../../engine/text/printable.ts";
import { countText } from "../drawing/amount.ts";
import { runNames } from "../drawing/run-names.ts";
import { markOf } from "../drawing/task-mark.ts";
import type { Theme } from "../drawing/theme.ts";
import type { TaskItem } from "./task-item.ts";

/** Widths of the columns, by content and window. */
export type Columns = {
  /** 0 if the list is of one run. */
  readonly run: number;
  readonly runTitle: string;
  /** Names by label. */
  readonly runNames: ReadonlyMap<string, string>;
  readonly id: number;
  readonly question: number;
  readonly error: number;
  /** Width of seconds and of tokens; 0 if there is no room. */
  readonly amounts: number;
};

/**
 * Measures only the visible items, so that a long list costs no more than a short one; runs are distinguished by all
 * `labels` of the list. Distinguishing parts of names are not cut: each name has its share of the line, and more if
 * names would look alike.
 */
export function columnsFor(items: readonly TaskItem[], labels: readonly string[], columns: number): Columns {
  const needed = (of: (item: TaskItem) => string, share: number, most: number) =>
    columnsOfNames(
      items.map((item) => printable(of(item))),
      share,
      columns * most,
    );
  const runs = runNames(labels, Math.floor(columns / 4));
  const isNamed = labels.some((label) => label !== "");
  const run = isNamed ? Math.min(Math.max(width("run"), runs.columns), Math.floor(columns / 3)) : 0;
  const id = Math.max(
    4,
    needed((item) => item.ref.task, Math.max(12, Math.floor(columns / 5)), 1 / 3),
  );
  const error = needed((item) => item.error, Math.max(12, Math.floor((columns - run) / 4)), 1 / 3);
  const amounts = columns < 70 ? 0 : 8;
  const taken = 5 + (run === 0 ? 0 : run + 2) + id + 2 + (error === 0 ? 0 : error + 2) + 2 * amounts;
  const names = new Map(labels.map((label, at) => [label, runs.names[at]!]));
  return { run, runTitle: runs.title, runNames: names, id, error, amounts, question: Math.max(0, columns - taken) };
}

export function headingLine({ run, runTitle, id, question, error, amounts }: Columns): Line {
  const cells = [
    "     ",
    run === 0 ? "" : `${name(runTitle, run)}  `,
    `${pad("task", id)}  `,
    pad("question", question),
    error === 0 ? "" : `  ${pad("first error", error)}`,
    amounts === 0 ? "" : pad("seconds", amounts, "right") + pad("tokens", amounts, "right"),
  ];
  return [{ text: cells.join(""), style: "faint" }];
}

/** `colour` is the number of the run's colour. */
export function taskLine(item: TaskItem, columns: Columns, chosen: boolean, theme: Theme, colour?: number): Line {
  const { symbols } = theme;
  const { run, runNames: names, id, question, error, amounts } = columns;
  const mark = markOf(item.state, symbols);
  const seconds = item.seconds === undefined ? "" : item.seconds.toFixed(1);
  const tokens = item.tokens === undefined ? "" : countText(item.tokens);
  return [
    { text: chosen ? ` ${symbols.pointer} ` : "   ", style: "accent" },
    { text: `${mark.sign} `, style: mark.style },
    {
      text: run === 0 ? "" : `${name(names.get(item.label) ?? item.label, run)}  `,
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

/** Cuts the text in the middle if there is no room. */
function name(text: string, columns: number): string {
  return pad(fitMiddle(printable(text), columns), columns);
}
