/** What literals of Java and JavaScript have in common, read as BFCL's converters read them. */
import type { Value } from "./value.ts";

/**
 * Longer literals are taken as texts, in characters: the converters look for the end of each bracket from each start, which
 * takes a time that grows with the square of the length, and replies may be as long as a model likes.
 */
export const longestLiteral = 4000;

/** Whether a text stands in these quotes. A lone quote does, as there. */
export function quoted(text: string, quote: string): boolean {
  return text.startsWith(quote) && text.endsWith(quote);
}

/** Python's `int(text)`, else `float(text)`, else the text. */
export function numberOrText(text: string): Value {
  if (/^[+-]?\d+(?:_\d+)*$/.test(text)) return BigInt(text.replace("+", "").replaceAll("_", ""));
  if (/^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i.test(text))
    return Number(text.replaceAll("_", ""));
  const [, sign, name] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? [];
  if (name === undefined) return text;
  return name.toLowerCase() === "nan" ? Number.NaN : sign === "-" ? -Infinity : Infinity;
}
