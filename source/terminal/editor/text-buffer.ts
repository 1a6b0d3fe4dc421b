import { graphemes } from "../../engine/text/graphemes.ts";
import type { TextCommand } from "../input/keys.ts";

/** A text being edited: lines and a cursor. Every change makes a new buffer, so that undo is a list of old buffers. */
export type TextBuffer = {
  readonly lines: readonly string[];
  readonly row: number;
  /** Counted in grapheme clusters, not in code units. */
  readonly column: number;
};

export const characters = (line: string): string[] => Array.from(graphemes(line), ({ segment }) => segment);

/** Opens a text with the cursor at its start or its end. */
export function openBuffer(text: string, at: "start" | "end" = "start"): TextBuffer {
  const lines = text.split("\n");
  if (at === "start") return { lines, row: 0, column: 0 };
  return { lines, row: lines.length - 1, column: characters(lines.at(-1)!).length };
}

export const bufferText = ({ lines }: TextBuffer): string => lines.join("\n");

function parts({ lines, row, column }: TextBuffer): { before: string; after: string } {
  const all = characters(lines[row]!);
  return { before: all.slice(0, column).join(""), after: all.slice(column).join("") };
}

/** Inserts typed or pasted text. Carriage returns become line breaks because a terminal would obey them. */
export function insertText(buffer: TextBuffer, text: string): TextBuffer {
  const { before, after } = parts(buffer);
  const added = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  const joined = [...added];
  joined[0] = before + joined[0]!;
  const column = characters(joined.at(-1)!).length;
  joined[joined.length - 1] = joined.at(-1)! + after;
  return { lines: buffer.lines.toSpliced(buffer.row, 1, ...joined), row: buffer.row + added.length - 1, column };
}

/** Inserts a new line with the indentation of the current line, which YAML needs. */
export function newLine(buffer: TextBuffer): TextBuffer {
  const line = buffer.lines[buffer.row]!;
  const indent = /^ */.exec(line)![0].slice(0, buffer.column);
  return insertText(buffer, `\n${indent}`);
}

export function backspace(buffer: TextBuffer): TextBuffer {
  const { row, column, lines } = buffer;
  if (column > 0) {
    const all = characters(lines[row]!);
    return { lines: lines.with(row, all.toSpliced(column - 1, 1).join("")), row, column: column - 1 };
  }
  if (row === 0) return buffer;
  const above = lines[row - 1]!;
  const joined = lines.toSpliced(row - 1, 2, above + lines[row]!);
  return { lines: joined, row: row - 1, column: characters(above).length };
}

export function deleteAhead(buffer: TextBuffer): TextBuffer {
  const ahead = moveBy(buffer, 1);
  return ahead.row === buffer.row && ahead.column === buffer.column ? buffer : backspace(ahead);
}

export function cutToEnd(buffer: TextBuffer): TextBuffer {
  const { before, after } = parts(buffer);
  if (after === "") return deleteAhead(buffer);
  return { ...buffer, lines: buffer.lines.with(buffer.row, before) };
}

/** Deletes to the start of the line; at the start, deletes the line break before it. */
export function cutToStart(buffer: TextBuffer): TextBuffer {
  const { before, after } = parts(buffer);
  return before === ""
    ? backspace(buffer)
    : { lines: buffer.lines.with(buffer.row, after), row: buffer.row, column: 0 };
}

/** Deletes from the start of the word before the cursor. */
export function cutWord(buffer: TextBuffer): TextBuffer {
  const start = moveWord(buffer, -1);
  if (start.row !== buffer.row) return cutToStart(buffer);
  const kept = parts(start).before;
  return { ...start, lines: buffer.lines.with(buffer.row, kept + parts(buffer).after) };
}

/** Moves left (-1) or right (1) by one character, across line ends. */
export function moveBy(buffer: TextBuffer, by: 1 | -1): TextBuffer {
  const { lines, row, column } = buffer;
  const length = characters(lines[row]!).length;
  if (by < 0 && column === 0)
    return row === 0 ? buffer : { lines, row: row - 1, column: characters(lines[row - 1]!).length };
  if (by > 0 && column >= length) return row === lines.length - 1 ? buffer : { lines, row: row + 1, column: 0 };
  return { lines, row, column: column + by };
}

export function moveRows(buffer: TextBuffer, by: number): TextBuffer {
  const row = Math.max(0, Math.min(buffer.lines.length - 1, buffer.row + by));
  return { ...buffer, row, column: Math.min(buffer.column, characters(buffer.lines[row]!).length) };
}

export function moveWord(buffer: TextBuffer, by: 1 | -1): TextBuffer {
  const blank = (at: TextBuffer) => {
    const character = characters(at.lines[at.row]!)[by > 0 ? at.column : at.column - 1];
    return character === undefined || /\s/.test(character);
  };
  let at = buffer;
  for (const wanted of [true, false]) {
    for (let next = moveBy(at, by); next !== at && blank(at) === wanted; next = moveBy(at, by)) at = next;
  }
  return at;
}

export const toEnd = (buffer: TextBuffer, end: "start" | "end"): TextBuffer => ({
  ...buffer,
  column: end === "start" ? 0 : characters(buffer.lines[buffer.row]!).length,
});

/** `move` receives a buffer with another cursor position, `change` one with another text. */
export const textCommands = (
  buffer: TextBuffer,
  move: (next: TextBuffer) => void,
  change: (next: TextBuffer) => void,
): Readonly<Record<TextCommand, () => void>> => ({
  left: () => move(moveBy(buffer, -1)),
  right: () => move(moveBy(buffer, 1)),
  home: () => move(toEnd(buffer, "start")),
  end: () => move(toEnd(buffer, "end")),
  "word-left": () => move(moveWord(buffer, -1)),
  "word-right": () => move(moveWord(buffer, 1)),
  backspace: () => change(backspace(buffer)),
  delete: () => change(deleteAhead(buffer)),
  "cut-line": () => change(cutToEnd(buffer)),
  "cut-before": () => change(cutToStart(buffer)),
  "cut-word": () => change(cutWord(buffer)),
});
