/** Which part of the document is in the window, and which cell is selected. Pure: lines in, lines out. */

/** A cell's place in the whole document, in lines; `focus` is the line of its text cursor, while it is edited. */
export type Block = { readonly id: string; readonly start: number; readonly lines: number; readonly focus?: number };

/** `anchor` is the row of the window at which the selected cell begins: it holds still while cells above it grow. */
export type Place = { readonly selected: string | undefined; readonly anchor: number };

export function layOut(
  cells: readonly { readonly id: string; readonly lines: number; readonly focus?: number }[],
): Block[] {
  let start = 0;
  return cells.map((cell) => {
    const block = { ...cell, start };
    // One empty line between cells.
    start += cell.lines + 1;
    return block;
  });
}

function selectedBlock(blocks: readonly Block[], { selected }: Place): Block | undefined {
  return blocks.find(({ id }) => id === selected) ?? blocks[0];
}

/** First line of the document in the window. */
export function topLine(blocks: readonly Block[], place: Place, height: number): number {
  const block = selectedBlock(blocks, place);
  if (block === undefined) return 0;
  const { start, lines, focus } = block;
  let top = start - place.anchor;
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

function at(block: Block, top: number): Place {
  return { selected: block.id, anchor: block.start - top };
}

/** The next cell, or, in a cell that goes beyond the window, half a window further. */
export function moveDown(blocks: readonly Block[], place: Place, height: number): Place {
  const block = selectedBlock(blocks, place);
  if (block === undefined) return place;
  const top = topLine(blocks, place, height);
  const end = block.start + block.lines;
  if (end > top + height) return at(block, Math.min(end - height, top + (height >> 1)));
  const next = blocks[blocks.indexOf(block) + 1];
  if (next === undefined) return at(block, top);
  // A cell that is taller than the window is read from its start.
  return at(next, next.lines > height ? next.start : Math.max(top, next.start + next.lines - height));
}

export function moveUp(blocks: readonly Block[], place: Place, height: number): Place {
  const block = selectedBlock(blocks, place);
  if (block === undefined) return place;
  const top = topLine(blocks, place, height);
  if (block.start < top) return at(block, Math.max(block.start, top - (height >> 1)));
  const before = blocks[blocks.indexOf(block) - 1];
  if (before === undefined) return at(block, 0);
  return at(before, before.lines > height ? before.start + before.lines - height : Math.min(top, before.start));
}

/** A page, less two lines that stay in sight; the selection goes to the first cell that is then wholly seen. */
export function movePage(blocks: readonly Block[], place: Place, height: number, by: 1 | -1): Place {
  const block = selectedBlock(blocks, place);
  if (block === undefined) return place;
  const last = blocks.at(-1)!;
  const end = Math.max(0, last.start + last.lines - height);
  const before = topLine(blocks, place, height);
  const top = Math.max(0, Math.min(end, before + by * Math.max(1, height - 2)));
  if (top === before) return at(by > 0 ? last : blocks[0]!, top);
  const whole = blocks.find(({ start, lines }) => start >= top && start + lines <= top + height);
  const covering = blocks.findLast(({ start }) => start <= top) ?? block;
  return at(whole ?? covering, top);
}

export function moveTo(blocks: readonly Block[], place: Place, height: number, id: string): Place {
  const block = blocks.find((each) => each.id === id);
  if (block === undefined) return place;
  const top = topLine(blocks, place, height);
  if (block.lines > height) return at(block, block.start);
  return at(block, Math.max(block.start + block.lines - height, Math.min(top, block.start)));
}
