/** Reads a reply without Markdown and quotes, and the number that it gives as its answer. */
import { behindAnswerLine } from "../../../source/engine/text/answer-line.ts";

/** Ends loops over nested marks of hostile replies. */
const mostNested = 8;

const markdown: readonly (readonly [RegExp, string])[] = [
  [/\r/g, ""],
  // Lines of a fence.
  [/^[ \t]*(?:`{3,}|~{3,})[\w-]*[ \t]*$/gm, ""],
  // Headings and bullets.
  [/^[ \t]*(?:#{1,6}|[-*+•])[ \t]+/gm, ""],
  // Emphasis and code; a mark inside a word (2**3, snake_case) is none.
  [/(?<![\p{L}\p{N}*])(\*{1,3})(?=[^\s*])([^*\n]+)(?<=\S)\1(?![\p{L}\p{N}*])/gu, "$2"],
  [/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^_\n]+)(?<=\S)\1(?![\p{L}\p{N}_])/gu, "$2"],
  [/(?<!`)(`{1,3})(?=[^\s`])([^`\n]+)(?<=\S)\1(?!`)/gu, "$2"],
];

/** Removes Markdown from a text and keeps its lines. */
export function withoutMarkdown(text: string): string {
  let plain = text;
  for (let nested = 0; nested < mostNested; nested++) {
    const before = plain;
    for (const [mark, instead] of markdown) plain = plain.replaceAll(mark, instead);
    if (plain === before) break;
  }
  return plain.trim();
}

/** Returns the text after the last "Answer:", or the whole text if only marks follow it. */
export function answerIn(text: string): string {
  const behind = behindAnswerLine(text);
  return /[\p{L}\p{N}]/u.test(behind) ? behind : text;
}

const quotes = ['""', "''", "“”", "‘’", "„“", "«»"];

/** Normalizes a text: without Markdown, quotes around all and final `.` or `!`, with single spaces. */
export function plainText(text: string): string {
  let plain = withoutMarkdown(text).normalize("NFC").replace(/\s+/g, " ");
  for (let nested = 0; nested < mostNested; nested++) {
    const before = plain;
    plain = plain.trim().replace(/[.!]$/, "");
    const isQuoted = plain.length > 1 && quotes.includes(plain[0]! + plain.at(-1)!);
    if (isQuoted) plain = plain.slice(1, -1);
    if (plain === before) break;
  }
  return plain;
}

/** Removes the last word of a reply that was truncated, because the word may be incomplete. */
export function withoutCutWord(reply: string): string {
  let from = reply.length;
  while (from > 0 && /\S/.test(reply[from - 1]!)) from -= 1;
  return reply.slice(0, from) + reply.slice(from).replaceAll(/[\p{L}\p{N}.,]+/gu, "…");
}

type Found = { readonly value: number; readonly from: number };

const words =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
const word = new RegExp(
  String.raw`(?<![\p{L}\p{N}-])(?:${words.join("|")})(?![\p{L}\p{N}]|-\p{L}|\s(?:hundred|thousand|million|billion))`,
  "giu",
);
/** A hyphen behind a digit or letter is no sign. */
const digits =
  /(?:(?<![\p{L}\p{N}])([-+−])[$€£¥]?)?((?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+)([eE][-+]?\d{1,3})?/gu;

/** Returns all numbers of a text in order. "one" is read only if there is no other number, because it is usually a pronoun. */
function numbersIn(text: string): readonly Found[] {
  const written = [...text.matchAll(digits)].map(({ 1: sign, 2: number, 3: exponent = "", index }): Found => {
    const size = Number(number!.replaceAll(",", "") + exponent);
    return { value: sign === "-" || sign === "−" ? -size : size, from: index };
  });
  const spelled = [...text.matchAll(word)].map(({ 0: each, index }): Found => ({
    value: words.indexOf(each.toLowerCase()),
    from: index,
  }));
  const others = spelled.filter(({ value }) => value !== 1);
  const read = written.length + others.length > 0 ? others : spelled;
  return [...written, ...read].filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.from - b.from);
}

/**
 * Returns the number that a reply gives as its answer: the number after the last "Answer:", otherwise the first after the last
 * "=" or "is", otherwise the last outside brackets, otherwise the last. In a truncated reply, numbers without such a mark are
 * only intermediate. Undefined if there is no number.
 */
export function numberIn(reply: string, isCut = false): number | undefined {
  const whole = withoutMarkdown(isCut ? withoutCutWord(reply) : reply);
  const answer = answerIn(whole);
  const [line = ""] = answer.split("\n");
  const hasLabel = answer !== whole;
  const text = !hasLabel ? whole : numbersIn(line).length > 0 ? line : answer;
  const numbers = numbersIn(text);
  const marks = [...text.matchAll(/=|(?<![\p{L}\p{N}])is(?![\p{L}\p{N}])/giu)].map(({ index }) => index);
  const last = numbers.at(-1);
  const mark = isCut ? marks.at(-1) : marks.findLast((each) => last !== undefined && each < last.from);
  const marked = mark === undefined ? undefined : numbers.find(({ from }) => from > mark);
  if (isCut && !hasLabel) return marked?.value;
  const isInside = bracketsOf(text);
  return (marked ?? numbers.findLast(({ from }) => !isInside(from)) ?? last)?.value;
}

/** Returns a test for whether a place in the text is inside a pair of brackets. */
function bracketsOf(text: string): (place: number) => boolean {
  const depth = new Int32Array(text.length + 1);
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[()[\]]/g)) {
    if ("([".includes(bracket)) open.push(index);
    else {
      const from = open.pop();
      if (from === undefined) continue;
      depth[from]! += 1;
      depth[index]! -= 1;
    }
  }
  for (const at of depth.keys()) depth[at]! += depth[at - 1] ?? 0;
  return (place) => depth[place]! > 0;
}
