/**
 * The cursor in a document of blocks. It refers to a block, so that it stays at its text when the document grows, is folded or is
 * wrapped again.
 */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Block } from "./block.ts";
import { factOf } from "../../engine/work/fact.ts";

export type Position = {
  readonly block: string;
  readonly line: number;
  /** Its row in the window, if the document allows it. */
  readonly row: number;
  /** The number of lines when the cursor left the end; undefined while the end is followed. */
  readonly seen: number | undefined;
};

export const start: Position = { block: "", line: 0, row: 0, seen: 0 };
export const end: Position = { block: "", line: 0, row: 0, seen: undefined };

/** The first lines of the blocks of a long document, computed once because every key needs them. */
class Layout {
  /** The first line of each block, and one after the last. */
  readonly begins: readonly number[];
  readonly #blocks: readonly Block[];
  #places: ReadonlyMap<string, number> | undefined;

  constructor(blocks: readonly Block[]) {
    const begins = [0];
    let lines = 0;
    for (const { count } of blocks) begins.push((lines += count));
    this.begins = begins;
    this.#blocks = blocks;
  }

  get lines(): number {
    return this.begins.at(-1)!;
  }

  /** Returns the position of the first block with this id. */
  placeOf(id: string): number | undefined {
    this.#places ??= new Map(this.#blocks.map((block, place) => [block.id, place] as const).toReversed());
    return this.#places.get(id);
  }

  /** Returns the position of the block that contains this line, which must exist. */
  placeAt(line: number): number {
    let from = 0;
    let to = this.#blocks.length;
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if (this.begins[middle]! <= line) from = middle;
      else to = middle;
    }
    return from;
  }
}

/** Returns the layout of these blocks. Computes it once per list, because any changed block makes a new list. */
const layoutOf = factOf((blocks: readonly Block[]) => new Layout(blocks));

export const linesOf = (blocks: readonly Block[]): number => layoutOf(blocks).lines;

/** Returns the number of the cursor's line, from 0. */
export function lineAt(blocks: readonly Block[], place: Position): number {
  const layout = layoutOf(blocks);
  const last = Math.max(0, layout.lines - 1);
  if (place.seen === undefined) return last;
  const found = layout.placeOf(place.block);
  if (found === undefined) return 0;
  return Math.min(layout.begins[found]! + Math.min(place.line, Math.max(0, blocks[found]!.count - 1)), last);
}

/** `seen` as in `Position`. */
export function positionAt(blocks: readonly Block[], wanted: number, seen: number, row = 0): Position {
  const layout = layoutOf(blocks);
  if (layout.lines === 0) return { ...start, seen };
  const line = Math.max(0, Math.min(wanted, layout.lines - 1));
  const found = layout.placeAt(line);
  return { block: blocks[found]!.id, line: line - layout.begins[found]!, row, seen };
}

export function blockAt(blocks: readonly Block[], line: number): Block | undefined {
  const layout = layoutOf(blocks);
  return line < layout.lines ? blocks[layout.placeAt(line)] : undefined;
}

/** Returns the first visible line: the cursor stays in its row, so that no line moves while the document grows below. */
export function topOf(blocks: readonly Block[], place: Position, height: number): number {
  const last = Math.max(0, linesOf(blocks) - height);
  if (place.seen === undefined) return last;
  return Math.max(0, Math.min(last, lineAt(blocks, place) - Math.min(place.row, height - 1)));
}

/** Lines kept above and below the cursor. */
const margin = 2;

/** Returns the position `by` lines further: the cursor moves within the window, and at its edges the window moves. */
export function movedBy(blocks: readonly Block[], place: Position, by: number, height: number): Position {
  const here = lineAt(blocks, place);
  const row = here - topOf(blocks, place, height) + by;
  const within = Math.max(Math.min(margin, height - 1), Math.min(row, height - 1 - margin));
  const next = positionAt(blocks, here + by, place.seen ?? linesOf(blocks), within);
  // Near the ends of the document the window cannot move, so the row follows the cursor.
  return { ...next, row: lineAt(blocks, next) - topOf(blocks, next, height) };
}

export function visibleLines(blocks: readonly Block[], top: number, height: number): Line[] {
  const layout = layoutOf(blocks);
  const lines: Line[] = [];
  const end = Math.min(layout.lines, top + height);
  for (let place = layout.placeAt(top), at = top; at < end; place++) {
    const begin = layout.begins[place]!;
    const block = blocks[place]!;
    for (; at < Math.min(end, begin + block.count); at++) lines.push(block.line(at - begin));
  }
  return lines;
}

/**
 * Returns the block at which the next or previous agent starts to speak, without starting again at the other end; undefined if
 * there is none.
 */
export function nextSpeaker(blocks: readonly Block[], place: Position, by: 1 | -1): Block | undefined {
  const here = blocks.indexOf(blockAt(blocks, lineAt(blocks, place))!);
  const spoken = blocks.flatMap((block, index) => (block.speaker === undefined ? [] : [{ block, index }]));
  const begins = spoken.filter(({ block }, turn) => block.speaker !== spoken[turn - 1]?.block.speaker);
  const now = begins.findLastIndex(({ index }) => index <= here);
  return begins[now + by]?.block;
}

/** Returns the next block with an error after the cursor (`by` 1) or before it (-1), wrapping around. */
export const nextError = (blocks: readonly Block[], place: Position, by: 1 | -1): Block | undefined =>
  nextOf(blocks, place, by, ({ error }) => error === true);

/** Returns the next block with a tool call, wrapping around. */
export const nextCall = (blocks: readonly Block[], place: Position, by: 1 | -1): Block | undefined =>
  nextOf(blocks, place, by, ({ isCall }) => isCall === true);

function nextOf(
  blocks: readonly Block[],
  place: Position,
  by: 1 | -1,
  isWanted: (block: Block) => boolean,
): Block | undefined {
  const wanted = blocks.map((block, index) => ({ block, index })).filter(({ block }) => isWanted(block));
  const here = blocks.indexOf(blockAt(blocks, lineAt(blocks, place))!);
  const next = by === 1 ? wanted.find(({ index }) => index > here) : wanted.findLast(({ index }) => index < here);
  return (next ?? wanted.at(by === 1 ? 0 : -1))?.block;
}
