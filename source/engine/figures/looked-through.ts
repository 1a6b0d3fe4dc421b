/** Figures of so many cells that the screen would wait while they are looked through for what drawing a few of their rows asks. */
import type { Figure } from "../figure.ts";
import type { Pieces } from "../work/pieces.ts";
import { tableOutlineInPieces } from "./drawing/table-outline.ts";
import { unitNoteInPieces } from "./unit-note.ts";

/** The same figures; drawing them takes no longer than drawing the rows that are seen. */
export function* lookedThrough(figures: readonly Figure[]): Pieces<readonly Figure[]> {
  for (const figure of figures) {
    yield* unitNoteInPieces(figure);
    if (figure.kind === "table") yield* tableOutlineInPieces(figure);
    yield;
  }
  return figures;
}
