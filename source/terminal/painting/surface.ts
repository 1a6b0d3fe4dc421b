/** The content of the screen: finished lines in boxes that React and Ink lay out. */
import type { DOMElement } from "ink";
import type { Scope } from "../input/keys.ts";
import type { Picture, PlacedPicture } from "./picture.ts";

/** A finished line, with its colour sequences, at a position of the screen. */
export type PlacedText = {
  readonly column: number;
  /** The column at which the line is truncated. */
  readonly end: number;
  readonly text: string;
};
/** The lines of each row of the screen, from the top. */
export type Frame = readonly (readonly PlacedText[])[];

type Area = { top: number; bottom: number; left: number; right: number };

/** Handles a click; `scope` is the layer that must have the keys, absent if any may. */
export type Clickable = { readonly scope?: Scope; readonly at: (line: number, column: number) => void };

/** The finished lines of a box, the handler of a click on them, and the picture over them. */
type Put = {
  readonly lines: readonly string[];
  readonly clickable: Clickable | undefined;
  readonly picture: Picture | undefined;
};

export class Surface {
  readonly #boxes = new Map<DOMElement, Put>();
  readonly #changed: () => void;

  /** `changed` is called whenever lines are put or removed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Replaces the lines of a box, one per row. */
  put(box: DOMElement, lines: readonly string[], clickable?: Clickable, picture?: Picture): void {
    this.#boxes.set(box, { lines, clickable, picture });
    this.#changed();
  }

  /**
   * Returns the handler at this position, called with the line and column within its box but not below its lines. Undefined
   * outside of clickable boxes.
   */
  clicked(
    row: number,
    column: number,
  ): { readonly scope: Scope | undefined; readonly perform: () => void } | undefined {
    for (const [box, { lines, clickable: found }] of this.#boxes) {
      const place = found && placeOf(box, { top: 0, bottom: row + 1, left: 0, right: column + 1 });
      if (found === undefined || place === undefined) continue;
      const { seen } = place;
      const [line, within] = [row - place.row, column - place.column];
      const wide = box.yogaNode?.getComputedWidth() ?? 0;
      const high = box.yogaNode?.getComputedHeight() ?? 0;
      if (row < seen.top || row >= seen.bottom || column < seen.left || column >= seen.right) continue;
      if (line < 0 || line >= high || within < 0 || within >= wide) continue;
      return { scope: found.scope, perform: () => line < lines.length && found.at(line, within) };
    }
    return undefined;
  }

  remove(box: DOMElement): void {
    this.#boxes.delete(box);
    this.#changed();
  }

  /** Returns the screen in its current layout, without hidden or truncated parts. */
  frame(columns: number, rows: number): Frame {
    const frame: PlacedText[][] = Array.from({ length: rows }, () => []);
    for (const [box, { lines }] of this.#boxes) {
      const place = placeOf(box, { top: 0, bottom: rows, left: 0, right: columns });
      if (place === undefined) continue;
      const { row, column, seen } = place;
      // No layout shows only the end of a box.
      if (column < seen.left) continue;
      for (let y = Math.max(row, seen.top); y < Math.min(row + lines.length, seen.bottom); y++)
        frame[y]!.push({ column, end: seen.right, text: lines[y - row]! });
    }
    return frame;
  }

  /** Returns the pictures that are visible as a whole. */
  pictures(columns: number, rows: number): readonly PlacedPicture[] {
    const found: PlacedPicture[] = [];
    for (const [box, { picture }] of this.#boxes) {
      if (picture === undefined) continue;
      const place = placeOf(box, { top: 0, bottom: rows, left: 0, right: columns });
      if (place === undefined) continue;
      const { png, line, column, lines: high, columns: wide } = picture;
      const placed = { png, row: place.row + line, column: place.column + column, rows: high, columns: wide };
      const { top, bottom, left, right } = place.seen;
      const isWhole =
        placed.row >= top && placed.row + high <= bottom && placed.column >= left && placed.column + wide <= right;
      if (isWhole) found.push(placed);
    }
    return found;
  }
}

/** Returns the position of a box and its visible area; undefined while it is hidden. */
function placeOf(box: DOMElement, seen: Area): { row: number; column: number; seen: Area } | undefined {
  let row = 0;
  let column = 0;
  const chain: DOMElement[] = [];
  for (let node: DOMElement | undefined = box; node !== undefined; node = node.parentNode) chain.unshift(node);
  for (const { yogaNode, style } of chain) {
    if (yogaNode === undefined || style.display === "none") return undefined;
    row += yogaNode.getComputedTop();
    column += yogaNode.getComputedLeft();
    if (style.overflowY === "hidden") {
      seen.top = Math.max(seen.top, row);
      seen.bottom = Math.min(seen.bottom, row + yogaNode.getComputedHeight());
    }
    if (style.overflowX === "hidden") {
      seen.left = Math.max(seen.left, column);
      seen.right = Math.min(seen.right, column + yogaNode.getComputedWidth());
    }
  }
  return { row, column, seen };
}

/** Returns a function that calls `act` once at the end of the turn, however often it is called: all changes of a turn are one frame. */
export function oncePerTurn(act: () => void): () => void {
  let requested = false;
  return () => {
    if (requested) return;
    requested = true;
    queueMicrotask(() => {
      requested = false;
      act();
    });
  };
}
