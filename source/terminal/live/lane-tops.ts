/**
 * The first visible line of each lane. Text grows downwards until a lane is full; then all lanes make room by several
 * lines at once. Between these moments nothing above a last line moves, unless text folds, such as a model's thinking
 * once it answers; lines above then come back.
 */
import type { Block } from "../trajectory/block.ts";
import { blockAt, linesOf } from "../trajectory/position.ts";

/** The end of a task's text, at least a window of it if there is that much. */
export type LaneText = { readonly task: string; readonly running: boolean; readonly blocks: readonly Block[] };

/** Kept by block, because the text above may be missing. */
type Top = { readonly block: string; readonly line: number };

/** A lane makes room by this fraction of its window. */
const part = 3;

export class LaneTops {
  #tops: ReadonlyMap<string, Top> = new Map();
  #room = 0;

  /** Returns the first visible line of each lane in a window of `room` lines, and makes room if a lane is full. */
  of(lanes: readonly LaneText[], room: number): readonly number[] {
    const kept = lanes.map(({ task, blocks }) => lineOf(blocks, this.#tops.get(task)));
    const isFull = lanes.some(({ blocks }, lane) => linesOf(blocks) - (kept[lane] ?? Infinity) > room);
    const lines = lanes.map(({ running, blocks }, lane) => {
      const before = kept[lane];
      const total = linesOf(blocks);
      const roomy = Math.max(0, total - room + Math.floor(room / part));
      const isEmptied = before !== undefined && before > Math.max(0, total - Math.ceil(room / 2));
      const isLarger = room > this.#room;
      if (!running) {
        // A finished text does not grow, so it fills its window.
        const isMoved = before === undefined || isEmptied || isLarger || total - before > room;
        return isMoved ? Math.max(0, total - room) : before;
      }
      const fresh = total <= room ? 0 : roomy;
      if (before === undefined) return fresh;
      if (isLarger) return Math.min(before, fresh);
      if (isEmptied) return roomy;
      return isFull ? Math.max(before, roomy) : before;
    });
    this.#room = room;
    this.#tops = new Map(
      lanes.flatMap(({ task, blocks }, lane): [string, Top][] => {
        const top = topAt(blocks, lines[lane]!);
        return top === undefined ? [] : [[task, top]];
      }),
    );
    return lines;
  }
}

function lineOf(blocks: readonly Block[], top: Top | undefined): number | undefined {
  let before = 0;
  for (const { id, count } of blocks) {
    if (id === top?.block) return before + Math.min(top.line, count - 1);
    before += count;
  }
  return undefined;
}

function topAt(blocks: readonly Block[], line: number): Top | undefined {
  const block = blockAt(blocks, line);
  return block && { block: block.id, line: line - linesOf(blocks.slice(0, blocks.indexOf(block))) };
}
