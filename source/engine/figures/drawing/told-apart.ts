/** Names with little room: what tells them apart is never cut. */
import { fitMiddle, width } from "../../text/printable.ts";

/** Among more names than these nobody compares each with each. */
export const mostNames = 500;

/** The fewest columns, `least` or more, in which these printable texts are still different when they are cut in their middles. */
export function columnsToTellApart(texts: readonly string[], least: number): number {
  const names = [...new Set(texts)];
  if (names.length > mostNames) return least;
  const whole = Math.max(0, ...names.map(width));
  if (whole <= least) return least;
  for (let columns = least; columns < whole; columns++)
    if (new Set(names.map((name) => fitMiddle(name, columns))).size === names.length) return columns;
  return whole;
}

/** Columns for names of which all have a share of the line, more where they would look alike otherwise, and never more than `most`. */
export function columnsOfNames(texts: readonly string[], share: number, most: number): number {
  const widest = Math.max(0, ...texts.map(width));
  return widest <= share ? widest : Math.min(columnsToTellApart(texts, share), Math.floor(most));
}
