/**
 * The front matter of an open session: the fields that it gives to run cells, together with fields set by a command, and the
 * files of code that it names.
 */
import type { Suite } from "../../suite.ts";
import type { CellProblem, SessionCell } from "../cell.ts";
import { type CellText, readCellText } from "../cell-text.ts";
import { type GivenFields, fieldProblem, type Fields, isField, unknownField } from "../fields/given-fields.ts";
import type { Json } from "../../types.ts";
import { isRecord } from "../../text/json-record.ts";
import { parseYaml, yamlValue } from "../../text/yaml-document.ts";
import { type Aliases, readAliases } from "../fields/aliases.ts";
import { shown } from "../fields/run-options.ts";

/** The name of kinds that are proposed for a cell without a name. */
export const unnamedProposal = "proposed";

export class NotebookFields {
  readonly #suites: readonly Suite[];
  readonly #cells: () => readonly SessionCell[];
  #set: SetFields = { all: {}, cells: new Map() };
  #front: (FrontMatter & { readonly source: string }) | undefined;
  /** By cell name, until something changes: a different object causes cells to be planned again. */
  readonly #given = new Map<string, GivenFields>();

  constructor(suites: readonly Suite[], cells: () => readonly SessionCell[]) {
    this.#suites = suites;
    this.#cells = cells;
  }

  /** Returns the run cells with this name. */
  runCells(name: string): readonly SessionCell[] {
    return this.#cells().filter((cell) => cell.kind === "run" && cell.name === name);
  }

  /** Returns the text of the kinds cell that was proposed for a cell of this name; undefined if there is no proposal. */
  proposedFor(name: string): string | undefined {
    const wanted = name === "" ? unnamedProposal : name;
    return this.#cells().find((cell) => cell.kind === "kinds" && cell.name === wanted)?.source;
  }

  /**
   * Sets fields from a command's arguments, for as long as the session is open. Throws `RangeError` without setting any field.
   */
  set(written: readonly string[]): void {
    this.#set = readSetFields(written, this.#cells(), this.#suites);
    this.#given.clear();
  }

  /** Returns the problems of the front matter; `unloaded` is why the code that it names is not loaded. */
  problems(unloaded?: string): readonly CellProblem[] {
    const { problems, code, alias } = this.#read();
    return [
      ...problems,
      ...code.problems,
      ...alias.problems,
      ...(unloaded === undefined ? [] : [{ message: unloaded }]),
    ];
  }

  /** Returns the fields given to cells of a name. */
  given(cell: string): GivenFields {
    const front = this.#read();
    // Most cells are given the same.
    const key = this.#set.cells.has(cell) ? cell : "";
    const given = this.#given.get(key) ?? this.#giving(front, key);
    this.#given.set(key, given);
    return given;
  }

  /** Returns the fields that this front matter gives to cells. */
  givenWith(frontMatter: string): GivenFields {
    return this.#giving(readFrontMatter(frontMatter, this.#suites), "");
  }

  #giving({ defaults, problems: [mistake], alias: { aliases } }: FrontMatter, cell: string): GivenFields {
    const { all, cells } = this.#set;
    const problem = mistake && { problem: `The notebook's defaults are invalid: ${mistake.message}` };
    return { defaults, set: all, replaced: cells.get(cell) ?? {}, ...(aliases.size > 0 && { aliases }), ...problem };
  }

  #read(): FrontMatter {
    // Front matter opens the document or is absent.
    const [first] = this.#cells();
    const source = first?.kind === "front-matter" ? first.source : "";
    if (this.#front?.source !== source) {
      this.#front = { source, ...readFrontMatter(source, this.#suites) };
      this.#given.clear();
    }
    return this.#front;
  }
}

/** Fields that are set for all run cells, and fields set for the run cells of a name. */
type SetFields = { readonly all: Fields; readonly cells: ReadonlyMap<string, Fields> };

/** Reads the arguments. The name of a cell may precede the field; a later argument wins. Throws `RangeError`. */
export function readSetFields(written: readonly string[], cells: readonly SessionCell[], suites: readonly Suite[]) {
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

/** Splits `FIELD=VALUE` into field and value. The value is YAML, as in a cell. */
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

/** Names of cells and of fields may contain dots: a field takes precedence, then the longest name of a cell. */
function placeOf(target: string, cells: readonly SessionCell[], suites: readonly Suite[]) {
  if (isField(target, suites)) return { field: target };
  const names = cells.filter(({ kind, name }) => kind === "run" && name !== "").map(({ name }) => name);
  const cell = names.filter((name) => target.startsWith(`${name}.`)).toSorted((a, b) => b.length - a.length)[0];
  if (cell !== undefined) return { cell, field: target.slice(cell.length + 1) };
  const dot = target.indexOf(".");
  if (dot < 0 || !isField(target.slice(dot + 1), suites)) throw new RangeError(unknownField(target, suites));
  const known = names.join(", ") || "no run cell has a name";
  throw new RangeError(`Expected a run cell of this session (${known}), got \`${target.slice(0, dot)}\``);
}

type FrontMatter = {
  readonly defaults: Fields;
  readonly problems: readonly CellProblem[];
  readonly alias: { readonly aliases: Aliases; readonly problems: readonly CellProblem[] };
  /** Files of code in the notebook's folder, as written. */
  readonly code: { readonly files: readonly string[]; readonly problems: readonly CellProblem[] };
};

/** Maximum number of files of code that a notebook may request. */
const mostFiles = 20;

/**
 * Reads front matter. Never throws: mistakes are returned as problems. A default must be valid in a run cell of at least one
 * suite.
 */
export function readFrontMatter(source: string, suites: readonly Suite[]): FrontMatter {
  return readCellText(
    source,
    (text) => ({ ...defaultsIn(text, suites), code: codeIn(text), alias: aliasesIn(text) }),
    (problem) => ({
      defaults: {},
      problems: [problem],
      code: { files: [], problems: [] },
      alias: { aliases: new Map(), problems: [] },
    }),
  );
}

function aliasesIn({ fields, lineOf }: CellText): FrontMatter["alias"] {
  const problems: CellProblem[] = [];
  const aliases = readAliases(fields?.["alias"] ?? null, (message, alias) =>
    problems.push({ message, ...lineOf("alias", ...(alias === undefined ? [] : [alias])) }),
  );
  return { aliases, problems };
}

function codeIn({ fields, lineOf }: CellText): FrontMatter["code"] {
  const written = fields?.["with"] ?? [];
  const isList = Array.isArray(written) && written.every((file) => typeof file === "string" && file !== "");
  if (isList && written.length <= mostFiles) return { files: [...new Set(written as readonly string[])], problems: [] };
  const message = `Expected \`with\` to list at most ${mostFiles} files of the notebook's folder, such as \`[variant.ts]\`, got ${shown(written)}`;
  return { files: [], problems: [{ message, ...lineOf("with") }] };
}

function defaultsIn(
  { fields, lineOf }: CellText,
  suites: readonly Suite[],
): Pick<FrontMatter, "defaults" | "problems"> {
  const defaults = fields?.["defaults"] ?? null;
  if (defaults === null) return { defaults: {}, problems: [] };
  if (!isRecord(defaults)) {
    const message = `Expected \`defaults\` to hold fields of run cells, such as \`model: lab/llama\`, got ${shown(defaults)}`;
    return { defaults: {}, problems: [{ message }] };
  }
  const problems = Object.entries(defaults).flatMap(([name, value]): CellProblem[] => {
    const message = fieldProblem(name, value, suites);
    return message === undefined ? [] : [{ message, ...lineOf("defaults", name) }];
  });
  return { defaults, problems };
}
