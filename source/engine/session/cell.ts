/** A cell of the session document, and its problems. Part of the public types, so it imports no package. */

/** `id` is stable while the document is open; `name` is the word after the fence's kind. */
export type SessionCell = {
  readonly id: string;
  readonly kind: "front-matter" | "note" | "run" | "analysis" | "kinds";
  readonly name: string;
  /** The text of the cell, exactly as in the file: Markdown for a note, lines for kinds, YAML for other cells. */
  readonly source: string;
};

/** A mistake in a cell: what was expected, what was found, and the 1-based line within the cell if known. */
export type CellProblem = { readonly message: string; readonly line?: number };
