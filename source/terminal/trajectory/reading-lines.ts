/** Shows a model's output for reading: JSON as fields, also while it streams, and formatted Markdown. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Symbols } from "../../look/signs.ts";
import { assignedCall, readableLine, writtenCall } from "../../engine/text/call-text.ts";
import { counted } from "../../engine/text/counted.ts";
import { emphasised, isFence, lineBlock, tableAt } from "../../engine/text/markdown.ts";
import { jsonAt, partialJson, type PartialJson } from "../../engine/text/partial-json.ts";
import { printable } from "../../engine/text/printable.ts";
import { spansOf, markdownTableLines } from "../notebook/note-lines.ts";
import { at, fieldLines, type Indented, type SaidBefore, wrapIndented } from "./field-lines.ts";

/** Maximum characters that are laid out, because the screen must not wait for longer texts. */
export const longestRead = 100_000;

/**
 * Returns lines of at most `columns`, without text that was `said` before. Line breaks of the text stay, whatever they mean in
 * Markdown. A text that is too long is truncated, with a line that reports the remaining text.
 */
export function readingLines(text: string, columns: number, symbols: Symbols, said?: SaidBefore): Line[] {
  const room = Math.max(10, columns);
  const shown = text.slice(0, longestRead);
  const value = partialJson(shown);
  const parts = value === undefined ? markdownParts(shown, room, symbols).parts : fieldLines(value, { symbols, said });
  const lines = parts.flatMap((part) => ("table" in part ? part.table : wrapIndented(part, room)));
  const rest = text.length - shown.length;
  const more = `${symbols.more} ${counted(rest, "more character")}: v shows all`;
  return rest === 0 ? lines : [...lines, [{ text: more, style: "faint" }]];
}

/** Laid out already. */
type Table = { readonly table: readonly Line[] };

/**
 * The layout of a text, and how much of it stays the same however the text continues: parts, characters, and whether a fence is
 * open.
 */
type MarkdownParts = {
  readonly parts: (Indented | Table)[];
  readonly final: { readonly parts: number; readonly length: number; readonly fenced: boolean };
};

/**
 * Lays out a text that is not JSON as a whole. `readLine` reads finished lines that need no context; `fenced` is true if the text
 * starts within a fence.
 */
export function markdownParts(
  text: string,
  columns: number,
  symbols: Symbols,
  readLine = (line: string) => markdownLine(line, symbols),
  fenced = false,
): MarkdownParts {
  const written = text.split("\n");
  const lines = written.map((line) => line.trimEnd());
  const embedded = findJson(text);
  const parts: (Indented | Table)[] = [];
  let final = { parts: 0, length: 0, fenced };
  for (let index = 0, length = 0; index < lines.length;) {
    const line = lines[index]!;
    const found = fenced ? undefined : tableAt(lines, index);
    const table = found && markdownTableLines(found, columns, symbols, { underscores: false });
    const json = fenced || table !== undefined ? undefined : embedded.at(index);
    if (table !== undefined) parts.push({ table });
    else if (json !== undefined) parts.push(...fieldLines(json.value, { symbols }));
    else {
      const fence = isFence(line);
      if (fence) fenced = !fenced;
      if (fence || fenced) parts.push(at(0, { text: printable(line), style: fence ? "faint" : "code" }));
      else if (index === lines.length - 1) parts.push(markdownLine(writtenCall(line) ?? line, symbols));
      else parts.push(readLine(line));
    }
    const next = index + (table === undefined ? (json?.lines ?? 1) : found!.rows.length + 2);
    while (index < next) length += written[index++]!.length + 1;
    // The line below decides, once it is complete, whether this one heads a table, and where a table or JSON ends.
    if (next < lines.length - 1 && !embedded.hasFailed()) final = { parts: parts.length, length, fenced };
  }
  return { parts, final };
}

/** Limit of failed attempts to parse JSON. */
const mostFailures = 20;

/**
 * Finds JSON that occupies whole lines, fenced or not: the value that starts on a line, and the number of its lines including the
 * fence.
 */
function findJson(text: string) {
  const lines = text.split("\n");
  const begins: number[] = [];
  for (let index = 0, begin = 0; index < lines.length; begin += lines[index++]!.length + 1) begins.push(begin);
  // While a text streams, the end of a fence arrives character by character.
  const endsFence = (index: number) =>
    isFence(lines[index]!) || (index === lines.length - 1 && /^\s{0,3}[`~]*$/.test(lines[index]!));
  let failures = 0;
  const valueAt = (index: number): { readonly value: PartialJson; readonly lines: number } | undefined => {
    const isFenced = /^\s{0,3}(```|~~~)(json)?\s*$/.test(lines[index]!);
    const first = isFenced ? index + 1 : index;
    if (failures >= mostFailures || !/^\s*[{[]/.test(lines[first] ?? "")) return undefined;
    const found = jsonAt(text, begins[first]!);
    if (found !== undefined && holdsNames(found.value)) {
      const { value, to } = found;
      const written = text.slice(begins[first], to).trimEnd();
      const next = value.open ? lines.length : first + written.split("\n").length;
      const isWhole = to === text.length || to >= (begins[next] ?? Infinity);
      if (isWhole && (!isFenced || next >= lines.length || endsFence(next)))
        return { value, lines: Math.min(lines.length, isFenced ? next + 1 : next) - index };
    }
    failures += 1;
    return undefined;
  };
  return { at: valueAt, hasFailed: () => failures > 0 };
}

/** Returns true if fields are more readable than the text, which is not the case for `{}` or a list of plain values. */
const holdsNames = (value: PartialJson): boolean =>
  value.kind === "object" ? value.entries.length > 0 : value.kind === "list" && value.items.some(holdsNames);

/** Lays out a line of Markdown that needs no context. */
export function markdownLine(line: string, symbols: Symbols): Indented {
  const block = lineBlock(line);
  const indent = line.length - line.trimStart().length;
  switch (block?.kind) {
    case "heading":
      return at(0, { text: printable(block.text), style: "title" });
    case "rule":
      return at(0, { text: symbols.rule.repeat(3), style: "rule" });
    case "item": {
      const sign = block.sign === "" ? symbols.bullet : block.sign;
      return at(block.indent, { text: `${sign} ` }, ...spansOf(block.parts));
    }
    case "quote":
      return at(0, { text: `${symbols.bar} ${printable(block.text)}`, style: "faint" });
    default: {
      const call = assignedCall(line.slice(indent));
      if (call !== undefined) return at(indent, { text: printable(call), style: "code" });
      return at(indent, ...spansOf(emphasised(readableLine(line.slice(indent)), { underscores: false })));
    }
  }
}
