/**
 * Finds answers in wrappings that no layer of `peelings.ts` names: each rule here is about brackets, tags, data or lines in
 * general.
 */
import type { Json } from "../../types.ts";
import { field, isRecord, parseJson } from "../../text/json-record.ts";
import {
  anyMarks,
  eachLine,
  linePeelings,
  type Peeling,
  withoutFirstLine,
  withoutLastLine,
  withoutMark,
} from "../../text/peelings.ts";

/** Returns the content of a bracket at the end of a text, if a name is directly before it: of `Finish[...]`, `\boxed{...}`. */
function insideCall(open: string, close: string): Peeling["peel"] {
  return (text) => {
    const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
    const isCall = to > from && /[\p{L}\p{N}_\\]/u.test(text[from - 1] ?? "") && text.length - to < 60;
    // A bracket of TeX has a backslash on both sides.
    return isCall
      ? text
          .slice(from + 1, to)
          .replace(/\\$/, "")
          .trim()
      : text;
  };
}

/** Brackets and quotes of all scripts but ASCII, and those of comments in HTML. */
const openingMark = /^(?:(?![([{])[\p{Ps}\p{Pi}]|<!--)/u;
const closingMark = /(?:(?![)\]}])[\p{Pe}\p{Pf}]|-->)$/u;

/** Returns the content of a pair of such marks around a text. */
function insideMarks(text: string): string {
  const bare = text.trim();
  const [opening, closing] = [openingMark.exec(bare)?.[0] ?? "", closingMark.exec(bare)?.[0] ?? ""];
  const isPair = opening !== "" && closing !== "" && bare.length > opening.length + closing.length;
  return isPair ? bare.slice(opening.length, -closing.length).trim() : text;
}

/** Maximum number of opening tags, because the end of each is looked for. */
const mostTags = 50;

/** Returns the longest content of a pair of tags; a name may have parts, as of `<co: 0>`. */
function insideTags(text: string): string {
  let longest = "";
  for (const { 0: tag, 1: name, index } of text
    .matchAll(/<(\w[\w:.-]{0,19})(?:[\s=][^<>\n]{0,80})?>/g)
    .take(mostTags)) {
    const to = [`</${name!}>`, `</${tag.slice(1)}`].map((end) => text.indexOf(end, index)).find((at) => at !== -1);
    const inside = to === undefined ? "" : text.slice(index + tag.length, to).trim();
    if (inside.length > longest.length) longest = inside;
  }
  return longest === "" ? text : longest;
}

/** Returns the text behind the last closing tag, because models think in tags before they answer. */
function behindTags(text: string): string {
  const at = Math.max(text.lastIndexOf("</"), text.lastIndexOf("[/"));
  const [, behind = ""] = /^(?:<\/[^>]{0,28}>|\[\/[^\]]{0,28}\])\s*([^]*)$/.exec(text.slice(at).trimEnd()) ?? [];
  return behind === "" ? text : behind;
}

/** Returns the last cell of each row of a table, without its head. */
function lastCells(text: string): string {
  const rows = text.split("\n").map((line) => line.trim());
  const rule = rows.findIndex((row) => row.length < 200 && /^\|[\s|:-]+$/.test(row) && row.includes("-"));
  if (rule < 0) return text;
  const cells = rows.slice(rule + 1).filter((row) => row.startsWith("|"));
  const last = cells.map((row) => row.replace(/\|$/, "").split("|").at(-1)!.trim());
  return last.join("\n").replaceAll(/<br ?\/?>/g, "\n");
}

/** Maximum length of data that is not strict JSON, and of a string in it. */
const longestData = 20_000;
const token =
  /("(?:[^"\\\n]|\\.){0,2000}")|'((?:[^'\\\n]|\\.){0,2000})'|(\/\/[^\n]*|\/\*[^]{0,400}?\*\/|,(?=\s{0,99}[}\]]))|([A-Za-z_$][\w$]{0,40})(?=\s{0,9}:)/g;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

