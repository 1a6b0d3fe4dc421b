/** Folds this program's help texts and documents at words for a terminal narrower than their lines. */
import { width, wrap } from "../../engine/text/printable.ts";

/** A line shorter than this ends its paragraph: the lines of documents have about 130 columns. */
const fullLine = 90;

/** The start of a line: the columns of its first word and of its continuation lines, and its kind. */
type Beginning = { readonly indent: number; readonly text: number; readonly kind: "command" | "item" | "prose" };

/**
 * Returns the text with no line wider than `columns`, except code, tables, and wider words. The description after a flag, list
 * word or mark continues below itself. Lines of a paragraph that contains a too wide line are filled again together; all others
 * stay unchanged.
 */
export function foldedText(text: string, columns: number): string {
  const lines = text.split("\n");
  const folded: string[] = [];
  let inCode = false;
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const isFence = line.startsWith("```");
    if (isFence) inCode = !inCode;
    if (isFence || inCode || isFixed(line, lines[at - 1])) {
      folded.push(line);
      at += 1;
      continue;
    }
    const beginning = beginningOf(line);
    let end = at + 1;
    while (end < lines.length && goesOn(lines[end]!, lines[end - 1]!, beginning)) end += 1;
    folded.push(...paragraph(lines.slice(at, end), beginning, columns));
    at = end;
  }
  return folded.join("\n");
}

/** Matches empty lines, rows of a table, and code indented after an empty line. */
const isFixed = (line: string, before = ""): boolean =>
  line.trim() === "" || line.startsWith("|") || (before === "" && indentOf(line) >= 4);

const indentOf = (line: string): number => line.length - line.trimStart().length;

function beginningOf(line: string): Beginning {
  const indent = indentOf(line);
  const marked = /^ *(?:[-*]|\d+\.) +(?=\S)/.exec(line) ?? /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line);
  if (marked !== null) return { indent, text: marked[0].length, kind: "item" };
  return line.startsWith("planwright ")
    ? { indent, text: 4, kind: "command" }
    : { indent, text: indent, kind: "prose" };
}

function goesOn(line: string, before: string, first: Beginning): boolean {
  if (line.trim() === "" || line.startsWith("|") || line.startsWith("```")) return false;
  const { indent, kind } = beginningOf(line);
  if (first.kind === "command") return indent > 0;
  if (kind !== "prose") return false;
  if (first.kind === "item") return indent > first.indent;
  return first.indent > 0 ? indent >= first.indent : indent === 0 && width(before) > fullLine;
}

function paragraph(lines: readonly string[], { indent, text, kind }: Beginning, columns: number): readonly string[] {
  if (lines.every((line) => width(line) <= columns)) return lines;
  const wanted = kind === "command" || lines.length === 1 ? text : indentOf(lines[1]!);
  // After a long word leaves little room, the description starts further left.
  const hang = wanted > columns / 2 ? indent + 4 : wanted;
  const joined = lines.map((line) => line.trim()).join(" ");
  // A flag stays on one line with its value.
  const whole = kind === "command" ? joined.replace(/\[[^[\]]*\]/g, (flag) => flag.replaceAll(" ", "\u00a0")) : joined;
  const [head = ""] = wrap(whole, columns - indent);
  const rest = whole.slice(head.length).trimStart();
  const below = rest === "" ? [] : wrap(rest, columns - hang);
  const set = [" ".repeat(indent) + head, ...below.map((line) => " ".repeat(hang) + line)];
  return set.map((line) => line.replaceAll("\u00a0", " "));
}
