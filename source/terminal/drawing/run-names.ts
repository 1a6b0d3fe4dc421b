/** Names of runs in little space: prints the common prefix once, and never truncates the distinguishing part. */
import { separator, signs } from "../../look/signs.ts";
import { alignedLabels, briefNames } from "../../engine/figures/drawing/brief-names.ts";
import { sharedPrefix, columnsToTellApart } from "../../engine/figures/drawing/told-apart.ts";
import { fitMiddle, printable, width } from "../../engine/text/printable.ts";

/** Returns names of at most `room` columns if possible; names that fit are not shortened. */
export function runNames(labels: readonly string[], room: number) {
  const whole = briefNames(labels.map(printable));
  const prefix = whole.every((name) => width(name) <= room) ? "" : sharedPrefix(whole);
  const names = alignedLabels(
    whole.map((name) => name.slice(prefix.length)),
    room,
    // Labels of older notebooks have commas.
    labels.some((label) => label.includes(", ")) ? ", " : separator,
  );
  const columns = columnsToTellApart(names, room);
  return {
    /** The column's title, with the prefix that all names share. */
    title: fitMiddle(prefix === "" ? "run" : `run ${prefix}${signs.more}`, columns),
    /** The rest of each label, in the order of the labels. */
    names: names.map((name) => fitMiddle(name, columns)),
    /** Width of the widest name; exceeds the room only if two names would otherwise be equal. */
    columns,
  };
}
