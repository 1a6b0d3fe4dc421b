/** Shows mistakes at their place: marks the words and explains the mistake below them. */
import { type Line, lineText, type Span } from "../../../engine/figures/drawing/line.ts";
import { type WordsPlace, mistakeText } from "../../../engine/log/rows/mistake-text.ts";
import { printable, width, wrap } from "../../../engine/text/printable.ts";
import type { Mistake } from "../../../engine/types.ts";
import { type Block, blockOf } from "../block.ts";
import type { View } from "../view.ts";

/** A mistake made in an entry; `words` are the wrong words; absent if the whole reply is wrong. */
export type Made = {
  readonly id: string;
  readonly mistake: Mistake;
  readonly place: WordsPlace;
  readonly words?: string | undefined;
  /** Why the answer was not read: no mistake of the scorer's, which people could correct. */
  readonly isCause?: true;
};

/** Limit of characters between the name of an argument and its value. */
const near = 60;

/** Adds mistakes to the blocks of the entry with this id: below their words if these are on one line, otherwise at the end. */
export const markedBlocks = (
  id: string,
  blocks: readonly Block[],
  made: readonly Made[],
  view: View,
): readonly Block[] =>
  made.reduce<readonly Block[]>((marked, each) => {
    const inside = each.place.call === undefined ? `${id} reply` : `${id} call ${each.place.call}`;
    const found =
      each.words === undefined ? undefined : findWords(marked, inside, printable(each.words), each.mistake.key);
    if (found === undefined) {
      const isFolded = marked.some((block) => block.id === inside && block.folded !== undefined);
      const rest = { ...whole(each), ...(isFolded && { opens: inside }) };
      return [...marked, blockOf(each.id, sentenceLines(each.mistake, view), rest)];
    }
    const { at, line, from, to } = found;
    const own = marked[at]!.line(line);
    const end = endOfCall(marked, inside, found);
    const reason = (lines: readonly Line[]) => blockOf(each.id, lines, whole(each));
    if (end.at === at && end.line === line)
      return withWordsAt(putBelow(marked, found, reason(underLines(own, from, to, each.mistake, view))), found);
    // Inside a call that takes several lines there is only the stroke.
    const below = putBelow(marked, end, reason(sentenceLines(each.mistake, view)));
    return withWordsAt(putBelow(below, found, blockOf(`${each.id} stroke`, [strokeUnder(own, from, to, view)])), found);
  }, blocks);

type Place = { readonly at: number; readonly line: number };

/** Inserts a block below this line, and splits the line's block if it contains further lines. */
function putBelow(blocks: readonly Block[], { at, line }: Place, added: Block): readonly Block[] {
  const block = blocks[at]!;
  return [
    ...blocks.slice(0, at),
    part(block, block.id, 0, line + 1),
    added,
    ...(line + 1 < block.count ? [part(block, `${block.id} after ${added.id}`, line + 1, block.count)] : []),
    ...blocks.slice(at + 1),
  ];
}

/** Colours the words in their line. */
function withWordsAt(blocks: readonly Block[], { at, line, from, to }: Words): readonly Block[] {
  const block = blocks[at]!;
  return blocks.with(at, part(block, block.id, 0, block.count, { line, shown: withWords(block.line(line), from, to) }));
}

/** Maximum number of lines of a call. */
const longestCall = 40;

/**
 * Returns the last line of the call with these words. A tool call ends with its block, and a call in a reply with the line that closes
 * all open brackets, or with the line of the words if no line does.
 */
function endOfCall(blocks: readonly Block[], inside: string, { at, line }: Words): Place {
  if (!inside.endsWith(" reply")) return { at, line: blocks[at]!.count - 1 };
  const lines = blocks.flatMap((block, place) =>
    block.id === inside || block.id.startsWith(`${inside} `)
      ? Array.from({ length: block.count }, (_, index) => ({
          at: place,
          line: index,
          text: lineText(block.line(index)),
        }))
      : [],
  );
  const here = lines.findIndex((each) => each.at === at && each.line === line);
  let depth = 0;
  const open = lines.slice(0, here + longestCall).map(({ text }) => {
    for (const sign of text) {
      if ("([{".includes(sign)) depth += 1;
      else if (")]}".includes(sign)) depth = Math.max(0, depth - 1);
    }
    return depth;
  });
  const end = open.findIndex((each, index) => index >= here && each === 0);
  return end < 0 ? { at, line } : lines[end]!;
}

