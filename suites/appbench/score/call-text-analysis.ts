/** Reading one call text as `analysis.py` does: no `returned =` needed, keys without `#`, values without quotes. */
import { strip } from "../../../source/engine/python/text.ts";
import type { Call } from "./call-text.ts";
import { shortName } from "./call-text.ts";
import { blank, matchAt, word } from "./text.ts";

const words = new RegExp(`${word}+`, "gu");
const oneWord = new RegExp(`${word}+`, "uy");
const equals = new RegExp(`${blank}*=${blank}*`, "uy");

/** Reads one call; undefined where there is no `word( ... )`. The argument text runs to the last `)` of the line. */
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
      arguments: readArguments(text.slice(from + 1, to)),
    };
  }
  return undefined;
}

/** Scans for `word = value`, a value being quoted text, else `[...]`, else a word. */
function readArguments(text: string): Map<string, string> {
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

/** An opening quote of either kind, at least one character, up to the next quote of either kind. */
function quoted(text: string, from: number): Value | undefined {
  if (!isQuote(text[from])) return undefined;
  for (let to = from + 2; to < text.length; to++) {
    if (isQuote(text[to])) return { text: text.slice(from + 1, to), to: to + 1 };
  }
  return undefined;
}

function isQuote(character: string | undefined): boolean {
  return character === "'" || character === '"';
}

function bracketed(text: string, from: number, lastBracket: number): Value | undefined {
  if (text[from] !== "[" || lastBracket <= from) return undefined;
  return { text: text.slice(from, lastBracket + 1), to: lastBracket + 1 };
}

function bare(text: string, from: number): Value | undefined {
  const found = matchAt(oneWord, text, from);
  return found === undefined ? undefined : { text: found[0], to: from + found[0].length };
}
