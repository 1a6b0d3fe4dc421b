/** Removes what people and chat models write around an answer, one layer at a time. */
import { stripVTControlCharacters } from "node:util";
import type { Json } from "../types.ts";
import { field, parseJson } from "./json-record.ts";

/** One layer of wrapping, with its name on the screen. `prose` layers contain words that are not part of a form. */
export type Peeling = {
  readonly name: string;
  readonly prose?: true;
  /** True for words that may belong to an answer without parts. */
  readonly keepsParts?: true;
  /** Returns the text without this layer; the same text if it does not have the layer. */
  peel(text: string): string;
};

export const eachLine = (text: string, change: (line: string) => string) =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : change(line)))
    .join("\n");

/** Removes this beginning or end from all lines that are not blank, and changes nothing unless all have it. */
export function withoutMark(mark: RegExp): Peeling["peel"] {
  return (text) => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const isEverywhere = lines.length > 0 && lines.every((line) => mark.test(line));
    return isEverywhere ? eachLine(text, (line) => line.replace(mark, "")) : text;
  };
}

/** Removes a pair of marks around each line, or else around the whole text. */
function withoutPair(open: string, close = open): Peeling["peel"] {
  const isIn = (text: string) =>
    text.length > open.length + close.length && text.startsWith(open) && text.endsWith(close);
  const inside = (text: string) => text.slice(open.length, text.length - close.length).trim();
  return (text) => {
    const lines = eachLine(text, (line) => (isIn(line.trim()) ? inside(line.trim()) : line));
    if (lines !== text) return lines;
    return isIn(text.trim()) ? inside(text.trim()) : text;
  };
}

/** Returns the longest fenced block; the whole text if there is none. A fence that is never closed extends to the end. */
function fenced(text: string, mark = "```"): string {
  const blocks: string[] = [];
  for (let from = text.indexOf(mark); from >= 0;) {
    const to = text.indexOf(mark, from + 3);
    blocks.push(text.slice(from + 3, to < 0 ? undefined : to).replace(/^[\w+-]{0,20}(?:[ \t][^\n]{0,100})?\r?\n/, ""));
    from = to < 0 ? -1 : text.indexOf(mark, to + 3);
  }
  return blocks.length === 0
    ? text
    : blocks.reduce((longest, one) => (one.length > longest.length ? one : longest)).trim();
}

/** Returns the text from the first bracket of this kind to the last. */
function between(open: string, close: string): Peeling["peel"] {
  return (text) => {
    const [from, to] = [text.indexOf(open), text.lastIndexOf(close)];
    return from >= 0 && to > from ? text.slice(from, to + close.length) : text;
  };
}

function withoutFirstParagraph(text: string): string {
  const at = text.trimStart().search(/\n[ \t]*\r?\n/);
  return at < 0 ? text : text.trimStart().slice(at).trimStart();
}

function withoutLastParagraph(text: string): string {
  const paragraphs = text.trimEnd().split(/\n[ \t]*\r?\n/);
  return paragraphs.length < 2 ? text : paragraphs.slice(0, -1).join("\n\n");
}

/** A first line that announces what follows. */
function withoutLead(text: string): string {
  const [first = "", ...rest] = text.trimStart().split("\n");
  return rest.length > 0 && first.trimEnd().endsWith(":") ? rest.join("\n").trimStart() : text;
}

/** Returns the cells of a table in Markdown with one column, without its head. */
function withoutTable(text: string): string {
  const lines = text.split("\n");
  const rule = lines.findIndex((line) => /^\s*\|[\s|:-]{1,200}$/.test(line) && line.includes("-"));
  if (rule < 0) return text;
  const rows = lines.slice(rule + 1).map((line) => line.trim());
  return rows.map((row) => (row.startsWith("|") && row.endsWith("|") ? row.slice(1, -1).trim() : row)).join("\n");
}

