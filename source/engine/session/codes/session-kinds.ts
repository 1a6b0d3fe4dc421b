/** The kinds of all kinds cells of a notebook, each cell read once. */
import type { CodeKind } from "../../analysis.ts";
import { factOf } from "../../work/fact.ts";
import type { SessionCell } from "../cell.ts";
import { readKindsCell, type KindsCell } from "./kinds-cell.ts";

const none: readonly CodeKind[] = [];

export class SessionKinds {
  readonly #read = new Map<string, KindsCell>();
  #last: readonly CodeKind[] = none;

  of({ source }: Pick<SessionCell, "source">): KindsCell {
    let found = this.#read.get(source);
    if (found === undefined) {
      // Every key press in an editor is a new text.
      if (this.#read.size > 50) this.#read.clear();
      this.#read.set(source, (found = readKindsCell(source)));
    }
    return found;
  }

  /** Returns the kinds of these cells, each name once; the same array until the kinds change. */
  all(cells: readonly SessionCell[]): readonly CodeKind[] {
    const found = this.#of(cells);
    const isSame = found.length === this.#last.length && found.every((kind, at) => kind === this.#last[at]);
    if (!isSame) this.#last = found;
    return this.#last;
  }

  readonly #of = factOf((cells: readonly SessionCell[]): readonly CodeKind[] => {
    const byName = new Map<string, CodeKind>();
    for (const cell of cells)
      if (cell.kind === "kinds")
        for (const kind of this.of(cell).kinds) if (!byName.has(kind.name)) byName.set(kind.name, kind);
    return [...byName.values()];
  });
}
