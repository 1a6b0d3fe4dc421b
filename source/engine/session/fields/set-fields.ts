/** Fields that a command sets for one time: `--set limit=50` for all run cells, `--set CELL.limit=50` for one. */
import type { Suite } from "../../suite.ts";
import type { Json } from "../../types.ts";
import type { SessionCell } from "../cell.ts";
import { parseYaml, yamlValue } from "../../text/yaml-document.ts";
import { fieldProblem, type Fields, isField, unknownField } from "./given-fields.ts";

/** What is set for all run cells, and for those of a name. */
export type SetFields = { readonly all: Fields; readonly cells: ReadonlyMap<string, Fields> };

/** The arguments as written. What stands before the field is the name of a cell; a later argument wins. Throws `RangeError`. */
export function readSetFields(
  written: readonly string[],
  cells: readonly SessionCell[],
  suites: readonly Suite[],
): SetFields {
  let all: Fields = {};
  const own = new Map<string, Fields>();
  for (const text of written) {
    const { target, value } = parted(text);
    const { cell, field } = placeOf(target, cells, suites);
    const problem = fieldProblem(field, value, suites);
    if (problem !== undefined) throw new RangeError(`${problem} (\`--set ${text}\`)`);
    if (cell === undefined) all = { ...all, [field]: value };
    else own.set(cell, { ...own.get(cell), [field]: value });
  }
  return { all, cells: own };
}

/** The value is YAML, as behind the field in a cell. */
function parted(text: string): { readonly target: string; readonly value: Json } {
  const at = text.indexOf("=");
  const [target, written] = [text.slice(0, at).trim(), text.slice(at + 1)];
  if (at < 1 || written.trim() === "")
    throw new RangeError(`Expected \`--set FIELD=VALUE\` or \`--set CELL.FIELD=VALUE\`, got \`--set ${text}\``);
  try {
    const document = parseYaml(written);
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return { target, value: yamlValue(document) };
  } catch (error) {
    const why = (error as Error).message.split("\n")[0];
    throw new RangeError(`Expected \`--set ${target}=\` with a value as in a run cell, got \`${written}\`: ${why}`);
  }
}

/** Names of cells and of fields may hold dots: a field comes first, then the longest name of a cell. */
function placeOf(
  target: string,
  cells: readonly SessionCell[],
  suites: readonly Suite[],
): { readonly cell?: string; readonly field: string } {
  if (isField(target, suites)) return { field: target };
  const names = cells.filter(({ kind, name }) => kind === "run" && name !== "").map(({ name }) => name);
  const cell = names.filter((name) => target.startsWith(`${name}.`)).toSorted((a, b) => b.length - a.length)[0];
  if (cell !== undefined) return { cell, field: target.slice(cell.length + 1) };
  const dot = target.indexOf(".");
  if (dot < 0 || !isField(target.slice(dot + 1), suites)) throw new RangeError(unknownField(target, suites));
  const known = names.join(", ") || "none has a name";
  throw new RangeError(`Expected a run cell of this session (${known}), got \`${target.slice(0, dot)}\``);
}