/** First and last lines that a program or a typesetter needs around a text; neither is part of the answer. */
const shells: readonly (readonly [first: RegExp, last: RegExp])[] = [
  [/^\\begin\{\w{1,20}\}$/, /^\\end\{\w{1,20}\}$/],
  [/^<!\[CDATA\[$/, /^\]\]>$/],
  [/^[^\n]{0,60}<<-?\s?\S{1,20}$/, /^\w{1,20}$/],
  [/^#{1,6}\s[^\n]{1,60}$/, /^#{1,6}\s[^\n]{1,60}$/],
];

function withoutShell(text: string): string {
  const lines = text.trim().split("\n");
  const [first, last] = [lines[0]!.trim(), lines.at(-1)!.trim()];
  const isShell = lines.length > 2 && shells.some(([before, behind]) => before.test(first) && behind.test(last));
  return isShell ? lines.slice(1, -1).join("\n").trim() : text;
}

/** Matches the names and signs before the only text of a statement, a dictionary or a settings file. */
const beforeText =
  /^\s{0,20}[[{(]?\s{0,20}(?:["']?[A-Za-z_$][\w.$ ]{0,40}["']?\s?[=:(\n]\s{0,20}|(?:echo|printf?)\s){1,3}("""|'''|["'`])/;

/** Returns the text inside code: of `print("...")`, `const answer = "...";`, `{'answer': '...',}`. */
function withoutCode(text: string): string {
  const [before, mark] = beforeText.exec(text) ?? [];
  if (before === undefined) return text;
  const rest = text
    .slice(before.length)
    .trimEnd()
    .replace(/[\s,;)}\]]{0,10}$/, "");
  if (!rest.endsWith(mark!)) return text;
  const inside = rest.slice(0, -mark!.length);
  // Several texts are a sentence about them; a doubled mark is a mark inside of one.
  const single = inside.replaceAll(mark!.repeat(2), "");
  if (single.includes(`${mark} `) && single.includes(` ${mark}`)) return text;
  if (mark !== '"') return inside;
  const value = parseJson(`"${inside}"`);
  return typeof value === "string" ? value : inside.replaceAll('""', '"');
}

const answerKey = /answer|plan|output|result|solution|response|content/i;

/**
 * Returns a JSON string's text, or the text of the only value, or of the value whose key means answer, in a JSON object or list,
 * also among the arguments of a call; the lines of a list of lines.
 */
function withoutJson(text: string): string {
  const value = parseJson(text);
  if (value !== undefined && isLines(value)) return value.join("\n");
  // A list of strings as Python writes it.
  const [, strings] = /^\s*\[\s{0,20}'([^]*)'\s{0,20}\]\s*$/.exec(text) ?? [];
  if (value === undefined && strings !== undefined)
    return strings
      .split(/',\s{0,20}'/)
      .join("\n")
      .replaceAll("\\'", "'");
  // Steps by number.
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const steps = entries.map(([, step]) => step);
  if (entries.every(([key]) => /\d$/.test(key)) && isLines(steps)) return steps.join("\n");
  return answerIn(value) ?? answerIn(field(value, "arguments")) ?? text;
}

const isLines = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.length > 1 && value.every((line) => typeof line === "string");

function answerIn(value: Json | undefined, depth = 0): string | undefined {
  if (typeof value === "string" || depth > 5) return typeof value === "string" ? value : undefined;
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const named = entries.length === 1 ? entries : entries.filter(([key]) => answerKey.test(key));
  if (named.length !== 1) return undefined;
  const [, only] = named[0]!;
  return isLines(only) ? only.join("\n") : answerIn(only, depth + 1);
}

/** Removes lines of at least two signs alone. */
const withoutRules = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim().length < 2 || /[\p{L}\p{N}()[\]{}]/u.test(line))
    .join("\n");

/** Removes a last line that asks a question back, or names the speaker. */
function withoutLastWords(text: string): string {
  const lines = text.trimEnd().split("\n");
  const last = lines.at(-1)!.trim();
  const isAside = (last.endsWith("?") && last.length < 100) || /^[—–]\s?\w/.test(last);
  return isAside && lines.length > 1 ? lines.slice(0, -1).join("\n") : text;
}

/** Removes the full stop that the last line alone has. */
function withoutLastStop(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const ending = lines.filter((line) => line.trimEnd().endsWith("."));
  return lines.length > 1 && ending.length === 1 && ending[0] === lines.at(-1) ? text.trimEnd().slice(0, -1) : text;
}

/** Ends the text before a repeated paragraph, because some models give their answer twice. */
function saidOnce(text: string): string {
  const paragraphs = text.split(/\n[ \t]*\r?\n/);
  const seen = new Set<string>();
  const again = paragraphs.findIndex((paragraph) => {
    const own = paragraph.trim();
    return own !== "" && seen.size === seen.add(own).size;
  });
  if (again < 0) return text;
  // Words may announce it again.
  const end = again > 1 && paragraphs[again - 1]!.trimEnd().endsWith(":") ? again - 1 : again;
  return paragraphs.slice(0, end).join("\n\n");
}

/** Returns the text with half-width marks and spaces. */
export const inPlainWidth = (text: string): string =>
  text
    .replaceAll("\u3000", " ")
    .replaceAll(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));

/**
 * Returns the text in plain spaces, line ends, hyphens and half-width marks, without terminal colours and characters without
 * width.
 */
const inPlainCharacters = (text: string): string =>
  inPlainWidth(
    stripVTControlCharacters(text)
      .replaceAll(/[\u2028\u2029]/g, "\n")
      .replaceAll(/\p{Cf}/gu, "")
      .replaceAll(/[\u2010-\u2012]/g, "-")
      .replaceAll(/\p{Zs}/gu, " "),
  );

/** Polite words before and after an answer on its own line. */
const leadWords =
  /^\s*(?:sure|certainly|of course|okay|here (?:you go|it is|is|are)|(?:i'm |i am )?sorry|i apologi[sz]e|my apologies|thank)[^:.!\n]{0,80}(?:[:.!]|\s[\u2013\u2014-]\s)\s*/i;
const closingWords =
  /\s(?:(?:that is all|that's all|let me know|hope this helps|i hope this)[^\n]{0,80}|\((?:this|that|my|as)\s[^()\n]{0,80}\)|\[\d{1,3}\]|#\w{1,20})$/i;

const answerWords =
  /^\s*\**(?:(?:[a-z',]{1,12} ){0,4}(?:answer|plan|output|result|solution)(?: (?:to|of|for)(?: [a-z']{1,12}){1,4}?)?(?: is)?|respuesta|réponse|antwort|risposta|resposta|ответ|答案|回答|答え|답)\s?[:：]\**\s*/i;

/** Labels of an answer without a colon: in bold, in brackets, an arrow, a section of settings. */
const labels =
  /^\s*(?:(?:first|second|third|next|then|finally|return)\b,?(?= )|\*\*(?:final |the )?(?:answer|plan|output|result|solution|response)\*\*|(?:=>|->|→)(?=\s)|\[\w{1,20}\]\s?:|\[\w{1,20}\][ \t]?\r?\n\w{1,30}\s?=)\s*/i;

/** Matches a mark with which no line of an answer starts; a sign directly before a number belongs to the number. */
const mark = String.raw`[^\p{L}\p{N}\s([{<"'\x60]`;
export const anyMarks = new RegExp(String.raw`^\s*${mark}{1,6}(?<![-+.](?=\d))\s*`, "u");
const anyNumber = new RegExp(
  String.raw`^\s*${mark}{0,4}\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,6})[.):\]]{1,2}${mark}{0,4}\s+`,
  "u",
);

/** A speaker's name before the answer, also after a repeated question, or a YAML key. */
const speaker =
  /^\s*(?:(?:user|human|question|q)\s?:[^\n]{0,400}\n\s*(?:assistant|ai|bot|model|answer|a)|assistant|ai|bot|model|response|a)\s?[:\uFF1A]\s*/i;
const literal = /^\s*[A-Za-z_]\w{0,30}:\s?[|>][+-]?[ \t]*\r?\n/;

/** Marks of turns and channels, if a server passes them on. */
const turnToken =
  /<\|\w{1,20}\|>|<\/?s>|<(?:start|end)_of_turn>|\[\/?INST\]|\[(?:END|EOS|DONE|STOP)\]|assistant(?:final|commentary)(?=\S)/g;

/** Returns the last text between marks of turns, without the speaker's name. */
function lastTurn(text: string): string {
  const parts = text.split(turnToken).filter((part) => part.trim() !== "");
  return parts.length === 1 && parts[0] === text
    ? text
    : (parts.at(-1) ?? text).replace(/^\s*(?:assistant|model)\n/, "");
}

/** Tags of HTML and XML, and declarations; `<<<field>>>` is none. */
const tag =
  /(?<!<)<(?:\/?[A-Za-z][\w:-]{0,30}(?:=[\w-]{1,30})?(?:\s[\w:-]{1,30}=[^<>\s]{1,60}){0,5}\s?\/?|[?!][^<>\n]{1,80})>(?!>)/g;

function withoutTags(text: string): string {
  const bare = text.replaceAll(/<!\[CDATA\[|\]\]>/g, "").replaceAll(tag, "");
  return bare === text ? text : bare.trim();
}

const headingMark = /^\s*#{2,6}\s+/;

/** Returns the text after the last label of an answer, or after the last marks of a heading, at the start of a line. */
function behindLabel(text: string): string {
  const lines = text.split("\n");
  const at = lines.findLastIndex((line) => answerWords.test(line) || headingMark.test(line));
  return at < 1 ? text : lines.slice(at).join("\n").replace(answerWords, "").replace(headingMark, "");
}

export function withoutFirstLine(text: string): string {
  const at = text.trimStart().indexOf("\n");
  return at < 0 ? text : text.trimStart().slice(at + 1);
}
export const withoutLastLine = (text: string): string => text.trimEnd().replace(/\n[^\n]+$/, "");

const entity = /&(?:amp;)?(lt|gt|quot|apos|amp|nbsp|#34|#39|#x27|#x22|#10);/g;
const entities: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  amp: "&",
  nbsp: " ",
  "#34": '"',
  "#x22": '"',
  "#39": "'",
  "#x27": "'",
  "#10": "\n",
};

/** In the order in which they are tried and named. */
export const peelings: readonly Peeling[] = [
  { name: "line endings", peel: (text) => text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") },
  { name: "fence", peel: (text) => fenced(text) },
  { name: "fence", peel: (text) => fenced(text, "~~~") },
  { name: "characters", peel: inPlainCharacters },
  {
    name: "symbols",
    peel: (text) =>
      text
        .trim()
        .replace(/\p{Extended_Pictographic}$/u, "")
        .trimEnd(),
  },
  { name: "table", peel: withoutTable },
  { name: "quoted lines", peel: withoutMark(/^\s*>\s?/) },
  { name: "bullets", peel: withoutMark(/^\s*(?:[-*+•–◦▪‣·→⇒➤]\s+(?:\[[ xX]\]\s+)?|\+|\\item\s)/) },
  { name: "bullets", peel: withoutMark(/^\s*(?:\p{Extended_Pictographic}\uFE0F?|[\d#*]\uFE0F?\u20E3)\s+/u) },
  { name: "numbers", peel: withoutMark(/^\s*\(?(?:\d{1,3}[.):]|(?:[A-Za-z]|[ivxIVX]{1,6})[.)])\s+/) },
  { name: "numbers", peel: withoutMark(/^\s*(?:\d{1,4}(?:\s?\||\t)|\**(?:step|line)\s\d{1,3}\**\s?[:.)-])\**\s*/i) },
  { name: "blanks", peel: (text) => eachLine(text, (line) => line.trimEnd()) },
  { name: "indentation", peel: withoutMark(/^[ \t]+/) },
  { name: "blank lines", peel: (text) => text.replaceAll(/\n(?:[ \t]*\r?\n)+/g, "\n") },
  { name: "heading", peel: withoutMark(/^\s*#{1,6}\s+/) },
  { name: "bold", peel: withoutPair("**") },
  { name: "bold", peel: withoutPair("__") },
  { name: "bold", peel: (text) => text.replace(/^\s*\*\*([^*\n]+)\*\*[.!]\s*$/, "$1") },
  { name: "italics", peel: withoutPair("*") },
  { name: "italics", peel: withoutPair("_") },
  { name: "ticks", peel: withoutPair("`") },
  { name: "quotes", peel: withoutPair('"""') },
  { name: "quotes", peel: withoutPair('"') },
  { name: "quotes", peel: withoutPair("'") },
  ...["“”", "„“", "«»", "「」"].map(([open, close]) => ({ name: "quotes", peel: withoutPair(open!, close!) })),
  { name: "tags", peel: (text) => text.replace(/^\s*<(\w{1,20})(?:\s[^<>\n]{0,80})?>([^]*)<\/\1>\s*$/, "$2").trim() },
  { name: "tags", peel: (text) => text.replace(/^\s*\[(\w{1,20})\]([^]*)\[\/\1\]\s*$/, "$2").trim() },
  { name: "tags", peel: (text) => text.replace(/^\s*<!--[^]{0,400}?-->\s*/, "") },
  {
    name: "tags",
    peel: (text) => eachLine(text, (line) => line.replace(/^\s*<(\w{1,20})(?:\s[^<>]{0,80})?>(.*)<\/\1>\s*$/, "$2")),
  },
  { name: "tags", peel: (text) => text.replaceAll(/<br ?\/?>/g, "") },
  { name: "punctuation", peel: withoutMark(/;$/) },
  { name: "punctuation", peel: withoutLastStop },
  { name: "escapes", peel: (text) => text.replaceAll(/\\([^\p{L}\p{N}\s"'\\])/gu, "$1") },
  { name: "escapes", peel: (text) => text.replaceAll("\\n", "\n") },
  { name: "escapes", peel: (text) => text.replaceAll(entity, (whole, name: string) => entities[name] ?? whole) },
  { name: "code", peel: withoutShell },
  { name: "code", peel: withoutCode },
  { name: "box", peel: withoutPair("$$") },
  { name: "box", peel: withoutPair("$") },
  { name: "box", peel: withoutPair("{{", "}}") },
  { name: "box", peel: (text) => text.replace(/^\s*\[[^[\]\n]{1,60}\]\(([^]*)\)\s*$/, "$1") },
  { name: "box", peel: (text) => text.replace(/^\s*\\[a-z]{1,12}\{([^]*)\}\s*$/, "$1") },
  { name: "box", peel: (text) => text.replace(/^\s*\(([^]*)\)\s*$/, "$1") },
  { name: "box", peel: withoutRules },
  { name: "JSON", peel: withoutJson },
  { name: "marks", peel: withoutMark(anyMarks) },
  { name: "marks", peel: withoutMark(/\s?[|\\]\s*$/) },
  { name: "numbers", peel: withoutMark(anyNumber) },
  { name: "end token", peel: lastTurn },
  { name: "tags", peel: withoutTags },
  { name: "repetition", peel: saidOnce },
  { name: "leading words", peel: (text) => text.replace(answerWords, "") },
  { name: "leading words", peel: (text) => text.replace(speaker, "") },
  { name: "leading words", peel: (text) => text.replace(literal, "") },
  { name: "leading words", peel: (text) => text.replace(leadWords, "") },
  { name: "leading words", peel: (text) => text.replace(labels, "") },
  { name: "leading words", peel: behindLabel },
  { name: "trailing words", peel: (text) => text.trimEnd().replace(closingWords, "") },
  { name: "trailing words", peel: withoutLastWords },
  { name: "leading prose", prose: true, peel: withoutLead },
  { name: "surrounding prose", prose: true, peel: between("{", "}") },
  { name: "surrounding prose", prose: true, peel: between("[", "]") },
  { name: "leading prose", prose: true, peel: withoutFirstParagraph },
  { name: "trailing prose", prose: true, peel: withoutLastParagraph },
];

/** Peelings that split a text into lines. The result may be complete only because a longer answer was truncated. */
export const linePeelings: readonly Peeling[] = [
  ...peelings,
  { name: "leading prose", prose: true, peel: withoutFirstLine },
  { name: "trailing prose", prose: true, peel: withoutLastLine },
];
