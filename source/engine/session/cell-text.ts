/** Reads the YAML of a cell or of front matter, with the lines of its fields. */
import { isMap, isScalar, LineCounter } from "yaml";
import { parseYaml, type YamlDocument, yamlValue } from "../text/yaml-document.ts";
import type { Json } from "../types.ts";
import type { CellProblem } from "./cell.ts";

/** Maximum number of characters in a cell's YAML. Parsing longer text would block the screen; notes have no limit. */
const longestYaml = 20 * 1024;

/** Returns the problem with the length of a run or analysis cell's text; undefined if there is none. */
export function lengthProblem(source: string): CellProblem | undefined {
  if (source.length <= longestYaml) return undefined;
  const size = (source.length / 1024).toFixed(1);
  return {
    message: `Expected at most 20 KB of YAML in a run or analysis cell, got ${size} KB: longer text belongs in a note`,
  };
}

/** Returns the first error with its line; undefined if there is no error. */
export function yamlProblem({ errors }: YamlDocument, lines: LineCounter): CellProblem | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const { line, col } = lines.linePos(error.pos[0]);
  return { message: `Expected YAML: ${error.message.split("\n")[0]} at line ${line}, column ${col}`, line };
}

export type CellText = {
  /** Null for a text without content, undefined for content that is not a map. */
  readonly fields: { readonly [field: string]: Json } | null | undefined;
  /** Returns the line of a field, or of a field within it; empty if unknown. */
  lineOf(...path: readonly string[]): { readonly line?: number };
};

/** Reads the YAML of a cell or of front matter. Never throws: `refuse` receives the problem. */
export function readCellText<Result>(
  source: string,
  read: (text: CellText) => Result,
  refuse: (problem: CellProblem) => Result,
): Result {
  const tooLong = lengthProblem(source);
  if (tooLong !== undefined) return refuse(tooLong);
  try {
    const lines = new LineCounter();
    const document = parseYaml(source, lines);
    const broken = yamlProblem(document, lines);
    if (broken !== undefined) return refuse(broken);
    const { contents } = document;
    return read({
      fields: contents === null ? null : isMap(contents) ? (yamlValue(document) as CellText["fields"]) : undefined,
      lineOf: (...path) => lineAt(contents, path, lines),
    });
  } catch (error) {
    // Aliases that multiply endlessly, or contain themselves.
    return refuse({ message: `Expected YAML: ${(error as Error).message}` });
  }
}

function lineAt(node: unknown, [name, ...rest]: readonly string[], lines: LineCounter): { readonly line?: number } {
  const items = isMap(node) ? node.items : [];
  const found = items.find(({ key }) => isScalar(key) && String(key.value) === name);
  if (found === undefined) return {};
  if (rest.length > 0) return lineAt(found.value, rest, lines);
  return isScalar(found.key) && found.key.range ? { line: lines.linePos(found.key.range[0]).line } : {};
}
