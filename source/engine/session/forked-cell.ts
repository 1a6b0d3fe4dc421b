/**
 * Run cells that fork many tasks of another cell's runs, `fork: {of: plans, tasks: wrong, at: requests}`, and the rescue made of
 * them: each of these runs has the settings of one that it forks, and the cell's own fields in place of them.
 */
import { writtenOptions } from "../migration/run-options.ts";
import { similarName } from "../text/similar-name.ts";
import type { Suite } from "../suite.ts";
import type { ForkedRun, Json, RunSpec } from "../types.ts";
import { readCellText } from "./cell-text.ts";
import type { Fields } from "./fields/given-fields.ts";
import { forkedFields } from "./fork-cell.ts";

/** A run as far as forks of it are planned. */
type AnyRun = { readonly run: string; readonly label: string; readonly pool?: string; readonly spec: RunSpec };

/** A run of another cell, and the run whose answers it shows. */
export type OriginalRun = { readonly planned: Omit<AnyRun, "pool">; readonly run: string };

/** What a run of forks adds to a planned one: the run of another cell that it leaves, and in a rescue its arm. */
export type ForkedPart = { readonly original?: string; readonly arm?: ForkArm };

/** True if the runs continue with what is examined, or with the original's own settings for comparison. */
export type ForkArm = "examined" | "control";

type Report = (field: string, message: string) => void;
type Plan<Cell> = (fields: Fields, base: Fields) => Cell;
type Sources = {
  readonly suites: readonly Suite[];
  /** Returns the runs of the cell of this name; undefined if there is none. */
  readonly originals: (cell: string) => readonly OriginalRun[] | undefined;
  readonly cells: () => readonly string[];
};

/** Returns the map that names the forked cell, and its field; undefined for cells of other kinds. */
export function forkedCellOf({ fork, rescue }: Fields): { readonly field: string; readonly of: Fields } | undefined {
  if (isMap(rescue)) return { field: "rescue", of: rescue };
  return isMap(fork) && "of" in fork ? { field: "fork", of: fork } : undefined;
}

/** Returns whether the text of a cell names another cell whose runs it forks. */
export const forkedCellIn = (source: string): boolean =>
  mayForkCell(source) &&
  readCellText(
    source,
    ({ fields }) => forkedCellOf(fields ?? {}) !== undefined,
    () => false,
  );

/** The same without parsing: true for some other cells, too. */
export const mayForkCell = (source: string): boolean => /^(?:fork|rescue)\s*:/m.test(source) && /\bof\s*:/.test(source);

const isMap = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const known: Readonly<Record<string, readonly string[]>> = {
  fork: ["of", "tasks", "at"],
  rescue: ["of", "tasks", "at", "repeats", "with"],
};

/** Plans the runs of such a cell, `plan` one cell of a single original; `report` gets its mistakes. */
export function planForkedRuns<Run extends AnyRun, Problem>(
  own: Fields,
  sources: Sources,
  plan: Plan<{ readonly runs: readonly Run[]; readonly problems: readonly Problem[] }>,
  report: Report,
) {
  const { field, of } = forkedCellOf(own)!;
  for (const name of Object.keys(of).filter((each) => !known[field]!.includes(each)))
    report(`${field}.${name}`, `Expected \`${field}\` to hold ${known[field]!.join(", ")}, got \`${name}\``);
  const choice = readChoice(field, of, report);
  const named = typeof of["of"] === "string" ? of["of"] : "";
  const originals = sources.originals(named);
  if (originals === undefined) {
    const similar = similarName(named, sources.cells());
    const instead = similar === undefined ? sources.cells().join(", ") : `did you mean \`${similar}\`?`;
    report(
      `${field}.of`,
      `Expected \`${field}.of\` to name a run cell of this notebook (${instead}), got \`${named}\``,
    );
    return { runs: [], problems: [] };
  }
  const arms = field === "rescue" ? armsOf(of, report) : [{ arm: undefined, label: "", fields: {} }];
  const { fork: _, rescue: __, ...rest } = own;
  const runs: (Run & ForkedPart)[] = [];
  for (const original of originals) {
    for (const { arm, label, fields } of arms) {
      const trials = field === "rescue" ? trialsOf(of, original.planned.spec) : {};
      const fork = { of: original.run, ...choice } as unknown as Json;
      const base = baseOf(original.planned.spec, sources.suites);
      const planned = plan({ ...rest, ...fields, ...trials, fork }, base);
      if (planned.runs.length === 0) return planned;
      const prefix = originals.length > 1 ? [original.planned.label] : [];
      runs.push(
        ...planned.runs.map((run) => forkedRun(run, original, arm, [...prefix, ...(label === "" ? [] : [label])])),
      );
    }
  }
  return { runs, problems: [], ...(field === "rescue" && { rescue: true as const }) };
}

