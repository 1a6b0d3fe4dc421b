/**
 * Run cells that fork many tasks of another cell's runs, `fork: {of: plans, tasks: wrong, at: requests}`, and the rescue made of
 * such forks. Each of these runs has the settings of the run that it forks, replaced by the cell's own fields.
 */
import { writtenOptions } from "../migration/run-options.ts";
import { similarName } from "../text/similar-name.ts";
import type { Suite } from "../suite.ts";
import type { ForkedRun, Json, RunSpec } from "../types.ts";
import { joinedLabel } from "../settings/label.ts";
import { readCellText } from "./cell-text.ts";
import type { Fields } from "./fields/given-fields.ts";
import { labelProblem } from "./fields/named-values.ts";
import { forkedFields } from "./fork-cell.ts";

/** The part of a run that planning its forks requires. */
type AnyRun = {
  readonly run: string;
  readonly label: string;
  readonly plainLabel?: string;
  readonly named?: Readonly<Record<string, string>>;
  readonly pool?: string;
  readonly spec: RunSpec;
};

/** A run of another cell, and the run whose answers that cell shows. */
export type OriginalRun = { readonly planned: Omit<AnyRun, "pool">; readonly run: string };

/** Additions of a run of forks to a planned run: the original run of another cell, and in a rescue its arm. */
export type ForkedPart = { readonly original?: string; readonly arm?: ForkArm };

/** True if the runs continue with the change under study, or with the original's own settings for comparison. */
export type ForkArm = "examined" | "control";

type Report = (field: string, message: string) => void;
type Plan<Cell> = (fields: Fields, base: Fields) => Cell;
type Sources = {
  readonly suites: readonly Suite[];
  /** Returns the runs of the cell of this name; undefined if the cell does not exist. */
  readonly originals: (cell: string) => readonly OriginalRun[] | undefined;
  readonly cells: () => readonly string[];
};

type ForkedCell = { readonly field: "fork" | "rescue"; readonly name?: string; readonly of: Fields };

/** Returns the maps that name forked cells, several for a `fork` with names, and their field; an empty list for other cells. */
function forkedCells({ fork, rescue }: Fields): readonly ForkedCell[] {
  if (isMap(rescue)) return [{ field: "rescue", of: rescue }];
  if (!isMap(fork)) return [];
  if ("of" in fork) return [{ field: "fork", of: fork }];
  const named = Object.entries(fork);
  if (!named.every(([, of]) => isMap(of) && "of" in of)) return [];
  return named.map(([name, of]) => ({ field: "fork", name, of: of as Fields }));
}

/** Returns whether a cell forks another one. */
export const forksCell = (fields: Fields): boolean => forkedCells(fields).length > 0;

/** Returns whether the text of a cell names another cell whose runs it forks. */
export const forkedCellIn = (source: string): boolean =>
  mayForkCell(source) &&
  readCellText(
    source,
    ({ fields }) => forksCell(fields ?? {}),
    () => false,
  );

/** Guesses without parsing whether a text names a forked cell; also returns true for some other cells. */
export const mayForkCell = (source: string): boolean => /^(?:fork|rescue)\s*:/m.test(source) && /\bof\s*:/.test(source);

const isMap = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const known: Readonly<Record<string, readonly string[]>> = {
  fork: ["of", "tasks", "at"],
  rescue: ["of", "tasks", "at", "repeats", "with"],
};

