/** What is wrong with the YAML of a cell or of front matter. */
import type { LineCounter } from "yaml";
import type { YamlDocument } from "../text/yaml-document.ts";
import type { CellProblem } from "./cell.ts";

/** The first error, with its place; undefined where there is none. */
export function yamlProblem({ errors }: YamlDocument, lines: LineCounter): CellProblem | undefined {
  const [error] = errors;
  if (error === undefined) return undefined;
  const { line, col } = lines.linePos(error.pos[0]);
  return { message: `Expected YAML: ${error.message.split("\n")[0]} at line ${line}, column ${col}`, line };
}
