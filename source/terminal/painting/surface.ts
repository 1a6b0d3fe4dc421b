/** What stands on the screen: finished lines in boxes that React and Ink lay out. */
import type { DOMElement } from "ink";
import type { Scope } from "../input/binding.ts";

/** A finished line, with its colour sequences, in a row of the screen. */
export type PlacedText = {
  readonly column: number;
  /** What comes from this column on is cut off. */
  readonly end: number;
  readonly text: string;
};
/** What stands in each row of the screen, the first row first. */
export type Frame = readonly (readonly PlacedText[])[];

type Area = { top: number; bottom: number; left: number; right: number };

/** What a click does; `scope` is that of the layer whose keys must be in force, absent where any may. */
export type Clickable = { readonly scope?: Scope; readonly at: (line: number, column: number) => void };

/** Finished lines of a box, and what a click on one of them does now. */
type Put = { readonly lines: readonly string[]; readonly clickable: () => Clickable | undefined };

export class Surface {
  readonly #boxes = new Map<DOMElement, Put>();
  readonly #changed: () => void;

  /** `changed` is called whenever something is put on the surface, or taken off it. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Puts lines into a box, one in each of its rows, in place of those it had. */
  put(box: DOMElement, lines: readonly string[], clickable: () => Clickable | undefined = () => undefined): void {
    this.#boxes.set(box, { lines, clickable });
    this.#changed();
  }

  /** What a click there does, with the line and column within its box: nothing below its lines. Undefined outside of what can be clicked. */
  clicked(
    row: number,
    column: number,
  ): { readonly scope: Scope | undefined; readonly perform: () => void } | undefined {
    for (const [box, { lines, clickable }] of this.#boxes) {
      const found = clickable();
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

  /** The screen as it is laid out now; what is hidden, or outside a box that cuts it off, is left out. */
  frame(columns: number, rows: number): Frame {
    const frame: PlacedText[][] = Array.from({ length: rows }, () => []);
    for (const [box, { lines }] of this.#boxes) {
      const place = placeOf(box, { top: 0, bottom: rows, left: 0, right: columns });
      if (place === undefined) continue;
      const { row, column, seen } = place;
      // Nothing is laid out so that only its end could be seen.
      if (column < seen.left) continue;
      for (let y = Math.max(row, seen.top); y < Math.min(row + lines.length, seen.bottom); y++)
        frame[y]!.push({ column, end: seen.right, text: lines[y - row]! });
    }
    return frame;
  }
}

/** Where a box is, and what of the screen it may use; undefined while it is hidden. */
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
