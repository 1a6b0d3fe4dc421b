/** A row of the screen, place by place. */
import { forEachCluster } from "../../engine/text/printable.ts";
import type { PlacedText } from "./surface.ts";

export type ScreenLine = {
  /** What stands in each column: a character with what combines with it; "" in the right half of a wide one. */
  readonly texts: readonly string[];
  /** The colour sequences of each column, from a terminal without any. */
  readonly styles: readonly string[];
  /**
   * The first column with something of which terminals disagree how wide it is: what comes after it may stand elsewhere.
   * The number of columns where there is none.
   */
  readonly certain: number;
};

// oxlint-disable-next-line no-control-regex -- it is what is looked for
const colour = /\x1b\[([\d;]*)m/y;
/** Underlined, inverse or on a ground of its own: what shows where nothing stands. */
const shows = /[[;](?:4\d?|7)[;m]/;

/** The line that these pieces make; where two overlap, the later one is seen. */
export function screenLine(pieces: readonly PlacedText[], columns: number): ScreenLine {
  const texts = Array.from({ length: columns }, () => " ");
  const styles = Array.from({ length: columns }, () => "");
  let certain = columns;
  for (const { column, end, text } of pieces) place(text, column, Math.min(end, columns));
  return { texts, styles, certain };

  function place(text: string, column: number, end: number): void {
    let style = "";
    let at = column;
    for (let from = 0; from < text.length && at < end;) {
      colour.lastIndex = from;
      const sequence = colour.exec(text);
      if (sequence !== null) {
        style = sequence[1] === "0" || sequence[1] === "" ? "" : style + sequence[0];
        from += sequence[0].length;
        continue;
      }
      const next = text.indexOf("\x1b[", from + 1);
      const to = next < 0 ? text.length : next;
      forEachCluster(text.slice(from, to), (cluster, wide) => {
        if (at + wide > end) at = end;
        else if (wide > 0) set(at, cluster, wide, style);
        else if (at > column) join(texts[at - 1] === "" ? at - 2 : at - 1, cluster);
        at += wide;
      });
      from = to;
    }
  }

  function set(at: number, cluster: string, wide: number, style: string): void {
    // Half of a wide character is nothing.
    if (texts[at] === "") texts[at - 1] = " ";
    if (texts[at + wide] === "") texts[at + wide] = " ";
    texts[at] = cluster;
    styles[at] = cluster === " " && !shows.test(style) ? "" : style;
    if (wide === 2) {
      texts[at + 1] = "";
      styles[at + 1] = style;
    }
    if (!isCertain(cluster, wide)) certain = Math.min(certain, at);
  }

  function join(at: number, mark: string): void {
    texts[at] += mark;
    certain = Math.min(certain, at);
  }
}

/** Whether every terminal gives it this width: emoji and what is put together of several characters are drawn as each one can. */
function isCertain(cluster: string, wide: number): boolean {
  if (cluster.length !== 1) return false;
  return wide === 1 || cluster >= "\u2e80";
}

/** The column from which on there is nothing but the terminal's own ground. */
export function blankFrom({ texts, styles }: ScreenLine): number {
  let column = texts.length;
  while (column > 0 && texts[column - 1] === " " && styles[column - 1] === "") column--;
  return column;
}
