/** A table of a text, set in columns: as wide as its cells where there is room, else with its widest cells broken into lines. */
import { type Line, lineText, lineWidth, type Span } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../engine/figures/drawing/symbols.ts";
import { wrapSpans } from "./wrapped-spans.ts";

export type TextTable = {
  readonly head: readonly Line[];
  /** Rows may be shorter or longer than the head. */
  readonly rows: readonly (readonly Line[])[];
  /** Numbers of the columns whose cells end below each other. */
  readonly right: ReadonlySet<number>;
};

/** Between two columns. */
const between = 2;
/** A narrower column cannot be read. */
const narrowest = 4;

/** Undefined where the columns do not fit beside each other. */
export function textTableLines(
  { head, rows, right }: TextTable,
  columns: number,
  symbols: Symbols,
): Line[] | undefined {
  const count = Math.max(head.length, ...rows.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, at) =>
    Math.max(1, ...[head, ...rows].map((row) => lineWidth(row[at] ?? []))),
  );
  const widths = fitted(natural, columns - between * (count - 1));
  if (widths === undefined) return undefined;
  const rowLines = (row: readonly Line[]): Line[] => {
    const cells = widths.map((wide, at) => wrapSpans(row[at] ?? [], wide, ""));
    const high = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: high }, (_, line) =>
      cells.flatMap((cell, at): Line => [
        ...(at === 0 ? [] : [{ text: " ".repeat(between) }]),
        ...padded(cell[line] ?? [], widths[at]!, right.has(at)),
      ]),
    );
  };
  const strong = head.map((cell) => cell.map((span): Span => ({ ...span, style: span.style ?? "strong" })));
  const rule: Line = [
    { text: widths.map((wide) => symbols.rule.repeat(wide)).join(" ".repeat(between)), style: "rule" },
  ];
  return [...rowLines(strong), rule, ...rows.flatMap(rowLines)];
}

/** So wide that all fit into the room: the widest give way first. */
function fitted(natural: readonly number[], room: number): readonly number[] | undefined {
  const least = natural.map((wide) => Math.min(wide, narrowest));
  if (least.reduce((sum, wide) => sum + wide, 0) > room) return undefined;
  const under = (most: number) => natural.map((wide, at) => Math.max(least[at]!, Math.min(wide, most)));
  let most = Math.max(...natural);
  while (under(most).reduce((sum, wide) => sum + wide, 0) > room) most -= 1;
  return under(most);
}

function padded(cell: Line, wide: number, isRight: boolean): Line {
  const text = lineText(cell);
  const line = text.trimEnd() === "" ? [] : cell;
  const blanks = { text: " ".repeat(Math.max(0, wide - lineWidth(line))) };
  return isRight ? [blanks, ...line] : [...line, blanks];
}
