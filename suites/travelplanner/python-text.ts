/** How Python and pandas print values: what the published tools show their agents. */
import type { Json } from "../../source/engine/types.ts";

/** `repr` of a value: None, quoted strings, lists, dictionaries. Whole numbers print without a fraction. */
export function repr(value: Json): string {
  if (value === null) return "None";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => repr(item)).join(", ")}]`;
  const entries = Object.entries(value).map(([key, item]) => `${quoted(key)}: ${repr(item)}`);
  return `{${entries.join(", ")}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let printed = "";
  for (const character of text) {
    if (character === quote) printed += `\\${quote}`;
    else if (character in ESCAPES) printed += ESCAPES[character];
    else if (character !== " " && /[\p{C}\p{Z}]/u.test(character)) printed += escaped(character.codePointAt(0)!);
    else printed += character;
  }
  return quote + printed + quote;
}

function escaped(code: number): string {
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}

export type PrintedColumn = { readonly title: string; readonly kind: "text" | "int" | "float" };

/**
 * A table as pandas prints it without its index: right-aligned, one space between columns, numeric headers with one space in
 * front, floats of a column with as many decimals as the longest needs (1 to 6). With `index`, row numbers stand in front.
 */
export function printedTable(
  columns: readonly PrintedColumn[],
  rows: readonly (readonly (string | number)[])[],
  index?: readonly number[],
): string {
  const printed = columns.map(({ title, kind }, place) => {
    const cells = rows.map((row) => row[place]!);
    const header = kind === "text" || index !== undefined ? title : ` ${title}`;
    return rightAligned([header, ...(kind === "float" ? decimals(cells as number[]) : cells.map(oneLine))]);
  });
  if (index !== undefined) {
    const numbers = ["", ...index.map(String)];
    const width = Math.max(...numbers.map(({ length }) => length));
    printed.unshift(numbers.map((number) => number.padEnd(width)));
  }
  const gap = index === undefined ? " " : "  ";
  return Array.from({ length: rows.length + 1 }, (_, line) => printed.map((column) => column[line]!).join(gap)).join(
    "\n",
  );
}

function decimals(values: readonly number[]): readonly string[] {
  const texts = values.map((value) => value.toFixed(6));
  let zeros = 5;
  for (const text of texts) while (zeros > 0 && !text.endsWith("0".repeat(zeros))) zeros -= 1;
  return texts.map((text) => text.slice(0, text.length - zeros));
}

function oneLine(cell: string | number): string {
  return String(cell).replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
}

function rightAligned(cells: readonly string[]): readonly string[] {
  const widths = cells.map((cell) => [...cell].length);
  const width = Math.max(...widths);
  return cells.map((cell, place) => " ".repeat(width - widths[place]!) + cell);
}
