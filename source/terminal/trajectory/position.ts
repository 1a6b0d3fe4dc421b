/** The cursor in a document of blocks. Kept by block, so that it stays on its text when the document grows, collapses or is re-wrapped. */
import type { Line } from "../../engine/figures/drawing/line.ts";
import type { Block } from "./block.ts";

export type Position = {
  readonly block: string;
  readonly line: number;
  /** Its row in the window, where the document allows. */
  readonly row: number;
  /** How many lines there were when the cursor left the end; undefined while the end is followed. */
  readonly seen: number | undefined;
};

export const start: Position = { block: "", line: 0, row: 0, seen: 0 };
export const end: Position = { block: "", line: 0, row: 0, seen: undefined };

export function linesOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { count }) => sum + count, 0);
}

/** Number of the line the cursor is on, from 0. */
export function lineAt(blocks: readonly Block[], place: Position): number {
  const total = linesOf(blocks);
  if (place.seen === undefined) return Math.max(0, total - 1);
  let before = 0;
  for (const { id, count } of blocks) {
    if (id === place.block)
      return Math.min(before + Math.min(place.line, Math.max(0, count - 1)), Math.max(0, total - 1));
    before += count;
  }
  return 0;
}

/** `seen` as in `Position`. */
export function positionAt(blocks: readonly Block[], wanted: number, seen: number, row = 0): Position {
  let left = Math.max(0, Math.min(wanted, linesOf(blocks) - 1));
  for (const { id, count } of blocks) {
    if (left < count) return { block: id, line: left, row, seen };
    left -= count;
  }
  return { ...start, seen };
}

export function blockAt(blocks: readonly Block[], line: number): Block | undefined {
  let left = line;
  for (const block of blocks) {
    if (left < block.count) return block;
    left -= block.count;
  }
  return undefined;
}

/** First line of the window: the cursor stays in its row, so that nothing moves while the document grows below. */
export function topOf(blocks: readonly Block[], place: Position, height: number): number {
  const last = Math.max(0, linesOf(blocks) - height);
  if (place.seen === undefined) return last;
  return Math.max(0, Math.min(last, lineAt(blocks, place) - Math.min(place.row, height - 1)));
}

/** Lines kept above and below the cursor. */
const margin = 2;

/** The position `by` lines further: the cursor moves within the window; at its edges the window moves. */
export function movedBy(blocks: readonly Block[], place: Position, by: number, height: number): Position {
  const here = lineAt(blocks, place);
  const row = here - topOf(blocks, place, height) + by;
  const within = Math.max(Math.min(margin, height - 1), Math.min(row, height - 1 - margin));
  const next = positionAt(blocks, here + by, place.seen ?? linesOf(blocks), within);
  // Near the ends of the document the window cannot move: the row is where the cursor then is.
  return { ...next, row: lineAt(blocks, next) - topOf(blocks, next, height) };
}

export function visibleLines(blocks: readonly Block[], top: number, height: number): Line[] {
  const lines: Line[] = [];
  let before = 0;
  for (const block of blocks) {
    if (before >= top + height) break;
    const from = Math.max(0, top - before);
    const to = Math.min(block.count, top + height - before);
    for (let index = from; index < to; index++) lines.push(block.line(index));
    before += block.count;
  }
  return lines;
}

/** The next block with an error after the cursor (`by` 1) or before it (-1), wrapping around. */
export function nextError(blocks: readonly Block[], place: Position, by: 1 | -1): Block | undefined {
  const errors = blocks.map((block, index) => ({ block, index })).filter(({ block }) => block.error === true);
  const here = blocks.indexOf(blockAt(blocks, lineAt(blocks, place))!);
  const next = by === 1 ? errors.find(({ index }) => index > here) : errors.findLast(({ index }) => index < here);
  return (next ?? errors.at(by === 1 ? 0 : -1))?.block;
}
