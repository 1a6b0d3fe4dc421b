/** The front matter of a session: `defaults:` holds fields for all its run cells. What else stands there is not looked at. */
import { isMap, isScalar, LineCounter } from "yaml";
import type { Suite } from "../../suite.ts";
import { type CellProblem, lengthProblem } from "../cell.ts";
import { yamlProblem } from "../cell-yaml.ts";
import { parseYaml, yamlValue } from "../../text/yaml-document.ts";
import { fieldProblem, type Fields } from "../fields/given-fields.ts";
import { shown } from "../fields/run-options.ts";

export type FrontMatter = { readonly defaults: Fields; readonly problems: readonly CellProblem[] };

/** Never throws: what is wrong comes back as problems. A default has to fit a run cell of at least one suite. */
export function readFrontMatter(source: string, suites: readonly Suite[]): FrontMatter {
  const tooLong = lengthProblem(source);
  if (tooLong !== undefined) return { defaults: {}, problems: [tooLong] };
  try {
    return read(source, suites);
  } catch (error) {
    // Aliases that multiply without end, or contain themselves.
    return { defaults: {}, problems: [{ message: `Expected YAML: ${(error as Error).message}` }] };
  }
}

function read(source: string, suites: readonly Suite[]): FrontMatter {
  const lines = new LineCounter();
  const document = parseYaml(source, lines);
  const lineAt = (offset: number | undefined) => (offset === undefined ? {} : { line: lines.linePos(offset).line });
  const broken = yamlProblem(document, lines);
  if (broken !== undefined) return { defaults: {}, problems: [broken] };
  const value = yamlValue(document);
  const defaults = isMap(document.contents) ? (value as Fields)["defaults"] : undefined;
  if (defaults === undefined || defaults === null) return { defaults: {}, problems: [] };
  const node = document.get("defaults", true);
  if (!isMap(node)) {
    const message = `Expected \`defaults\` to hold fields of run cells, such as \`model: lab/llama\`, got ${shown(defaults)}`;
    return { defaults: {}, problems: [{ message }] };
  }
  const problems = node.items.flatMap(({ key }): CellProblem[] => {
    if (!isScalar(key)) return [];
    const name = String(key.value);
    const message = fieldProblem(name, (defaults as Fields)[name] ?? null, suites);
    return message === undefined ? [] : [{ message, ...lineAt(key.range?.[0]) }];
  });
  return { defaults: defaults as Fields, problems };
}
