/** Codes by run and task, from the lines of all people, and which of them count for an attempt. */
import type { Row, RowCodes } from "../../types.ts";
import type { Code, Codebook, CodeKind, Labelling, TaskCodes } from "../../analysis.ts";
import { factOf } from "../../work/fact.ts";
import type { CodeLine, CodesLine, LabelledLine } from "./code-line.ts";

type Folded = { codes: Code[]; labelled: Labelling[] };

/**
 * Reads lines in the order of their files. A line withdraws only lines of the same person, in any order of the files; of two
 * lines with one id the second is ignored, because a file may have been copied. `known` are the kinds of the notebook's cells,
 * which come before all others; these follow in order of first use.
 */
export function foldedCodes(lines: readonly CodesLine[], known: readonly CodeKind[]): Codebook {
  const gone = new Set(lines.flatMap((line) => (line.type === "withdrawn" ? [keyOf(line)] : [])));
  const seen = new Set<string>();
  const runs = new Map<string, Map<string, Folded>>();
  const kinds = new Map(known.map((kind) => [kind.name, kind]));
  for (const line of lines) {
    if (line.type === "withdrawn" || gone.has(keyOf(line)) || seen.has(keyOf(line))) continue;
    seen.add(keyOf(line));
    const tasks = runs.get(line.run) ?? new Map<string, Folded>();
    runs.set(line.run, tasks);
    const task = tasks.get(line.task) ?? { codes: [], labelled: [] };
    tasks.set(line.task, task);
    if (line.type === "labelled") task.labelled.push(labellingOf(line));
    else {
      task.codes.push(codeOf(line));
      if (!kinds.has(line.kind)) kinds.set(line.kind, { name: line.kind });
    }
  }
  return { kinds: [...kinds.values()], runs };
}

const keyOf = ({ by, id }: { readonly by: string; readonly id: string }): string => `${by}\n${id}`;

function codeOf({ id, by, at, kind, attempt, place, remark }: CodeLine): Code {
  return {
    id,
    by,
    at,
    kind,
    ...(attempt !== undefined && { attempt }),
    ...(place !== undefined && { place: place as NonNullable<Code["place"]> }),
    ...(remark !== undefined && { remark }),
  };
}

function labellingOf({ id, by, at, attempt, sample }: LabelledLine): Labelling {
  return { id, by, at, ...(attempt !== undefined && { attempt }), ...(sample !== undefined && { sample }) };
}

/** Returns the identifier of an attempt in codes: the time at which it started. */
export const attemptOf = ({ from }: Pick<Row, "from">): string => new Date(from).toISOString();

/** True if a code or a label belongs to the attempt that counts. */
export function isOfAttempt({ attempt }: Pick<Code, "attempt">, row: Pick<Row, "from"> | undefined): boolean {
  return row !== undefined && (attempt === undefined || Date.parse(attempt) === row.from);
}

const none: TaskCodes = { codes: [], labelled: [] };

export function codesOfTask(
  { runs }: Pick<Codebook, "runs">,
  { run, task }: { readonly run: string; readonly task: string },
): TaskCodes {
  return runs.get(run)?.get(task) ?? none;
}

/** Returns how many kinds contain each kind, by its name. */
export const kindDepths = (kinds: Codebook["kinds"]): ReadonlyMap<string, number> =>
  new Map(kinds.map(({ name }) => [name, kindAndParents(kindsByName(kinds), name).length - 1]));

/**
 * Returns the names of a kind and of all kinds that contain it. A kind is always below an earlier kind, so there are no cycles.
 */
function kindAndParents(kinds: ReadonlyMap<string, CodeKind>, name: string): readonly string[] {
  const { parent } = kinds.get(name) ?? {};
  return parent === undefined ? [name] : [name, ...kindAndParents(kinds, parent)];
}

/** Returns the kinds of a row according to the codes that count, only those of one person if `by` is given. */
export function rowCodes(codebook: Codebook, row: Row, by?: string): RowCodes {
  const { codes } = codesOfTask(codebook, row);
  if (codes.length === 0) return noCodes(codebook.kinds);
  const byName = kindsByName(codebook.kinds);
  const present = new Set<string>();
  const given = new Set<string>();
  for (const code of codes) {
    if ((by !== undefined && code.by !== by) || !isOfAttempt(code, row)) continue;
    given.add(code.kind);
    for (const name of kindAndParents(byName, code.kind)) present.add(name);
  }
  const names = codebook.kinds.map(({ name }) => name);
  return {
    given: names.filter((name) => given.has(name)),
    has: Object.fromEntries(names.map((name) => [name, present.has(name)])),
  };
}

const kindsByName = factOf((kinds: Codebook["kinds"]) => new Map(kinds.map((kind) => [kind.name, kind])));

/** The codes of a row without codes, one object because most rows have none. */
const noCodes = factOf((kinds: Codebook["kinds"]): RowCodes => ({
  given: [],
  has: Object.fromEntries(kinds.map(({ name }) => [name, false])),
}));

/** Returns only the codes of these runs, because they are sent to the thread; undefined if there are none. */
export function codesOfRuns(codebook: Codebook, sources: readonly { readonly run: string }[]): Codebook | undefined {
  if (!saysAnything(codebook)) return undefined;
  const { runs } = codebook;
  return { ...codebook, runs: new Map([...runs].filter(([run]) => sources.some((source) => source.run === run))) };
}

/** True if a codebook has kinds, or labels that check judges. */
export const saysAnything = ({ kinds, checks = [] }: Codebook): boolean => kinds.length + checks.length > 0;
