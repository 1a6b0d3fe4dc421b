/** Names of runs with little room: what all begin with is said once, what tells them apart is never cut. */
import { sharedPrefix } from "../../engine/figures/drawing/shared-prefix.ts";
import { columnsToTellApart } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, pad, printable, width } from "../../engine/text/printable.ts";

export type RunNames = {
  /** Over the column: what all names begin with stands here. */
  readonly title: string;
  /** What is left of each label, in the labels' order. */
  readonly names: readonly string[];
  /** Of the widest; more than there is room for only where two would look alike otherwise. */
  readonly columns: number;
};

/** Whole names where they have as many as `room` columns. */
export function runNames(labels: readonly string[], room: number): RunNames {
  const whole = labels.map(printable);
  const prefix = whole.every((name) => width(name) <= room) ? "" : sharedPrefix(whole);
  const names = alignedLabels(
    whole.map((name) => name.slice(prefix.length)),
    room,
  );
  const columns = columnsToTellApart(names, room);
  return {
    title: fitMiddle(prefix === "" ? "run" : `run ${prefix}…`, columns),
    names: names.map((name) => fitMiddle(name, columns)),
    columns,
  };
}

const gap = "  ";
/** Of a value something is seen in so few columns. */
const leastOfValue = 5;

/**
 * The values that tell runs apart, one below the other, in as few as `room` columns: those that can spare most are cut in their
 * middles, as far as they are told apart. Labels that are not made of as many values stay as they are.
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
