/**
 * Rewrites and truncates an answer before parsing, as the official scorers do. Every replacement is literal, left to right,
 * non-overlapping, and also applies inside strings; scores depend on it.
 */
import { stripOf } from "../../../source/engine/python/text.ts";

/** A for both awareness tasks and selection, P for usage, C for creation. */
export type Ladder = "A" | "P" | "C";

/** `gpt` is the publishers' parser for the two GPT models; `other` searches for the last list of an answer. */
export type ParserMode = "gpt" | "other";

export function rewrite(answer: string, ladder: Ladder): string {
  let text = stripOf(answer.replaceAll("json", ""), "`");
  text = text.replaceAll("输出：", "").replaceAll("\n", "").replaceAll("\\_", "_");
  text = text.replaceAll("true", "True").replaceAll("false", "False").replaceAll("null", '"null"');
  if (ladder !== "C") text = text.replaceAll("None", '"None"');
  text = text.replaceAll("})", "}");
  if (ladder !== "C") text = text.replaceAll("，", ",").replaceAll('}, "step', '}, {"step').replaceAll("# ...", "");
  if (ladder === "P") text = text.replaceAll("}{", "}, {");
  for (let blanks = 1; blanks <= 12; blanks++) text = text.replaceAll(`}${" ".repeat(blanks)}}`, "}}");
  return text;
}

/** Number of closing braces that end one entry of the expected list. */
const braces: Readonly<Record<Ladder, number>> = { A: 1, P: 2, C: 4 };

export function cut(rewritten: string, ladder: Ladder, mode: ParserMode): string {
  let text = rewritten;
  if (text.includes("[")) text = text.slice(text.indexOf("["));
  const last = text.lastIndexOf("]");
  if (last !== -1) text = text.slice(0, last + 1);
  else if (text.includes("[")) text = cutAfterBraces(text, braces[ladder]) ?? `${text}]`;
  return mode === "other" && text.indexOf("]") !== text.lastIndexOf("]") ? lastObjectList(text) : text;
}

/**
 * Cuts after the last run of `count` braces followed by a comma and closes the list; returns undefined if there is
 * none.
 */
export function cutAfterBraces(text: string, count: number): string | undefined {
  const at = text.lastIndexOf(`${"}".repeat(count)},`);
  return at === -1 ? undefined : `${text.slice(0, at + count)}]`;
}

/** Returns the last non-overlapping stretch from `[{` to the nearest `}]`, or else the text up to the first `]`. */
function lastObjectList(text: string): string {
  let found: string | undefined;
  let at = 0;
  for (;;) {
    const from = text.indexOf("[{", at);
    const to = from === -1 ? -1 : text.indexOf("}]", from + 2);
    if (to === -1) return found ?? text.slice(0, text.indexOf("]") + 1);
    at = to + 2;
    found = text.slice(from, at);
  }
}
