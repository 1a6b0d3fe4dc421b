/** Compares an answer with the right one. Reads only data of the session, never code. */
import { isDeepStrictEqual } from "node:util";
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";
import { parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";

export const checkNames = ["exact", "contains", "number", "json", "one-of", "judge", "none"] as const;
export type CheckName = (typeof checkNames)[number];

export type Checked = {
  readonly right: boolean;
  /** The compared text; undefined if nothing could be read. */
  readonly read: string | undefined;
};

/**
 * Compares a reply for all checks except `judge`, which asks a model, and `none`. Only `contains` and `one-of` ignore
 * case.
 */
export function compare(check: Exclude<CheckName, "judge" | "none">, reply: string, answer: string): Checked {
  const given = behindAnswerLine(reply);
  switch (check) {
    case "exact":
      return { right: plainText(given) === plainText(answer), read: textOrNothing(given) };
    case "contains":
      return { right: folded(given).includes(folded(answer)), read: textOrNothing(given) };
    case "number":
      return compareNumbers(given, answer);
    case "json":
      return compareJson(given, answer);
    case "one-of": {
      const right = answer.split("|").some((each) => folded(each) === folded(given));
      return { right, read: textOrNothing(given) };
    }
    default:
      return check satisfies never;
  }
}

const folded = (text: string) => plainText(text).toLowerCase();
const textOrNothing = (text: string) => (text === "" ? undefined : text);

/** Compares to six significant digits, since another method of calculation may round differently. */
function compareNumbers(given: string, answer: string): Checked {
  const [got, expected] = [lastNumber(given), lastNumber(answer)];
  if (got === undefined || expected === undefined) return { right: false, read: undefined };
  return { right: Math.abs(got - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), read: String(got) };
}

/** Compares values; key order and number spelling do not matter. */
function compareJson(given: string, answer: string): Checked {
  const [got, expected] = [jsonIn(given), jsonIn(answer)];
  if (got === undefined) return { right: false, read: undefined };
  return { right: isDeepStrictEqual(got, expected), read: JSON.stringify(got) };
}

/**
 * Returns the last number in a text, with optional sign and thousands separators as in 1,234; undefined if there is
 * none.
 */
export function lastNumber(text: string): number | undefined {
  const found = text.match(/[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][-+]?\d{1,3})?/g) ?? [];
  const numbers = found.filter((each) => /\d/.test(each)).map((each) => Number(each.replaceAll(",", "")));
  return numbers.findLast((each) => Number.isFinite(each));
}

/**
 * Returns the JSON value in a reply: the whole reply, the content of a code fence, or first to last bracket. Undefined
 * if there is none.
 */
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

/** Normalizes a text: single spaces, trimmed, without a final full stop. */
export function plainText(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim().replace(/\.$/, "");
}
