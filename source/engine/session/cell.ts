/** A cell of the session document, and what can be wrong in one. */
import type { LineCounter } from "yaml";
import type { YamlDocument } from "../text/yaml-document.ts";

/** `id` is stable while the document is open; `name` is the word after the fence's kind. */
export type SessionCell = {
  readonly id: string;
  readonly kind: "front-matter" | "note" | "run" | "analysis";
  readonly name: string;
  /** Markdown of a note, YAML of the others, exactly as in the file. */
  readonly source: string;
};

/** A mistake in a cell: what was expected, what came, and where (1-based line within the cell, when known). */
export type CellProblem = { readonly message: string; readonly line?: number };

/** Most characters of a cell's YAML. Longer text takes the parser so long that the screen stands still; notes have no limit. */
const longestYaml = 20 * 1024;

/** What is wrong with the length of a run or analysis cell's text; undefined where nothing is. */
export function lengthProblem(source: string): CellProblem | undefined {
  if (source.length <= longestYaml) return undefined;
  const size = (source.length / 1024).toFixed(1);
  return {
    message: `Expected at most 20 KB of YAML in a run or analysis cell, got ${size} KB: longer text belongs in a note`,
  };
}

/** The first error, with its place; undefined where there is none. */
export function yamlProblem({ errors }: YamlDocument, lines: LineCounter): CellProblem | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const { line, col } = lines.linePos(error.pos[0]);
  return { message: `Expected YAML: ${error.message.split("\n")[0]} at line ${line}, column ${col}`, line };
}
