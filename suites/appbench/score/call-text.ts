/**
 * Reading one call text as `evaluation.py` does: `returned, names = api(#key='literal', #key=reference)`.
 * Its rules are kept with their surprises; scanning is linear whatever the text.
 */
import { strip } from "../../../source/engine/python/text.ts";
import { blank, matchAt, word } from "./text.ts";

/** Argument names, each with `#`, to value texts with their quotes, in order of first appearance. */
export type Arguments = ReadonlyMap<string, string>;

export type Call = {
  readonly name: string;
  /** Everything left of the first `=`, split at commas and trimmed. */
  readonly returns: readonly string[];
  readonly arguments: Arguments;
};

const words = new RegExp(`${word}+`, "gu");
const equals = new RegExp(`${blank}*=${blank}*`, "uy");
const nameAndParenthesis = new RegExp(`(${word}+)\\(`, "uy");

/** Reads one call; undefined where upstream finds none (its name then counts as the empty string). */
export function readCall(text: string): Call | undefined {
  const found = findCall(text);
  if (found === undefined) return undefined;
  const returns = text.slice(0, text.indexOf("=")).split(",").map(strip);
  return { name: shortName(found.name).toLowerCase(), returns, arguments: readArguments(found.arguments) };
}

/** An API name with an app prefix: the piece between the first and second underscore; others unchanged. */
export function shortName(name: string): string {
  return name.includes("_") ? name.split("_")[1]! : name;
}

/** First place with: word, `=`, word directly followed by `(`, anything but `)`, `)`. */
function findCall(text: string): { name: string; arguments: string } | undefined {
  for (const { index, 0: returned } of text.matchAll(words)) {
    const sign = matchAt(equals, text, index + returned.length);
    if (sign === undefined) continue;
    const opening = matchAt(nameAndParenthesis, text, equals.lastIndex);
    if (opening === undefined) continue;
    const from = nameAndParenthesis.lastIndex;
    const to = text.indexOf(")", from);
    return to === -1 ? undefined : { name: opening[1]!, arguments: text.slice(from, to) };
  }
  return undefined;
}

/**
 * Splits at comma and blank. A piece with two or more `=` is lost; a piece without any blanks the value of the key
 * split before it.
 */
function readArguments(text: string): Map<string, string> {
  const read = new Map<string, string>();
  let key: string | undefined;
  for (const piece of text.split(", ")) {
    const sign = piece.indexOf("=");
    if (sign === -1) {
      if (key !== undefined) read.set(key, "");
      continue;
    }
    if (piece.includes("=", sign + 1)) continue;
    key = strip(piece.slice(0, sign)).toLowerCase();
    if (!key.startsWith("#")) key = `#${key}`;
    read.set(key, strip(piece.slice(sign + 1)));
  }
  return read;
}

/** One name per call text, empty where unparsable. Backslashes stay, so `App\_api(...)` has no name. */
export function namesOf(calls: readonly string[], read = readCall): string[] {
  return calls.map((call) => read(call)?.name ?? "");
}

/**
 * Arguments by API name, read after removing all backslashes. Calls of one API collapse: the last wins, at the position
 * of the first.
 */
export function argumentsOf(calls: readonly string[], read = readCall): Map<string, Arguments> {
  const byName = new Map<string, Arguments>();
  for (const text of calls) {
    const call = read(text.replaceAll("\\", ""));
    if (call !== undefined) byName.set(call.name, call.arguments);
  }
  return byName;
}