/** Plans the runs of such a cell; `plan` plans the runs of one original; `report` receives the mistakes in the cell. */
export function planForkedRuns<Run extends AnyRun, Problem>(
  own: Fields,
  sources: Sources,
  plan: Plan<{ readonly runs: readonly Run[]; readonly problems: readonly Problem[] }>,
  report: Report,
) {
  const runs = new Map<string, Run & ForkedPart>();
  const cells = forkedCells(own);
  for (const cell of cells) {
    const below = (path: string, message: string) =>
      report(cell.name === undefined ? path : [cell.field, cell.name, ...path.split(".").slice(1)].join("."), message);
    const wrong = cell.name === undefined ? undefined : labelProblem("fork", cell.name);
    if (wrong !== undefined) report("fork", wrong);
    const planned = planForkedCell(own, cell, sources, plan, below);
    if (planned.runs.length === 0) return planned;
    for (const run of planned.runs) if (!runs.has(run.run)) runs.set(run.run, run);
  }
  return { runs: [...runs.values()], problems: [], ...(cells[0]!.field === "rescue" && { rescue: true as const }) };
}

function planForkedCell<Run extends AnyRun, Problem>(
  own: Fields,
  { field, name: given, of }: ForkedCell,
  sources: Sources,
  plan: Plan<{ readonly runs: readonly Run[]; readonly problems: readonly Problem[] }>,
  report: Report,
): { readonly runs: readonly (Run & ForkedPart)[]; readonly problems: readonly Problem[] } {
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
      const isSeveral = originals.length > 1;
      const namesOf = (text: string) => [given ?? "", isSeveral ? text : "", label].filter((part) => part !== "");
      const { label: title, plainLabel = title } = original.planned;
      // A name suffices if the cell has no other values.
      const isTold = given !== undefined && planned.runs.length === 1;
      const names = { shown: namesOf(title), plain: namesOf(plainLabel), isTold };
      const kept = Object.entries(original.planned.named ?? {}).filter(([name]) => !(name in rest || name in fields));
      for (const run of planned.runs) {
        const named: Readonly<Record<string, string>> = {
          ...Object.fromEntries(kept),
          ...run.named,
          ...(given !== undefined && { fork: given }),
        };
        const label = run.label === run.spec.model ? (named["model"] ?? run.label) : run.label;
        runs.push(forkedRun({ ...run, label, ...(Object.keys(named).length > 0 && { named }) }, original, arm, names));
      }
    }
  }
  return { runs, problems: [] };
}

/** The prefix of a run's label: with aliases, and with the real names. */
type Names = { readonly shown: readonly string[]; readonly plain: readonly string[]; readonly isTold: boolean };

function forkedRun<Run extends AnyRun>(
  run: Run,
  original: OriginalRun,
  arm: ForkArm | undefined,
  { shown, plain, isTold }: Names,
): Run & ForkedPart {
  const labelled = (names: readonly string[], label: string) =>
    joinedLabel([...new Set(isTold ? names : [...names, label])]);
  const ofArm = (names: readonly string[], label: string) =>
    labelled(names, arm === undefined ? label : `trial ${run.spec.trial}`);
  const pool = arm === undefined ? run.pool && labelled(shown, run.pool) : joinedLabel(shown);
  const [label, plainLabel] = [ofArm(shown, run.label), ofArm(plain, run.plainLabel ?? run.label)];
  return {
    ...run,
    label,
    ...(plainLabel !== label && { plainLabel }),
    ...(pool !== undefined && { pool }),
    original: original.planned.run,
    ...(arm && { arm }),
  };
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

/** Returns the models that continue: only the model of the original, or another model and, as control, the same model. */
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

/** Returns the trials of the forks. They follow the original's trial, because that trial would send the original's seed again. */
function trialsOf({ repeats = 5 }: Fields, { trial }: RunSpec): Fields {
  const count = typeof repeats === "number" && Number.isInteger(repeats) ? Math.min(100, Math.max(1, repeats)) : 5;
  return { trial: Array.from({ length: count }, (_, index) => trial + 1 + index) };
}

/** Returns the fields of a run, without those that choose its tasks. */
function baseOf(spec: RunSpec, suites: readonly Suite[]): Fields {
  const suite = suites.find(({ name }) => name === spec.suite.split("/", 1)[0]);
  return forkedFields(suite === undefined ? spec : { ...spec, options: writtenOptions(suite, spec) });
}