/** Returns JSON with comments, bare keys, single quotes or a last comma as plain JSON. */
function plainJson(text: string): string {
  if (text.length > longestData || !/^\s*[[{]/.test(text) || parseJson(text) !== undefined) return text;
  return text.replaceAll(token, (_, strict?: string, single?: string, removed?: string, key?: string) => {
    if (removed !== undefined) return "";
    const string = single?.replaceAll(/\\(.)/g, (__, mark: string) => escapes[mark] ?? mark);
    return strict ?? JSON.stringify(string ?? key);
  });
}

/** Returns the object in JSON inside other text, such as a command. */
function objectInside(text: string): string {
  const inside = text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1);
  return isRecord(parseJson(inside)) ? inside : text;
}

/** Returns the arguments of a call in JSON, also if they are JSON in a string: their only text, or all of them. */
function callArguments(text: string): string {
  const value = parseJson(text.replace(/^\s*\[[A-Z_]{3,20}\]\s?/, ""));
  const [call] = Array.isArray(value) && value.length === 1 ? value : [value];
  const given = ["arguments", "parameters", "input", "args"].map((name) => argumentsIn(call, name)).find(isRecord);
  const texts = given === undefined ? [] : Object.values(given).filter((one) => typeof one === "string");
  if (texts.length === 1) return texts.join("");
  return given === undefined ? text : JSON.stringify(given);
}

function argumentsIn(call: Json | undefined, name: string): Json | undefined {
  const given = field(call, name) ?? field(field(call, "function"), name);
  return typeof given === "string" ? parseJson(given) : given;
}

/** Matches a string at the end of a line, with the brackets and commas of data behind it. */
const lastString = /"((?:[^"\\\n]|\\.|""){0,2000})"[\s\]}),;]{0,9}$/;

/** Returns the last string of each line, if most lines end with one: of records, of rows, of an own list. */
function lineStrings(text: string): string {
  if (text.length > longestData) return text;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const found = lines.flatMap((line) => lastString.exec(line)?.[1] ?? []);
  if (found.length === 0 || found.length * 2 < lines.length) return text;
  return found.map((one) => (parseJson(`"${one}"`) as string | undefined) ?? one.replaceAll('""', '"')).join("\n");
}

/** Matches a line that only numbers or names what follows: `Step 2:`, `### Step 2`. */
const lineHead = /^\P{L}{0,9}\p{L}{1,12}\P{L}{0,3}\d{1,3}\P{L}{0,5}$/u;

function withoutHeads(text: string): string {
  const lines = text.split("\n");
  return lines.filter((line) => !lineHead.test(line)).join("\n");
}

/** Brackets of other scripts and signs that stand for those of ASCII. */
const inPlainBrackets = (text: string): string =>
  text
    .replaceAll(/[◁⟨‹〈]/g, "<")
    .replaceAll(/[▷⟩›〉]/g, ">")
    .replaceAll("\u2581", " ");

/** Two words with a comma, before each line of a text: `After that,`. */
const wordFirst = /^\s*\p{L}{2,12}(?:\s\p{L}{1,12})?,\s+/u;

/** A few words with a colon before a text, whatever signs are around them. */
const label =
  /^[^\p{L}\n]{0,6}(?:\p{L}{1,20} ){0,3}\p{L}{1,20}[^\p{L}\n]{0,6}[:=>\uFF1A\u2192][^\p{L}\p{N}\n]{0,6}(?:\s|(?<=[^\p{L}\p{N}\s:=>]))/u;

