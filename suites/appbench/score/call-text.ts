/**
 * Reads one call text `returned, names = api(#key='literal', #key=reference)` as `evaluation.py` and as `analysis.py` do, with
 * the peculiarities of each. Scanning takes linear time for any text.
 */
import { strip } from "../../../source/engine/python/text.ts";
import { blank, matchAt, word } from "./text.ts";

/** Argument names, each with `#`, and value texts with their quotes, in order of first appearance. */
export type Arguments = ReadonlyMap<string, string>;

export type Call = {
  readonly name: string;
  /** The text before the first `=`, split at commas and trimmed. */
  readonly returns: readonly string[];
  readonly arguments: Arguments;
};

const words = new RegExp(`${word}+`, "gu");
const equals = new RegExp(`${blank}*=${blank}*`, "uy");
const nameAndParenthesis = new RegExp(`(${word}+)\\(`, "uy");

/**
 * Reads one call as `evaluation.py` does. Returns undefined if the official program finds no call (its name then counts as the
 * empty string).
 */
export function readCall(text: string): Call | undefined {
  const found = findCall(text);
  if (found === undefined) return undefined;
  const returns = text.slice(0, text.indexOf("=")).split(",").map(strip);
  return { name: shortName(found.name).toLowerCase(), returns, arguments: readArguments(found.arguments) };
}

/** Returns the part of an API name between its first and second underscore, or the whole name if it has none. */
export const shortName = (name: string): string => (name.includes("_") ? name.split("_")[1]! : name);

/** Finds the first match of: word, `=`, word directly followed by `(`, anything but `)`, `)`. */
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

/** Splits at comma and space. A part with two or more `=` is lost; a part without `=` empties the value of the previous key. */
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

/** Returns one name per call text, empty if it is unparsable. Backslashes stay, so `App\_api(...)` has no name. */
export const namesOf = (calls: readonly string[], read = readCall): string[] =>
  calls.map((call) => read(call)?.name ?? "");

/**
 * Returns the arguments by API name, read without backslashes. Of several calls of one API, the last counts, at the position of
 * the first.
 */
export function argumentsOf(calls: readonly string[], read = readCall): Map<string, Arguments> {
  const byName = new Map<string, Arguments>();
  for (const text of calls) {
    const call = read(text.replaceAll("\\", ""));
    if (call !== undefined) byName.set(call.name, call.arguments);
  }
  return byName;
}

const oneWord = new RegExp(`${word}+`, "uy");

/**
 * Reads one call as `analysis.py` does: `returned =` is optional, keys have no `#`, values no quotes. Returns undefined
 * without `word( ... )`. The argument text runs to the last `)` of the line.
 */
export function readCallForAnalysis(text: string): Call | undefined {
  for (const { index, 0: name } of text.matchAll(words)) {
    const from = index + name.length;
    if (text[from] !== "(") continue;
    const lineEnd = text.indexOf("\n", from);
    const to = text.slice(0, lineEnd === -1 ? undefined : lineEnd).lastIndexOf(")");
    if (to <= from) {
      if (lineEnd === -1) return undefined;
      continue;
    }
    const left = text.includes("=") ? text.slice(0, text.indexOf("=")) : text;
    return {
      name: shortName(name),
      returns: strip(left).split(","),
      arguments: scannedArguments(text.slice(from + 1, to)),
    };
  }
  return undefined;
}

/** Scans for `word = value`; a value is quoted text, else `[...]`, else a word. */
function scannedArguments(text: string): Map<string, string> {
  const read = new Map<string, string>();
  const lastBracket = text.lastIndexOf("]");
  const scan = new RegExp(words);
  for (let key = scan.exec(text); key !== null; key = scan.exec(text)) {
    if (matchAt(equals, text, scan.lastIndex) === undefined) continue;
    const from = equals.lastIndex;
    const value = quoted(text, from) ?? bracketed(text, from, lastBracket) ?? bare(text, from);
    if (value === undefined) continue;
    read.set(key[0], value.text);
    scan.lastIndex = value.to;
  }
  return read;
}

type Value = { readonly text: string; readonly to: number };

/** Reads quoted text: a quote of either kind, at least one character, up to the next quote of either kind. */
function quoted(text: string, from: number): Value | undefined {
  if (!isQuote(text[from])) return undefined;
  for (let to = from + 2; to < text.length; to++) {
    if (isQuote(text[to])) return { text: text.slice(from + 1, to), to: to + 1 };
  }
  return undefined;
}

const isQuote = (character: string | undefined): boolean => character === "'" || character === '"';

function bracketed(text: string, from: number, lastBracket: number): Value | undefined {
  if (text[from] !== "[" || lastBracket <= from) return undefined;
  return { text: text.slice(from, lastBracket + 1), to: lastBracket + 1 };
}

function bare(text: string, from: number): Value | undefined {
  const found = matchAt(oneWord, text, from);
  return found === undefined ? undefined : { text: found[0], to: from + found[0].length };
}
