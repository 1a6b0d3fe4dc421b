/** A labelled text: shown whole when it is short, as its first line with the number of further lines when it is long. */
import type { Line, Style } from "../../engine/figures/drawing/line.ts";
import { fit, width } from "../../engine/text/printable.ts";
import { plural } from "../drawing/amount.ts";
import { type Block, blockOf, textBlock } from "./block.ts";
import { type View, linesOfText, readLines } from "./view.ts";

type Folded = {
  readonly id: string;
  readonly label: string;
  readonly labelStyle: Style;
  readonly text: string;
  readonly style?: Style;
  /** Shown whole up to this many lines. */
  readonly most: number;
  readonly error?: boolean;
  /** Expanded it is read as a model's text is: JSON as fields. */
  readonly read?: boolean;
};

export function foldedBlocks(
  { id, label, labelStyle, text, style = "plain", most, error = false, read = false }: Folded,
  view: View,
): Block[] {
  const lines = linesOfText(id, text, view, 4);
  const long = lines.length > (view.brief === true ? Math.min(most, 1) : most);
  const open = long === view.toggled.has(id);
  const head: Line = [
    { text: "  " },
    { text: label, style: labelStyle },
    ...(open && long ? [{ text: "  Enter collapses", style: "faint" } as const] : []),
  ];
  const rest = { error, folds: long };
  if (lines.length <= 1 && fits(label, lines[0] ?? "", view)) {
    return [blockOf(id, [[...head, { text: `  ${lines[0] ?? ""}`, style }]], rest)];
  }
  const inside = `${id} text`;
  if (open) {
    const shown = read ? blockOf(inside, readLines(id, text, view, { indent: 4 })) : textBlock(inside, lines, style, 4);
    return [blockOf(id, [head], rest), shown];
  }
  const more = `  ${plural(lines.length - 1, "more line")}${view.brief === true ? "" : ": Enter"}`;
  const room = Math.max(0, view.columns - width(label) - more.length - 5);
  const first = fit(lines[0] ?? "", room);
  return [
    blockOf(id, [[...head, { text: `  ${first}`, style }, { text: more, style: "faint" }]], {
      ...rest,
      folded: { id: inside, lines },
    }),
  ];
}

function fits(label: string, line: string, { columns }: View): boolean {
  return width(label) + width(line) + 4 <= columns;
}
