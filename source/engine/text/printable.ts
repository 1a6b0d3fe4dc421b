/**
 * Makes text from models, tools, data sets and files safe to show. No text can move a cursor, change a colour, set a title or
 * fill a clipboard: control characters are shown as visible symbols. All code that draws untrusted text calls `printable`;
 * `width` counts widths in terminal columns.
 */

import { standIns, signs } from "../../look/signs.ts";
import { graphemes, isSimple } from "./graphemes.ts";

/** Invisible characters, and characters that reverse text: shown as a symbol, because hidden text misleads a reader. */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/v;
const suspicious =
  /[\p{Control}\p{Surrogate}\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/v;
/** Matches one unit: a character, or the flag of a region, which is a sequence of tag characters. */
const character = /\p{RGI_Emoji_Tag_Sequence}|[\s\S]/gv;

const joinedEmoji = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/v;
const ideographVariant = /^[\u{e0100}-\u{e01ef}]$/u;

/** Returns one line of text that is safe to show. Line breaks are shown as `↵`; use `printableLines` to keep them. */
export function printable(text: string): string {
  if (!suspicious.test(text)) return text;
  let before = "";
  return text.replace(character, (one) => {
    const shown = one.length > 2 ? one : visible(one, before);
    before = one;
    return shown;
  });
}

/** Returns safe lines of a longer text. A carriage return ends a line only before a line feed. */
export const printableLines = (text: string): string[] => text.split(/\r?\n|\u2028|\u2029/).map(printable);

function visible(character: string, before: string): string {
  const code = character.codePointAt(0)!;
  if (code === 0x09) return "  ";
  if (code === 0x0a) return standIns.lineBreak;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return standIns.delete;
  if (code >= 0x80 && code < 0xa0) return `${standIns.escape}${String.fromCodePoint(code - 0x40)}`;
  if (code === 0x2028 || code === 0x2029) return standIns.lineBreak;
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  if (!hidden.test(character) || isSpelling(character, before)) return character;
  return code >= 0x202a && code <= 0x2069 ? standIns.direction : signs.dot;
}

/**
 * Returns whether a letter changes its form with or without a joiner: in Persian, Hindi or Sinhala the joiner is part of the
 * spelling (compare the rules for joiners in RFC 5892, appendix A.1 and A.2).
 */
const joins = (letter: string) =>
  /^[[\p{L}\p{M}]&&[\p{scx=Arabic}\p{scx=Syriac}\p{scx=Mongolian}\p{scx=Nko}\p{scx=Mandaic}\p{scx=Adlam}\p{scx=Hanifi_Rohingya}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Myanmar}\p{scx=Khmer}\p{scx=Tibetan}]]$/v.test(
    letter,
  );

/** Returns whether an invisible character is part of the spelling of the preceding character; otherwise it hides something. */
function isSpelling(character: string, before: string): boolean {
  if (character === "\u200c") return joins(before);
  if (character === "\u200d") return joins(before) || joinedEmoji.test(before);
  if (ideographVariant.test(character)) return /^\p{Ideographic}$/u.test(before);
  return /^\p{Variation_Selector}$/u.test(character) && before !== "" && !suspicious.test(before);
}

const emojiByItself = /^[\p{Emoji_Presentation}--\p{Regional_Indicator}]$/v;
const shows = /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}]/u;

/** Returns the columns of a printable text in a terminal: 2 for wide East Asian characters and emoji, 0 for combining marks. */
export function width(text: string): number {
  if (isSimple(text)) return text.length;
  let columns = 0;
  for (const { segment } of graphemes(text)) columns += clusterWidth(segment);
  return columns;
}

/**
 * Calls `place` in order with each cluster that a terminal draws at one position, and with its number of columns. The number is 0
 * if the cluster is added to the previous cluster.
 */
export function forEachCluster(text: string, place: (cluster: string, columns: number) => void): void {
  if (isSimple(text)) for (const character of text) place(character, 1);
  else for (const { segment } of graphemes(text)) place(segment, clusterWidth(segment));
}

function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && cluster < "\u0300") return 1;
  const first = shows.exec(cluster)?.[0];
  if (first === undefined) return 0;
  if (cluster.length < 50 && isEmoji(cluster, first)) return 2;
  return isWide(first.codePointAt(0)!) ? 2 : 1;
}

/**
 * Returns whether a cluster is an emoji. Used only for sequences of emoji, because compiling the expression takes longer than
 * drawing a frame.
 */
function isEmoji(cluster: string, first: string): boolean {
  if (cluster === first) return emojiByItself.test(cluster);
  return /^\p{Emoji}/u.test(cluster) && /^\p{RGI_Emoji}$/v.test(cluster);
}