const whole = ({ mistake, isCause }: Made) => ({ error: true, ...(isCause !== true && { mistakes: [mistake] }) });

type Words = { readonly at: number; readonly line: number; readonly from: number; readonly to: number };

/** Finds the occurrence of the words that follows the key most closely, otherwise the last occurrence. */
function findWords(
  blocks: readonly Block[],
  inside: string,
  words: string,
  key: string | undefined,
): Words | undefined {
  let last: Words | undefined;
  let beside: Words | undefined;
  let closest = near;
  let before = "";
  for (const [at, block] of blocks.entries()) {
    if (block.id !== inside && !block.id.startsWith(`${inside} `)) continue;
    for (let line = 0; line < block.count; line++) {
      const text = lineText(block.line(line));
      for (let from = text.indexOf(words); from >= 0; from = text.indexOf(words, from + words.length)) {
        last = { at, line, from, to: from + words.length };
        const preceding = `${before}${text.slice(0, from)}`;
        const keyed = key === undefined ? -1 : preceding.lastIndexOf(key);
        if (keyed < 0 || preceding.length - keyed > closest) continue;
        closest = preceding.length - keyed;
        beside = last;
      }
      before = text;
    }
  }
  return beside ?? last;
}

/** Returns lines `from` (inclusive) to `to` (exclusive) of a block, with one of them replaced. */
function part(
  block: Block,
  id: string,
  from: number,
  to: number,
  marked?: { readonly line: number; readonly shown: Line },
): Block {
  const { folds, folded, error, isCall } = block;
  return {
    id,
    count: to - from,
    line: (index) => (from + index === marked?.line ? marked.shown : block.line(from + index)),
    ...(from === 0 && { folds, folded, isCall }),
    error,
  };
}

/** Marks characters `from` (inclusive) to `to` (exclusive) of the line. */
function withWords(line: Line, from: number, to: number): Line {
  let at = 0;
  return line.flatMap((span): Span[] => {
    const { text } = span;
    const [start, end] = [Math.max(0, Math.min(from - at, text.length)), Math.max(0, Math.min(to - at, text.length))];
    at += text.length;
    const pieces: Span[] = [
      { ...span, text: text.slice(0, start) },
      { text: text.slice(start, end), style: "bad" },
      { ...span, text: text.slice(end) },
    ];
    return pieces.filter((piece) => piece.text !== "");
  });
}

/** Underlines the words, and explains the mistake beside them, or below them if there is no room. */
function underLines(line: Line, from: number, to: number, mistake: Mistake, view: View): Line[] {
  const stroke = strokeUnder(line, from, to, view);
  const sentence = `  ${view.symbols.wrong} ${mistakeText(mistake, view)}`;
  if (width(lineText(stroke)) + width(sentence) <= view.columns) return [[...stroke, { text: sentence, style: "bad" }]];
  return [stroke, ...sentenceLines(mistake, view)];
}

function strokeUnder(line: Line, from: number, to: number, { symbols }: View): Line {
  const text = lineText(line);
  return [
    { text: " ".repeat(width(text.slice(0, from))) },
    { text: symbols.under.repeat(Math.max(1, width(text.slice(from, to)))), style: "bad" },
  ];
}

function sentenceLines(mistake: Mistake, view: View): Line[] {
  const text = `${view.symbols.wrong} ${mistakeText(mistake, view)}`;
  return wrap(text, Math.max(10, view.columns - 4)).map((line) => [{ text: "    " }, { text: line, style: "bad" }]);
}
