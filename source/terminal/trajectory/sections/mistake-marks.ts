/** Shows mistakes at their place: marks the words and explains the mistake below them. */
import { type Line, lineText, type Span } from "../../../engine/figures/drawing/line.ts";
import { type WordsPlace, mistakeText } from "../../../engine/log/rows/mistake-text.ts";
import { printable, width, wrap } from "../../../engine/text/printable.ts";
import type { Mistake } from "../../../engine/types.ts";
import { type Block, blockOf } from "../block.ts";
import type { View } from "../view.ts";

/** A mistake made in an entry; `words` are the wrong ones, absent if the whole reply is wrong. */
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

/**
 * Adds mistakes to the blocks of the entry with this id: below their words if these are on one line, else at the end.
 */
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
    const block = marked[at]!;
    const own = block.line(line);
    return [
      ...marked.slice(0, at),
      part(block, block.id, 0, line + 1, { line, shown: withWords(own, from, to) }),
      blockOf(each.id, underLines(own, from, to, each.mistake, view), whole(each)),
      ...(line + 1 < block.count ? [part(block, `${block.id} after ${each.id}`, line + 1, block.count)] : []),
      ...marked.slice(at + 1),
    ];
  }, blocks);

const whole = ({ mistake, isCause }: Made) => ({ error: true, ...(isCause !== true && { mistakes: [mistake] }) });

type Words = { readonly at: number; readonly line: number; readonly from: number; readonly to: number };

/** Finds the occurrence of the words that follows the key most closely, else the last one. */
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

/** Returns lines `from` (inclusive) to `to` (exclusive) of a block, one of them replaced. */
function part(
  block: Block,
  id: string,
  from: number,
  to: number,
  marked?: { readonly line: number; readonly shown: Line },
): Block {
  const { folds, folded, error } = block;
  return {
    id,
    count: to - from,
    line: (index) => (from + index === marked?.line ? marked.shown : block.line(from + index)),
    ...(from === 0 && { folds, folded }),
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

/** Underlines the words, and explains the mistake beside them, or below if there is no room. */
function underLines(line: Line, from: number, to: number, mistake: Mistake, view: View): Line[] {
  const text = lineText(line);
  const stroke: Line = [
    { text: " ".repeat(width(text.slice(0, from))) },
    { text: view.symbols.under.repeat(Math.max(1, width(text.slice(from, to)))), style: "bad" },
  ];
  const sentence = `  ${view.symbols.wrong} ${mistakeText(mistake, view)}`;
  if (width(lineText(stroke)) + width(sentence) <= view.columns) return [[...stroke, { text: sentence, style: "bad" }]];
  return [stroke, ...sentenceLines(mistake, view)];
}

function sentenceLines(mistake: Mistake, view: View): Line[] {
  const text = `${view.symbols.wrong} ${mistakeText(mistake, view)}`;
  return wrap(text, Math.max(10, view.columns - 4)).map((line) => [{ text: "    " }, { text: line, style: "bad" }]);
}
