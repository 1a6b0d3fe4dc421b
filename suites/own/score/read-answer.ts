/** The answer in a reply. */
import { parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";

/** The last number in a text, with thousands as in 1,234 and a sign; undefined where there is none. */
export function lastNumber(text: string): number | undefined {
  const found = text.match(/[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d{1,3})?/g) ?? [];
  const numbers = found.filter((each) => /\d/.test(each)).map((each) => Number(each.replaceAll(",", "")));
  return numbers.findLast((each) => Number.isFinite(each));
}

/** The JSON value in a reply: all of it, what a code fence holds, or from the first bracket to the last; undefined without any. */
export function jsonIn(text: string): Json | undefined {
  const fenced = text.lastIndexOf("```") > text.indexOf("```") ? text.slice(text.indexOf("```") + 3) : undefined;
  const body = fenced?.slice(0, fenced.lastIndexOf("```")).replace(/^[a-z]{0,10}\s/i, "");
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  for (const part of [text, body, from >= 0 && to > from ? text.slice(from, to + 1) : undefined]) {
    if (part === undefined) continue;
    const value = parseJson(part);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The same text for readers: blanks made one, without those around it and a full stop at the end. */
export function plainText(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