/** Matches the blanks before a step's number or an opening bracket, and those behind a closing bracket. */
const lostEnd =
  /[ \t]{1,9}(?=\d{1,2}\.(?:\d{1,2}\.?){0,5}[ \t]\p{L})|(?<=[\])])[ \t]{1,9}(?=[([]|\p{L}[\p{L}\p{N}_]{0,40}:)/gu;

/** Returns the steps of a text in one line, each on its own line. */
const withLineEnds = (text: string): string => (text.trim().includes("\n") ? text : text.replaceAll(lostEnd, "\n"));

/** Applies a layer to all lines but the first. */
const belowFirst =
  (peel: Peeling["peel"]): Peeling["peel"] =>
  (text) => {
    const at = text.trimEnd().indexOf("\n");
    return at < 0 ? text : text.slice(0, at + 1) + peel(text.slice(at + 1));
  };

/** Ends a sentence or a label, with marks behind. */
const ended = "[.!?:\u2026\u3002\uFF01\uFF1A\uFF1F][)*_\"'\u201D\u2019]{0,4}";
const firstWords = new RegExp(`^\\s*[^\\n]{1,120}?(?:${ended}[\\s*_]\\s*|[\u3002\uFF01\uFF1A])(?=\\S)`);
/** A sentence behind, from its last capital letter: a word before it may begin with one, too. */
const lastWords = /[ \t](?:\p{Lu}[^\p{Lu}\n]{1,80}|[^\n.!?\p{Lu}]{1,80}[.!?\u2026])\s*$/u;

/** Numbers of words to remove, and of further copies of a text. */
const counts = Array.from({ length: 8 }, (_, at) => at + 1);

/** Returns the first of two or more equal parts of a text, also if blank lines are between them. */
function once(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const repeats = (length: number) =>
    lines.length % length === 0 && lines.every((line, at) => line === lines[at % length]);
  const length = counts
    .toReversed()
    .map((count) => lines.length / (count + 1))
    .find((one) => Number.isInteger(one) && one > 0 && repeats(one));
  return length === undefined ? text : lines.slice(0, length).join("\n");
}

/** Returns the text between the first and the last of a sign in a sentence. */
const insideQuotes =
  (sign: string): Peeling["peel"] =>
  (text) => {
    const [from, to] = [text.indexOf(sign), text.lastIndexOf(sign)];
    return from < to ? text.slice(from + 1, to).trim() : text;
  };

/** Returns the longest texts of each record in a list of JSON, a line for each; the list may be the only one in an object. */
function columnIn(text: string): string {
  const value = parseJson(text);
  const list = Array.isArray(value) ? value : isRecord(value) ? Object.values(value).find(Array.isArray) : undefined;
  const lines = list?.map((record) => longestOf(textsIn(record))) ?? [];
  return lines.length > 0 && lines.every((line) => line !== undefined) ? lines.join("\n") : text;
}

/** Returns the texts and numbers in JSON. */
const textsIn = (value: Json | undefined): readonly string[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).flatMap((one) => textsIn(one as Json))
    : typeof value === "string" || typeof value === "number"
      ? [String(value)]
      : [];

const longestOf = (texts: readonly string[]): string | undefined =>
  texts.toSorted((one, other) => other.length - one.length)[0];

/** A text that stands there twice may be a plan that does all twice. */
export const repetitions: readonly Peeling[] = [{ name: "repetition", peel: once }];

/** Tried if the answer inside is scored, because words of an answer may look the same. */
export const guesses: readonly Peeling[] = [
  { name: "leading words", peel: (text) => text.replace(firstWords, "") },
  { name: "trailing words", peel: (text) => text.replace(lastWords, "") },
  { name: "leading prose", peel: withoutFirstLine },
  { name: "trailing prose", peel: withoutLastLine },
  ...['"', "`", "'"].map((sign) => ({ name: "quotes", peel: insideQuotes(sign) })),
  ...[-1, 0, 1].map((at) => ({ name: "JSON", peel: (text: string) => textsIn(parseJson(text)).at(at) ?? text })),
  { name: "JSON", peel: (text) => longestOf(textsIn(parseJson(text))) ?? text },
];

/** Any few words before or behind a text, or each of its lines. */
export const fewWords: readonly Peeling[] = counts.flatMap((count) => {
  const [before, behind] = [
    new RegExp(`^\\s*(?:\\S+[ \\t]+){${count}}`),
    new RegExp(`(?:[ \\t]{1,9}\\S{1,80}){${count}}\\s{0,9}$`),
  ];
  const off = (name: string, peel: Peeling["peel"]): Peeling => ({ name, keepsParts: true, peel });
  return [
    off("leading words", (text) => text.replace(before, "")),
    off("trailing words", (text) => text.replace(behind, "")),
    off("leading words", (text) => eachLine(text, (line) => line.replace(before, ""))),
    off("trailing words", (text) => eachLine(text, (line) => line.replace(behind, ""))),
  ];
});

/** Tried after the named layers, and together with them. */
export const frames: readonly Peeling[] = [
  ...linePeelings,
  { name: "marks", peel: inPlainBrackets },
  { name: "tags", peel: insideTags },
  { name: "tags", peel: behindTags },
  { name: "box", peel: insideCall("[", "]") },
  { name: "box", peel: insideCall("(", ")") },
  { name: "box", peel: insideCall("{", "}") },
  { name: "quotes", peel: (text) => text.replace(/^\s*[‘‚'`]([^]*)[’‘'`]\s*$/, "$1") },
  { name: "quotes", peel: (text) => text.replaceAll(/[“”„«»]/g, '"').replaceAll(/[‘’‚]/g, "'") },
  { name: "escapes", peel: (text) => text.replaceAll("''", "'") },
  { name: "escapes", peel: (text) => text.replaceAll(/\\(["'])/g, "$1") },
  { name: "line endings", peel: withLineEnds },
  { name: "box", peel: (text) => eachLine(text, (line) => line.replace(/^\s{0,40}\(([^\n]*\S)\)$/, "$1")) },
  { name: "numbers", peel: withoutMark(/^\s*[#\u2116\u00A7]\s?\d{1,3}[^\p{L}\p{N}]{0,3}\s+/u) },
  { name: "bullets", peel: belowFirst(withoutMark(anyMarks)) },
  { name: "marks", peel: (text) => text.replace(anyMarks, "") },
  { name: "marks", peel: (text) => text.replace(/^\s*[^\p{L}\p{N}\s([{"'`]{1,6}\s*/u, "") },
  { name: "marks", peel: (text) => text.trimEnd().replace(/[^\p{L}\p{N}\s)\]}.!?%]{1,6}$/u, "") },
  { name: "table", peel: (text) => text.replaceAll(/<\/t[dh]>\s{0,9}<t[dh](?:\s[^<>]{0,80})?>/g, "\t") },
  { name: "numbers", peel: withoutMark(/^\s*\d{1,3}(?:\s?[\u3001\uFF0E\uFF1A]\s*|\s[\u2013\u2014-]\s+)/) },
  { name: "numbers", peel: (text) => (text.trim().includes("\n") ? withoutMark(wordFirst)(text) : text) },
  { name: "numbers", peel: withoutMark(/^\s*\d{1,3}(?:st|nd|rd|th)\s?[:.)]?\s+/) },
  { name: "box", peel: (text) => text.replace(/^\s*\{([^]*)\}\s*$/, "$1") },
  { name: "box", peel: (text) => text.replace(/^\s*\[([^]*)\]\s*$/, "$1") },
  { name: "marks", peel: (text) => text.trimEnd().replace(/[\p{No}*\u2020]{1,9}$|\s[^\p{L}\p{N}\s]{2,12}$/u, "") },
  { name: "JSON", peel: columnIn },
  { name: "box", peel: insideMarks },
  { name: "box", peel: (text) => eachLine(text, insideMarks) },
  { name: "table", peel: lastCells },
  { name: "JSON", peel: plainJson },
  { name: "JSON", peel: objectInside },
  { name: "JSON", peel: callArguments },
  { name: "JSON", peel: lineStrings },
  { name: "numbers", peel: withoutHeads },
  {
    name: "numbers",
    peel: withoutMark(/^\s*(?:\p{No}|\[[^\][\n]{1,12}\]\s|\([^()\n]{1,12}\)\s|[\d:.,TZ/-]{8,30}\s)\s*/u),
  },
  {
    name: "numbers",
    peel: withoutMark(
      /^\s*\**(?:\p{L}{2,12}(?:\s\p{L}{1,12})?|\p{L}{1,12}[\s.#-]?\d{1,4})\**\s?(?:[:.)]\**\s+|[\u3001\uFF0E\uFF1A]\**\s*)/u,
    ),
  },
  { name: "marks", peel: withoutMark(/\s?[^\p{L}\p{N}\s)\]}>"'`.!?*]{1,3}\s*$|\s?\.{3}\s*$/u) },
  { name: "trailing words", peel: withoutMark(/(?<=\S)\s{1,9}(?:#|\/\/|\u2013|\u2014|--|\u2190|<-)\s[^\n]{1,80}$/) },
  {
    name: "trailing words",
    peel: (text) => text.replace(/[ \t](?:feel free|(?:I )?hope (?:that|it))[^\n]{0,80}$/i, ""),
  },
  { name: "bold", peel: (text) => text.replaceAll("**", "") },
  { name: "leading words", peel: (text) => text.replace(label, "") },
];