function forkedRun<Run extends AnyRun>(
  run: Run,
  original: OriginalRun,
  arm: ForkArm | undefined,
  names: readonly string[],
): Run & ForkedPart {
  const labelled = (label: string) => [...names, label].join(", ");
  const pool = arm === undefined ? run.pool && labelled(run.pool) : names.join(", ");
  const label = arm === undefined ? labelled(run.label) : labelled(`trial ${run.spec.trial}`);
  return { ...run, label, ...(pool !== undefined && { pool }), original: original.planned.run, ...(arm && { arm }) };
}

function readChoice(
  field: string,
  { tasks = "wrong", at = "requests" }: Fields,
  report: Report,
): Omit<ForkedRun, "of"> {
  const isChoice = tasks === "wrong" || tasks === "right" || tasks === "all";
  const isList = Array.isArray(tasks) && tasks.every((each) => typeof each === "string");
  if (!isChoice && !isList)
    report(
      `${field}.tasks`,
      `Expected \`${field}.tasks\` to be wrong, right, all or a list of tasks, got ${JSON.stringify(tasks)}`,
    );
  if (at !== "requests" && at !== "errors")
    report(`${field}.at`, `Expected \`${field}.at\` to be requests or errors, got ${JSON.stringify(at)}`);
  return { tasks, at } as Required<Omit<ForkedRun, "of">>;
}

type Arm = { readonly arm: ForkArm | undefined; readonly label: string; readonly fields: Fields };

/** Returns who continues: the same model alone, or another one beside the same as control. */
function armsOf({ with: given = "same" }: Fields, report: Report): readonly Arm[] {
  const control: Arm = { arm: "control", label: "control: same", fields: {} };
  if (given === "same") return [{ arm: "examined", label: "same", fields: {} }];
  if (given === "answer-key")
    return [{ arm: "examined", label: "answer key", fields: { model: "builtin/oracle" } }, control];
  if (isMap(given) && Object.keys(given).length > 0) {
    const label = Object.values(given).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
    return [{ arm: "examined", label: label.join(" "), fields: given }, control];
  }
  report(
    "rescue.with",
    `Expected \`rescue.with\` to be same, answer-key or a map of fields, got ${JSON.stringify(given)}`,
  );
  return [];
}

/** The trial of the original would send its seed again, so repeats are the trials behind it. */
function trialsOf({ repeats = 5 }: Fields, { trial }: RunSpec): Fields {
  const count = typeof repeats === "number" && Number.isInteger(repeats) ? Math.min(100, Math.max(1, repeats)) : 5;
  return { trial: Array.from({ length: count }, (_, index) => trial + 1 + index) };
}

/** Returns the fields of a run, without those that choose its tasks. */
function baseOf(spec: RunSpec, suites: readonly Suite[]): Fields {
  const suite = suites.find(({ name }) => name === spec.suite.split("/", 1)[0]);
  return forkedFields(suite === undefined ? spec : { ...spec, options: writtenOptions(suite, spec) });
}
