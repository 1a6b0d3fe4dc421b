/** A labelled text: shown whole when it is short, as its first line with the number of further lines when it is long. */
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
  /** Shown whole up to this many lines; in a lane up to `mostBrief`, or 1. */
  readonly most: number;
  readonly mostBrief?: number;
  readonly error?: boolean;
  /** Read as a model's text is, JSON as fields, where it is not too long for that. */
  readonly read?: boolean;
};

/** Characters of a text that is read: beside a conversation may stand many that are long. */
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
  // What begins with blank lines, as thinking between tags does, is told by its first words.
  const first = behindLabel(shown.find((line) => lineText(line).trim() !== "") ?? []);
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

/** What is quieter as a whole has no other styles in it. */
function inStyle(lines: readonly Line[], style: Style | undefined): readonly Line[] {
  if (style === undefined) return lines;
  return lines.map((line): Line => {
    const text = lineText(line);
    const bare = text.trim();
    return [{ text: text.slice(0, text.indexOf(bare)) }, { text: bare, style }];
  });
}

/** Two blanks instead of its indentation. */
function behindLabel([first, ...rest]: Line): Line {
  if (first === undefined) return [{ text: "  " }];
  const text = first.text.trimStart();
  return text === "" ? behindLabel(rest) : [{ ...first, text: `  ${text}` }, ...rest];
}
