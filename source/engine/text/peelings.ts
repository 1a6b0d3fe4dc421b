/** Takes a text out of what people and chat models put around an answer, one layer at a time. */

/** One layer of wrapping, by the name that a reader sees. `prose` layers hold words that are no part of a form. */
export type Peeling = {
  readonly name: string;
  readonly prose?: true;
  /** Returns the text without this layer; the same text if it has none. */
  peel(text: string): string;
};

const eachLine = (text: string, change: (line: string) => string) =>
  text
    .split("\n")
    .map((line) => (line.trim() === "" ? line : change(line)))
    .join("\n");

/** Removes this prefix from all lines that are not blank, and changes nothing unless all have it. */
function withoutPrefix(prefix: RegExp): Peeling["peel"] {
  return (text) => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    const isEverywhere = lines.length > 0 && lines.every((line) => prefix.test(line));
    return isEverywhere ? eachLine(text, (line) => line.replace(prefix, "")) : text;
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

/** Returns the longest fenced block; the text if it has none. A fence that was never closed runs to the end. */
function fenced(text: string, mark = "```"): string {
  const blocks: string[] = [];
  for (let from = text.indexOf(mark); from >= 0;) {
    const to = text.indexOf(mark, from + 3);
    blocks.push(text.slice(from + 3, to < 0 ? undefined : to).replace(/^[\w+-]{0,20}[ \t]*\r?\n/, ""));
    from = to < 0 ? -1 : text.indexOf(mark, to + 3);
  }
  return blocks.length === 0
    ? text
    : blocks.reduce((longest, one) => (one.length > longest.length ? one : longest)).trim();
}

/** Returns what stands from the first bracket of this kind to the last. */
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

/** Returns the text in plain spaces and half-width marks. */
function inPlainCharacters(text: string): string {
  return text
    .replaceAll(/[\u00A0\u2007\u202F\u3000\uFEFF]/g, " ")
    .replaceAll(/[\uFF01-\uFF5E]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0));
}

/** Words of courtesy before and behind an answer on its own line. */
const leadWords = /^\s*(?:sure|certainly|of course|here (?:you go|it is|is|are))[^:\n]{0,60}:\s*/i;
const closingWords = /\s(?:that is all|that's all|let me know|hope this helps|i hope this)[^\n]{0,80}$/i;

const answerWords = /^\s*(?:the |my )?(?:final |correct )?(?:answer|plan|output|result|solution)(?: is)?\s?[:：]\s*/i;

/** In the order in which they are tried and named. */
export const peelings: readonly Peeling[] = [
  { name: "line ends", peel: (text) => text.replaceAll("\r", "") },
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
  { name: "quoted lines", peel: withoutPrefix(/^\s*>\s?/) },
  { name: "bullets", peel: withoutPrefix(/^\s*[-*+•–]\s+/) },
  { name: "numbers", peel: withoutPrefix(/^\s*\(?\d{1,3}[.)]\s+/) },
  { name: "heading", peel: withoutPrefix(/^\s*#{1,6}\s+/) },
  { name: "bold", peel: withoutPair("**") },
  { name: "bold", peel: withoutPair("__") },
  { name: "italics", peel: withoutPair("*") },
  { name: "italics", peel: withoutPair("_") },
  { name: "ticks", peel: withoutPair("`") },
  { name: "quotes", peel: withoutPair('"') },
  { name: "quotes", peel: withoutPair("'") },
  { name: "quotes", peel: withoutPair("“", "”") },
  { name: "tags", peel: (text) => text.replace(/^\s*<(\w{1,20})>([^]*)<\/\1>\s*$/, "$2").trim() },
  { name: "words before", peel: (text) => text.replace(answerWords, "") },
  { name: "words before", peel: (text) => text.replace(leadWords, "") },
  { name: "words behind", peel: (text) => text.trimEnd().replace(closingWords, "") },
  { name: "prose before", prose: true, peel: withoutLead },
  { name: "prose around", prose: true, peel: between("{", "}") },
  { name: "prose around", prose: true, peel: between("[", "]") },
  { name: "prose before", prose: true, peel: withoutFirstParagraph },
  { name: "prose behind", prose: true, peel: withoutLastParagraph },
];
