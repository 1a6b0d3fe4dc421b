/** Parses answers officially, with repairs, and strictly. */
import { NotALiteral } from "../../../source/engine/python/cursor.ts";
import { parseJsonAsPython } from "../../../source/engine/python/json.ts";
import { parsePython } from "../../../source/engine/python/literal.ts";
import { isDict, isList, entryOf, type PythonValue } from "../../../source/engine/python/value.ts";
import { repairs } from "./repair.ts";
import { cut, type Ladder, type ParserMode, rewrite } from "./rewriting.ts";
import { parseJson } from "../../../source/engine/text/json-record.ts";

export type Reading = {
  /** The empty list if no text could be parsed, as in the official program. */
  readonly value: PythonValue;
  readonly ok: boolean;
  /** Number of texts tried; 1 means no repair. */
  readonly attempts: number;
  /** Name of the repair after which the text could be parsed; `as is` for none, `failed` if no text could be parsed. */
  readonly repair: string;
  /** Characters parsed over all attempts: the measure of work, at most attempts times length. */
  readonly work: number;
};

/** Reads an answer exactly like the official scorers, with a parser in place of their `eval`. Never throws. */
export function readOfficial(answer: string, ladder: Ladder, mode: ParserMode): Reading {
  const text = cut(rewrite(answer, ladder), ladder, mode);
  let attempts = 0;
  let work = 0;
  // The first failure decides for every later text with the same beginning, as with most repairs of hostile texts.
  let failed: { readonly text: string; readonly reach: number } | undefined;
  for (const repair of repairs(text, ladder)) {
    if (repair.text === undefined) continue;
    attempts += 1;
    if (failed !== undefined && beginsAlike(repair.text, failed)) continue;
    work += repair.text.length;
    try {
      return { value: parsePython(repair.text), ok: true, attempts, repair: repair.name, work };
    } catch (error) {
      if (!(error instanceof NotALiteral)) throw error;
      if (failed === undefined) failed = { text: repair.text, reach: error.reach };
    }
  }
  return { value: [], ok: false, attempts, repair: "failed", work };
}

function beginsAlike(text: string, failed: { readonly text: string; readonly reach: number }): boolean {
  return failed.reach <= failed.text.length && text.startsWith(failed.text.slice(0, failed.reach));
}

/** Written forms of an answer, from directly readable to unreadable. */
export const writtenAs = ["json", "fenced json", "python", "repaired", "unreadable"] as const;
export type WrittenAs = (typeof writtenAs)[number];

/** Reads plain JSON of the asked shape; returns undefined for anything else. */
export function readStrict(answer: string, ladder: Ladder): PythonValue | undefined {
  const text = answer.trim();
  if (!isJson(text)) return undefined;
  try {
    const value = parseJsonAsPython(text);
    return hasShape(value, ladder) ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

export function formOf(answer: string, reading: Reading): WrittenAs {
  const text = answer.trim();
  if (isJson(text)) return "json";
  if (isJson(withoutFence(text))) return "fenced json";
  if (!reading.ok) return "unreadable";
  return reading.attempts === 1 ? "python" : "repaired";
}

function isJson(text: string): boolean {
  // Most answers in Python notation are recognized by their quotes, without the cost of an exception.
  return !text.startsWith("[{'") && parseJson(text) !== undefined;
}

function withoutFence(text: string): string {
  if (!text.startsWith("```")) return text;
  return text.slice(text.indexOf("\n") + 1, text.lastIndexOf("```")).trim();
}

/** Reports a list of objects with a text `step`, and the tool (and its arguments) that the task requests. */
function hasShape(value: PythonValue, ladder: Ladder): boolean {
  if (!isList(value)) return false;
  return value.every((entry) => {
    if (!isDict(entry) || typeof entryOf(entry, "step") !== "string") return false;
    const tool = entryOf(entry, "tool");
    if (ladder === "C") return isDict(tool);
    if (typeof tool !== "string") return false;
    return ladder === "A" || isDict(entryOf(entry, "param"));
  });
}
