/** A labelled text: a short one is shown whole, a long one as its first line and the number of further lines. */
import { fitLine, type Line, lineText, lineWidth, type Style } from "../../../engine/figures/drawing/line.ts";
import { width } from "../../../engine/text/printable.ts";
import { plural } from "../../drawing/amount.ts";
import { type Block, blockOf } from "../block.ts";
import { type View, linesOfText, readLines } from "../view.ts";

type Folded = {
  readonly id: string;
  readonly label: string;
  readonly labelStyle: Style;
  readonly text: string;
  readonly style?: Style;
  /** Limit of lines that are shown whole; in a lane `mostBrief`, or 1. */
  readonly most: number;
  readonly mostBrief?: number;
  readonly error?: boolean;
  /** Shows it like a model's text, JSON as fields, unless it is too long. */
  readonly read?: boolean;
};

/** Limit of characters shown for reading, because a conversation may have many long texts. */
const longestRead = 20_000;

export function foldedBlocks(
  { id, label, labelStyle, text, style, most, mostBrief = 1, error = false, read = false }: Folded,
  view: View,
): Block[] {
  const inside = `${id} text`;
  const shown =
    read && text.length <= longestRead
      ? inStyle(readLines(id, text, view, { indent: 4 }), style)
      : linesOfText(id, text, view, 4).map((line): Line => [{ text: "    " }, { text: line, style: style ?? "plain" }]);
  const long = shown.length > (view.brief === true ? mostBrief : most);
  const open = long === view.toggled.has(id);
  const head: Line = [
    { text: "  " },
    { text: label, style: labelStyle },
    ...(open && long ? [{ text: "  Enter collapses", style: "faint" } as const] : []),
  ];
  const rest = { error, folds: long };
  // A text that begins with blank lines, such as tagged thinking, or with empty fields is introduced by its first words.
  const written = shown.filter((line) => lineText(line).trim() !== "");
  const first = behindLabel(written.find((line) => !isEmptyField(line)) ?? written[0] ?? []);
  if (shown.length <= 1 && lineWidth(head) + lineWidth(first) <= view.columns)
    return [blockOf(id, [[...head, ...first]], rest)];
  if (open) return [blockOf(id, [head], rest), blockOf(inside, shown)];
  const more = `  ${plural(shown.length - 1, "more line")}${view.brief === true ? "" : ": Enter"}`;
  const room = Math.max(0, view.columns - width(label) - more.length - 3);
  return [
    blockOf(id, [[...head, ...fitLine(first, room), { text: more, style: "faint" }]], {
      ...rest,
      folded: { id: inside, lines: shown.map(lineText) },
    }),
  ];
}

/** Sets all lines in one quiet style. */
function inStyle(lines: readonly Line[], style: Style | undefined): readonly Line[] {
  if (style === undefined) return lines;
  return lines.map((line): Line => {
    const text = lineText(line);
    const bare = text.trim();
    return [{ text: text.slice(0, text.indexOf(bare)) }, { text: bare, style }];
  });
}

/** Reports whether a line of a read text is a field without a value, such as `error  ""`. */
function isEmptyField(line: Line): boolean {
  const last = line.at(-1);
  return line.length > 1 && ((last?.style === "faint" && /^(""|none)$/.test(last.text)) || last?.text === "null");
}

/** Replaces the indentation by two blanks. */
function behindLabel([first, ...rest]: Line): Line {
  if (first === undefined) return [{ text: "  " }];
  const text = first.text.trimStart();
  return text === "" ? behindLabel(rest) : [{ ...first, text: `  ${text}` }, ...rest];
}
