/** Scrolling and selecting cells, as pure functions. */

/** The position of a cell in the document, in lines; `focus` is the line of its text cursor while it is edited. */
export type CellExtent = {
  readonly id: string;
  readonly start: number;
  readonly lines: number;
  readonly focus?: number | undefined;
};

/** `anchor` is the row of the window in which the selected cell starts: it does not move when cells above grow. */
export type Viewport = { readonly selected: string | undefined; readonly anchor: number };

export function layOut(
  cells: readonly { readonly id: string; readonly lines: number; readonly focus?: number | undefined }[],
): CellExtent[] {
  let start = 0;
  return cells.map((cell) => {
    const block = { ...cell, start };
    // An empty line separates cells.
    start += cell.lines + 1;
    return block;
  });
}

const selectedBlock = (blocks: readonly CellExtent[], { selected }: Viewport): CellExtent | undefined =>
  blocks.find(({ id }) => id === selected) ?? blocks[0];

/** Returns the first visible line of the document. */
export function topLine(blocks: readonly CellExtent[], viewport: Viewport, height: number): number {
  const block = selectedBlock(blocks, viewport);
  if (block === undefined) return 0;
  const { start, lines, focus } = block;
  let top = start - viewport.anchor;
  if (focus !== undefined) {
    top = Math.max(start + focus - height + 2, Math.min(top, start + focus - 1));
  } else if (lines <= height) {
    top = Math.max(start + lines - height, Math.min(top, start));
  } else {
    top = Math.max(start, Math.min(top, start + lines - height));
  }
  const last = blocks.at(-1)!;
  return Math.max(0, Math.min(top, last.start + last.lines - height));
}

const viewportAt = (block: CellExtent, top: number): Viewport => ({ selected: block.id, anchor: block.start - top });

/**
 * Selects the next cell, even if the current cell is only partly visible, so that each press moves by one cell. The last cell is
 * scrolled to its end.
 */
export function moveDown(blocks: readonly CellExtent[], viewport: Viewport, height: number): Viewport {
  const block = selectedBlock(blocks, viewport);
  if (block === undefined) return viewport;
  const top = topLine(blocks, viewport, height);
  const next = blocks[blocks.indexOf(block) + 1];
  if (next === undefined) {
    const last = block.start + block.lines - height;
    return viewportAt(block, Math.max(top, Math.min(last, top + (height >> 1))));
  }
  // A cell higher than the window is shown from its start.
  return viewportAt(next, next.lines > height ? next.start : Math.max(top, next.start + next.lines - height));
}

/** Selects the previous cell and shows it from its start. */
export function moveUp(blocks: readonly CellExtent[], viewport: Viewport, height: number): Viewport {
  const block = selectedBlock(blocks, viewport);
  if (block === undefined) return viewport;
  const top = topLine(blocks, viewport, height);
  const before = blocks[blocks.indexOf(block) - 1];
  if (before === undefined) return viewportAt(block, 0);
  return viewportAt(before, before.lines > height ? before.start : Math.min(top, before.start));
}

/** Moves by a page less two lines, and selects the first cell that is then completely visible. */
export function movePage(blocks: readonly CellExtent[], viewport: Viewport, height: number, by: 1 | -1): Viewport {
  const block = selectedBlock(blocks, viewport);
  if (block === undefined) return viewport;
  const last = blocks.at(-1)!;
  const end = Math.max(0, last.start + last.lines - height);
  const before = topLine(blocks, viewport, height);
  const top = Math.max(0, Math.min(end, before + by * Math.max(1, height - 2)));
  if (top === before) return viewportAt(by > 0 ? last : blocks[0]!, top);
  const whole = blocks.find(({ start, lines }) => start >= top && start + lines <= top + height);
  const covering = blocks.findLast(({ start }) => start <= top) ?? block;
  return viewportAt(whole ?? covering, top);
}

/** Moves by some lines; the selected cell stays selected, or the nearest visible cell is. At the ends it moves by a cell. */
export function moveLines(blocks: readonly CellExtent[], viewport: Viewport, height: number, by: number): Viewport {
  const block = selectedBlock(blocks, viewport);
  if (block === undefined) return viewport;
  const last = blocks.at(-1)!;
  const before = topLine(blocks, viewport, height);
  const top = Math.max(0, Math.min(last.start + last.lines - height, before + by));
  if (top === before) return by > 0 ? moveDown(blocks, viewport, height) : moveUp(blocks, viewport, height);
  const isSeen = ({ start, lines }: CellExtent) =>
    lines <= height ? start >= top && start + lines <= top + height : start <= top && start + lines >= top + height;
  const at = blocks.indexOf(block);
  const others = by > 0 ? blocks.slice(at + 1) : blocks.slice(0, at).toReversed();
  return viewportAt(isSeen(block) ? block : (others.find(isSeen) ?? others[0] ?? block), top);
}

export function moveTo(blocks: readonly CellExtent[], viewport: Viewport, height: number, id: string): Viewport {
  const block = blocks.find((each) => each.id === id);
  if (block === undefined) return viewport;
  const top = topLine(blocks, viewport, height);
  if (block.lines > height) return viewportAt(block, block.start);
  return viewportAt(block, Math.max(block.start + block.lines - height, Math.min(top, block.start)));
}
