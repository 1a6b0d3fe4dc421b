/** JSON as Python writes it: with NaN and infinite numbers, which JSON does not have. */
import type { Json } from "../types.ts";
import { DataProblem } from "./json-lines.ts";
import { parseJson, jsonDepth } from "./json-record.ts";

/** Deeper nesting is refused, because recursive code would overflow the stack. */
const deepest = 500;

/** Parses NaN and infinite numbers as null. Throws `DataProblem` naming `name` if the text is not JSON, or nests too deep. */
export function parsePythonJson(text: string, name: string): Json {
  if (jsonDepth(text) > deepest)
    throw new DataProblem(`Expected ${name} to have at most ${deepest} nested levels, got more`);
  const value = parseJson(text) ?? parseJson(withoutNaN(text));
  if (value === undefined) throw new DataProblem(`Expected ${name} to be JSON`);
  return value;
}

/** Works in one pass, skipping texts in quotes. */
export function withoutNaN(text: string, written: (word: string) => string = () => "null"): string {
  let plain = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfText(text, at);
    const word =
      letter === "N" || letter === "I" || letter === "-"
        ? notNumbers.find((each) => text.startsWith(each, at))
        : undefined;
    if (word === undefined) continue;
    plain += text.slice(from, at) + written(word);
    from = at + word.length;
    at = from - 1;
  }
  return plain + text.slice(from);
}

const notNumbers = ["NaN", "Infinity", "-Infinity"];

/** Returns the end of the quoted text that begins at `from`. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