/** Ranges of Unicode's East Asian Width `W` and `F`, first and last code points, ascending. */
// prettier-ignore
const wide = [
  4352, 4447, 8986, 8987, 9001, 9002, 9193, 9196, 9200, 9200, 9203, 9203, 9725, 9726, 9748, 9749, 9776, 9783, 9800, 9811,
  9855, 9855, 9866, 9871, 9875, 9875, 9889, 9889, 9898, 9899, 9917, 9918, 9924, 9925, 9934, 9934, 9940, 9940, 9962, 9962,
  9970, 9971, 9973, 9973, 9978, 9978, 9981, 9981, 9989, 9989, 9994, 9995, 10024, 10024, 10060, 10060, 10062, 10062,
  10067, 10069, 10071, 10071, 10133, 10135, 10160, 10160, 10175, 10175, 11035, 11036, 11088, 11088, 11093, 11093,
  11904, 12350, 12353, 19903, 19904, 19967, 19968, 42182, 43360, 43388, 44032, 55203, 63744, 64255, 65040, 65049,
  65072, 65131, 65281, 65376, 65504, 65510, 94176, 94198, 94208, 101874, 101888, 102866, 110576, 111355, 119552, 119670,
  126980, 126980, 127183, 127183, 127374, 127374, 127377, 127386, 127488, 127589, 127744, 127776, 127789, 127797,
  127799, 127868, 127870, 127891, 127904, 127946, 127951, 127955, 127968, 127984, 127988, 127988, 127992, 128062,
  128064, 128064, 128066, 128252, 128255, 128317, 128331, 128334, 128336, 128359, 128378, 128378, 128405, 128406,
  128420, 128420, 128507, 128591, 128640, 128709, 128716, 128716, 128720, 128722, 128725, 128729, 128732, 128735,
  128747, 128748, 128756, 128764, 128986, 128986, 128992, 129008, 129292, 129338, 129340, 129349, 129351, 129535,
  129648, 129660, 129664, 129786, 131072, 196605, 196608, 262141,
];

function isWide(code: number): boolean {
  if (code < wide[0]!) return false;
  let low = 0;
  let high = wide.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (code > wide[2 * middle + 1]!) low = middle + 1;
    else high = middle;
  }
  return low < wide.length / 2 && code >= wide[2 * low]!;
}

/** Returns a printable text in at most `columns` columns; if it is truncated, `${signs.more}` is in the last column. */
export function fit(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (isSimple(text)) return text.length <= columns ? text : `${text.slice(0, columns - 1)}${signs.more}`;
  let used = 0;
  let kept = "";
  for (const { segment } of graphemes(text)) {
    const more = clusterWidth(segment);
    if (used + more > columns) return `${cut(kept, columns - 1)}${signs.more}`;
    used += more;
    kept += segment;
  }
  return text;
}

function cut(text: string, columns: number): string {
  let used = 0;
  let kept = "";
  for (const { segment } of graphemes(text)) {
    used += clusterWidth(segment);
    if (used > columns) break;
    kept += segment;
  }
  return kept;
}

/** Returns a printable text in at most `columns` columns, truncated in the middle, because names may differ at their ends. */
export function fitMiddle(text: string, columns: number): string {
  const end = Math.floor((columns - 1) / 2);
  if (end < 1 || width(text) <= columns) return fit(text, columns);
  return `${cut(text, columns - 1 - end)}${signs.more}${lastOf(text, end)}`;
}

function lastOf(text: string, columns: number): string {
  const clusters = Array.from(graphemes(text), ({ segment }) => segment);
  let used = 0;
  const from = clusters.findLastIndex((cluster) => (used += clusterWidth(cluster)) > columns);
  return clusters.slice(from + 1).join("");
}

/** Returns a printable text padded with blanks, or truncated, to exactly `columns`. */
export function pad(text: string, columns: number, align: "left" | "right" = "left"): string {
  const fitted = fit(text, columns);
  const blanks = " ".repeat(Math.max(0, columns - width(fitted)));
  return align === "left" ? fitted + blanks : blanks + fitted;
}

/** Returns a printable text broken at blanks into lines of at most `columns`; longer words are broken anywhere. */
export function wrap(text: string, columns: number): string[] {
  if (columns < 1) return [];
  if (width(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(/(?<= )(?=[^ ])/)) {
    const bare = width(word.trimEnd());
    if (used > 0 && used + bare > columns) {
      lines.push(line.trimEnd());
      line = "";
      used = 0;
    }
    if (bare <= columns) {
      line += word;
      used += width(word);
      continue;
    }
    for (const { segment } of graphemes(word)) {
      const more = clusterWidth(segment);
      if (used + more > columns) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line += segment;
      used += more;
    }
  }
  if (line.trimEnd() !== "" || lines.length === 0) lines.push(line.trimEnd());
  return lines;
}
