/** Compares an answer with the right answer. Reads only data of the session, never code. */
import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../../../source/engine/text/json-record.ts";
import type { Json } from "../../../source/engine/types.ts";
import { answerIn, numberIn, plainText, withoutCutWord, withoutMarkdown } from "./read-reply.ts";

export const checkNames = ["exact", "contains", "number", "json", "one-of", "judge", "none"] as const;
export type CheckName = (typeof checkNames)[number];

export type Checked = {
  readonly right: boolean;
  /** The text that is compared; undefined if no text could be read. */
  readonly read: string | undefined;
};

/** A check by rules alone, unlike `judge`, which asks a model, and `none`, which compares nothing. */
export type RuleCheck = Exclude<CheckName, "judge" | "none">;

/** Compares a reply; `isCut` is true if it was truncated at the limit of tokens. Only `contains` and `one-of` ignore case. */
export function compare(check: RuleCheck, reply: string, answer: string, isCut = false): Checked {
  if (check === "number") return compareNumbers(numberIn(reply, isCut), numberIn(answer));
  if (check === "json") return compareJson(jsonIn(reply), jsonIn(answer), isCut);
  const given = plainText(answerIn(withoutMarkdown(isCut ? withoutCutWord(reply) : reply)));
  const read = given === "" ? undefined : given;
  switch (check) {
    case "exact":
      return { right: given === plainText(answer), read };
    case "contains":
      return { right: contains(given.toLowerCase(), folded(answer)), read };
    case "one-of":
      return { right: answer.split("|").some((each) => folded(each) === given.toLowerCase()), read };
    default:
      return check satisfies never;
  }
}

const folded = (text: string) => plainText(text).toLowerCase();

/** Finds a single letter or a number only as a whole word: 7 is neither in 17 nor in 7.5 nor in -7. */
function contains(text: string, part: string): boolean {
  if (text === part || !text.includes(part)) return text === part;
  if (!/^(?:\p{L}|[-+]?[\d.,]*\d)$/u.test(part)) return true;
  const escaped = part.replaceAll(/[.+]/g, String.raw`\$&`);
  const word = String.raw`(?<![\p{L}\p{N}]|\d[.,]|(?<![\p{L}\p{N}])[-\u2212])${escaped}(?![\p{L}\p{N}]|[.,]\d)`;
  return new RegExp(word, "u").test(text);
}

/** Compares to six significant digits, since another method of calculation may round differently. */
function compareNumbers(got: number | undefined, expected: number | undefined): Checked {
  if (got === undefined || expected === undefined) return { right: false, read: undefined };
  return { right: Math.abs(got - expected) <= 1e-6 * Math.max(1, Math.abs(expected)), read: String(got) };
}

/**
 * Compares values; key order and number spelling have no effect. In a truncated reply, only a complete object or list is read.
 */
function compareJson(got: Json | undefined, expected: Json | undefined, isCut: boolean): Checked {
  if (got === undefined || (isCut && typeof got !== "object")) return { right: false, read: undefined };
  return { right: isDeepStrictEqual(got, expected), read: JSON.stringify(got) };
}

/**
 * Returns the JSON value in a reply: the whole reply, the content of a code fence, or the text from the first to the last
 * bracket. Undefined if there is none.
 */
export function jsonIn(text: string): Json | undefined {
  const fenced = text.lastIndexOf("```") > text.indexOf("```") ? text.slice(text.indexOf("```") + 3) : undefined;
  const body = fenced?.slice(0, fenced.lastIndexOf("```")).replace(/^[a-z]{0,10}\s/i, "");
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  for (const part of [text, body, text.slice(from, to + 1)]) {
    if (part === undefined) continue;
    const value = parseJson(part);
    if (value !== undefined) return value;
  }
  return undefined;
}
