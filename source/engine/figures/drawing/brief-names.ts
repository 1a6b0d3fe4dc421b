/**
 * Names of runs on a screen: built-in models by the options that change results, and the values that distinguish runs in columns.
 */
import { separator } from "../../../look/signs.ts";
import { briefModel } from "../../settings/label.ts";
import { fitMiddle, pad, width } from "../../text/printable.ts";
import { columnsToTellApart } from "./told-apart.ts";

/** Returns labels in which names of models are shortened, as far as different labels stay different. */
export function briefNames(labels: readonly string[]): readonly string[] {
  const brief = labels.map((label) => label.split(separator).map(briefModel).join(separator));
  return new Set(brief).size === new Set(labels).size ? brief : labels;
}

/** Returns a text in which names of built-in models are shortened. */
export const brieflyNamed = (text: string): string => text.replaceAll(/\bbuiltin\/[\w-]+(?:\?[\w.&=-]+)?/g, briefModel);

const gap = "  ";
/** Minimum number of columns in which a value is recognisable. */
const leastOfValue = 5;

/**
 * Aligns the values that distinguish runs in at most `room` columns. The longest values are truncated in the middle, as long as
 * they stay distinguishable. Labels with different numbers of values are returned unchanged.
 */
export function alignedLabels(labels: readonly string[], room: number, between = separator): readonly string[] {
  const parts = labels.map((label) => label.split(between));
  const [count = 0] = parts.map(({ length }) => length);
  if (count < 2 || parts.some(({ length }) => length !== count)) return labels;
  const values = Array.from({ length: count }, (_, place) => parts.map((each) => each[place]!));
  const widths = values.map((texts) => Math.max(...texts.map(width)));
  const spare = values.map((texts, place) => widths[place]! - columnsToTellApart(texts, leastOfValue));
  let over = widths.reduce((sum, columns) => sum + columns + gap.length, -gap.length) - room;
  for (; over > 0 && Math.max(...spare) > 0; over--) {
    const most = spare.indexOf(Math.max(...spare));
    widths[most]! -= 1;
    spare[most]! -= 1;
  }
  const cut = (part: string, place: number) => pad(fitMiddle(part, widths[place]!), widths[place]!);
  return parts.map((each) => each.map(cut).join(gap).trimEnd());
}
