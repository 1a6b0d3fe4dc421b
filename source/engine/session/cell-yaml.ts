/** The YAML of cells and of front matter, which anybody may have written. */
import { LineCounter, parseDocument } from "yaml";
import type { CellProblem } from "./cell.ts";

type YamlDocument = ReturnType<typeof parseDocument>;

/**
 * Parses YAML. Its errors are bare, for `yamlProblem` to say: the package describes each of them, and of a text with thousands
 * of errors that takes seconds. Nor may it warn, as that is written over the screen.
 */
export function parseYaml(source: string, lineCounter = new LineCounter()): YamlDocument {
  return parseDocument(source, { lineCounter, prettyErrors: false, logLevel: "error" });
}

/** The first error, with its place; undefined where there is none. */
export function yamlProblem({ errors }: YamlDocument, lines: LineCounter): CellProblem | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const { line, col } = lines.linePos(error.pos[0]);
  return { message: `Expected YAML: ${error.message.split("\n")[0]} at line ${line}, column ${col}`, line };
}
