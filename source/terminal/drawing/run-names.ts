/** Names of runs in little space: print the common prefix once; never truncate the distinguishing part. */
import { signs } from "../../look/signs.ts";
import { sharedPrefix, columnsToTellApart } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, printable, width } from "../../engine/text/printable.ts";

/** Returns names of at most `room` columns if possible; names that fit are not shortened. */
export function runNames(labels: readonly string[], room: number) {
  const whole = labels.map(printable);
  const prefix = whole.every((name) => width(name) <= room) ? "" : sharedPrefix(whole);
  const names = alignedLabels(
    whole.map((name) => name.slice(prefix.length)),
    room,
  );
  const columns = columnsToTellApart(names, room);
  return {
    /** The column's title, with the prefix that all names share. */
    title: fitMiddle(prefix === "" ? "run" : `run ${prefix}${signs.more}`, columns),
    /** The rest of each label, in the order of the labels. */
    names: names.map((name) => fitMiddle(name, columns)),
    /** Width of the widest name; exceeds the room only if two names would look alike otherwise. */
    columns,
  };
}

const gap = "  ";
/** Fewest columns in which a value is still recognisable. */
const leastOfValue = 5;

/**
 * Aligns the values that distinguish runs in at most `room` columns. The values with most to spare are cut in the
 * middle, as long as they stay distinguishable. Labels with different numbers of values are returned unchanged.
 */
function alignedLabels(labels: readonly string[], room: number): readonly string[] {
  const parts = labels.map((label) => label.split(", "));
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
