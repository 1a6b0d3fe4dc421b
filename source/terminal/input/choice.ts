/** What lists over a screen are made of: their choices, and how each is written. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import { pad, printable, width } from "../../engine/text/printable.ts";

export type Choice = {
  readonly value: string;
  readonly title: string;
  readonly note?: string;
  /** Of little use now: the note says why. */
  readonly faint?: boolean;
};

/** As wide as the longest title, up to a limit: notes stand in a column of their own. */
export function titleWidth(choices: readonly Choice[]): number {
  return Math.min(40, Math.max(0, ...choices.map(({ title }) => width(printable(title)))));
}

/** A choice in a line; `before` says whether it is taken, or its number. */
export function choiceText({ title, note }: Choice, before: string, titles: number): string {
  const name = printable(title);
  return `${before}${note === undefined ? name : `${pad(name, titles)}  ${printable(note)}`}`;
}

export function choiceLine(text: string, faint = false, isSelected = false): Line {
  return [{ text, style: faint ? "faint" : isSelected ? "strong" : "plain" }];
}
